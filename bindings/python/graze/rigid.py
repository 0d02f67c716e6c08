"""Posed polygon soups: intersections, contacts and first contacts of rigid objects, and worlds of many.

A pose is a 4 x 4 matrix: rotation and translation, with the last row 0 0 0 1. rigid.pyi has the types.
"""

from ._graze import _rigid

Collider = _rigid.Collider
ContactPatch = _rigid.ContactPatch
Contacts = _rigid.Contacts
Distance = _rigid.Distance
DistanceQuery = _rigid.DistanceQuery
FirstContact = _rigid.FirstContact
FirstHit = _rigid.FirstHit
Motion = _rigid.Motion
Object = _rigid.Object
Proximities = _rigid.Proximities
Relation = _rigid.Relation
RigidStats = _rigid.RigidStats
TrianglePairs = _rigid.TrianglePairs
Within = _rigid.Within
World = _rigid.World
WorldContacts = _rigid.WorldContacts
WorldFirstHit = _rigid.WorldFirstHit
WorldHits = _rigid.WorldHits
WorldRayHits = _rigid.WorldRayHits
WorldStats = _rigid.WorldStats
compose = _rigid.compose
contact_patches = _rigid.contact_patches
distance = _rigid.distance
distances = _rigid.distances
first_hits = _rigid.first_hits
inverse = _rigid.inverse
locate = _rigid.locate
obstacle_distances = _rigid.obstacle_distances
obstacle_first_hits = _rigid.obstacle_first_hits
obstacle_triangle_pairs = _rigid.obstacle_triangle_pairs
pose_from_axis_angle = _rigid.pose_from_axis_angle
pose_from_quaternion = _rigid.pose_from_quaternion
posed = _rigid.posed
relate = _rigid.relate
triangle_pairs = _rigid.triangle_pairs
