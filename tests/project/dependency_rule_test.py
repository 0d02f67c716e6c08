#!/usr/bin/env python3
"""The dependency rule finds planted violations and accepts allowed includes."""

import tempfile
import unittest
from pathlib import Path

from dependency_rule import APPS_INTERNAL, MOST_FILES, TABLE, check

# Every folder of the rule, with every edge that it allows.
EDGES = {
    f"src/{folder}/edges.hpp": "".join(f'#include "{target}/edges.hpp"\n' for target in allowed)
    for folder, (_, allowed) in TABLE.items()
}
KEPT = {
    **EDGES,
    "include/graze/types.hpp": "#include <cstdint>\n",
    "include/graze/scene.hpp": "#include <graze/types.hpp>\n#include <vector>\n",
    "include/graze/eigen.hpp": "#include <Eigen/Core>\n",
    "src/core/tasks.cpp": '#include "core/tasks.hpp"\n#include <oneapi/tbb/task_arena.h>\n',
    "src/mesh/topology.hpp": '#include "geometry/vec.hpp"\n#include "mesh/features.hpp"\n',
    "src/narrow/kernels/filter_scalar.hpp": '#include "narrow/kernels/pair_filter.hpp"\n',
    "src/methods/brute/brute.cpp": '  #  include "narrow/elementary.hpp"\n#include "bvh/refit.hpp"\n',
    "apps/graze/commands/a.cpp": f'#include "{next(iter(APPS_INTERNAL))}"\n#include "commands/a.hpp"\n',
    "apps/graze/commands/a.hpp": "",
    "scenes/a.cpp": '#include "geometry/vec.hpp"\n',
    "bindings/python/src/a.cpp": '#include <graze/scene.hpp>\n#include <pybind11/stl.h>\n#include "arrays.hpp"\n',
    "src/io/capture.cpp": '#include "scene/scene.hpp"\n',
}


def violations(**planted):
    """Returns the violations in a project that keeps the rule except for the planted files (path -> text)."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in {**KEPT, **planted}.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return check(root)


class DependencyRule(unittest.TestCase):
    def test_accepts_a_project_that_keeps_it(self):
        self.assertEqual(violations(), [])

    def test_finds_each_forbidden_direction(self):
        for path, include in [
            ("src/core/a.hpp", "geometry/vec.hpp"),
            ("src/geometry/a.hpp", "mesh/topology.hpp"),
            ("src/mesh/a.cpp", "narrow/elementary.hpp"),
            ("src/narrow/a.cpp", "bvh/refit.hpp"),
            ("src/bvh/a.cpp", "narrow/elementary.hpp"),
            ("src/hash/a.cpp", "cull/cone.hpp"),
            ("src/cull/a.cpp", "query/query.hpp"),
            ("src/query/a.cpp", "methods/make_method.hpp"),
            ("src/methods/bvh/a.cpp", "api/option_checks.hpp"),
            ("src/rigid/a.cpp", "bvh/refit.hpp"),
            ("src/api/a.cpp", "io/ply.hpp"),
            ("scenes/b.cpp", "narrow/elementary.hpp"),
        ]:
            for text in (f'#include "{include}"\n',) + ((f"#include <vector>\n# include <{include}>\n",) if path.startswith("src") else ()):
                found = violations(**{path: text})
                self.assertEqual(len(found), 1, (path, text, found))
                self.assertIn(path, found[0])
                self.assertIn("must not include " + include.split("/")[0], found[0])

    def test_finds_an_internal_include_of_the_program(self):
        found = violations(**{"apps/graze/commands/b.cpp": '#include "mesh/topology.hpp"\n'})
        self.assertEqual(len(found), 1, found)
        self.assertIn("apps must not include the library's mesh/topology.hpp", found[0])

    def test_finds_what_bindings_include_beside_public_headers(self):
        for line in ('#include "mesh/topology.hpp"', "#include <mesh/topology.hpp>", '#include "scenes/a.hpp"'):
            found = violations(**{"bindings/python/src/b.cpp": line + "\n", "scenes/a.hpp": ""})
            self.assertEqual(len(found), 1, (line, found))
            self.assertIn("bindings/python/src/b.cpp:1: bindings must not include", found[0])

    def test_finds_an_edge_that_no_file_uses(self):
        found = violations(**{"src/mesh/edges.hpp": "", "src/mesh/topology.hpp": ""})
        self.assertEqual(len(found), len(TABLE["mesh"][1]), found)
        self.assertIn("which no file includes", found[0])

    def test_finds_a_folder_with_too_many_files(self):
        found = violations(**{f"src/mesh/file_{i}.hpp": "" for i in range(MOST_FILES)})
        self.assertEqual(len(found), 1, found)
        self.assertIn("perhaps two rooms", found[0])

    def test_finds_a_namespace_that_is_opened_upwards(self):
        text = "namespace graze {\nnamespace mesh {\nusing namespace query;\n}\n}\n"
        found = violations(**{"src/core/namespaces.hpp": text})
        self.assertEqual(len(found), 1, found)
        self.assertIn("opens query to mesh", found[0])

    def test_finds_a_page_whose_table_is_old(self):
        found = violations(**{"docs/architecture.md": "# Architecture\n"})
        self.assertEqual(len(found), 1, found)
        self.assertIn("not up to date", found[0])

    def test_finds_an_include_without_its_folder_and_an_unknown_folder(self):
        self.assertIn("is not named by its path", violations(**{"src/mesh/a.cpp": '#include "topology.hpp"\n'})[0])
        self.assertIn("is not named by its path", violations(**{"src/mesh/a.cpp": '#include "../core/a.hpp"\n'})[0])
        self.assertIn("not in the dependency rule", violations(**{"src/misc/a.cpp": ""})[0])

    def test_finds_third_party_and_internal_includes_in_public_headers(self):
        for line in ("#include <fmt/format.h>", "#include <tbb/tbb.h>", "#include <unistd.h>", "#include <Eigen/Core>",
                     '#include "mesh/topology.hpp"', '#include "types.hpp"', "#include <graze/absent.hpp>"):
            found = violations(**{"include/graze/a.hpp": line + "\n"})
            self.assertEqual(len(found), 1, (line, found))
            self.assertIn("include/graze/a.hpp:1", found[0])

    def test_says_when_there_was_nothing_to_check(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("nothing was checked", check(Path(folder))[-1])


if __name__ == "__main__":
    unittest.main()
