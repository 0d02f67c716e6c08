// See make_method.hpp.
#include "methods/make_method.hpp"

#include "methods/adaptive/adaptive_method.hpp"
#include "methods/brute/brute_method.hpp"
#include "methods/bvh/bvh_method.hpp"
#include "methods/cluster/cluster_method.hpp"
#include "methods/hash/hash_method.hpp"

namespace graze::methods {

std::unique_ptr<ContactMethod> make_method(const Scene& scene, const DetectorOptions& options) {
  switch (options.method) {
    case Method::Auto:
      return std::make_unique<ClusterMethod>(scene);
    case Method::Brute:
      return std::make_unique<BruteMethod>(scene);
    case Method::Adaptive:
      return std::make_unique<AdaptiveMethod>(scene, options);
    case Method::Hash:
      return std::make_unique<HashMethod>(scene, options);
    default:
      break;
  }
  return std::make_unique<BvhMethod>(
      scene, options.method,
      hierarchy_choices(options.method, options.research->hierarchy, options.research->adaptive));
}

}  // namespace graze::methods
