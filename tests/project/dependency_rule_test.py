#!/usr/bin/env python3
"""The dependency rule finds planted violations and accepts allowed includes."""

import tempfile
import unittest
from pathlib import Path

from dependency_rule import check

KEPT = {
    "include/graze/types.hpp": "#include <cstdint>\n",
    "include/graze/scene.hpp": "#include <graze/types.hpp>\n#include <vector>\n",
    "include/graze/eigen.hpp": "#include <Eigen/Core>\n",
    "src/core/tasks.cpp": '#include "core/tasks.hpp"\n#include <oneapi/tbb/task_arena.h>\n',
    "src/mesh/topology.hpp": '#include "geometry/vec.hpp"\n#include "mesh/features.hpp"\n',
    "src/narrow/kernels/filter_scalar.hpp": '#include "narrow/kernels/pair_filter.hpp"\n',
    "src/pipeline/brute.cpp": '  #  include "narrow/elementary.hpp"\n#include "bvh/refit.hpp"\n',
    "src/io/capture.cpp": '#include "query/query.hpp"\n',
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
            ("src/simd/a.cpp", "bvh/refit.hpp"),
            ("src/pipeline/a.cpp", "io/ply.hpp"),
        ]:
            for text in (f'#include "{include}"\n', f"#include <vector>\n# include <{include}>\n"):
                found = violations(**{path: text})
                self.assertEqual(len(found), 1, (path, text, found))
                self.assertIn(path, found[0])
                self.assertIn("must not include " + include.split("/")[0], found[0])

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
            self.assertEqual(len(check(Path(folder))), 1)


if __name__ == "__main__":
    unittest.main()
