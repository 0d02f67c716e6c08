# The everyday commands. CMake does the building; this only knows what to call, and on a bare Debian installs what
# is missing first (scripts/install_deps.sh; GRAZE_NO_INSTALL=1 leaves the system alone).

JOBS ?= $(shell nproc)
CMAKE_ARGS ?=
GRAZE = build/release/graze
LAUNCHER = $(shell command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
FUZZ_QUERIES ?= 10000000
CXX_FILES = git ls-files '*.hpp' '*.cpp' '*.cu'

.DEFAULT_GOAL := help
.PHONY: help build demo test bench fuzz format docs tidy clean install-deps install-dev-deps

help: ## say what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

install-deps: ## install the Debian packages that are missing
	@test -n "$(GRAZE_NO_INSTALL)" || scripts/install_deps.sh

install-dev-deps:
	@test -n "$(GRAZE_NO_INSTALL)" || scripts/install_deps.sh dev

build: install-deps ## build everything at build/release
	@cmake --preset release $(LAUNCHER) $(CMAKE_ARGS) >/dev/null
	@cmake --build --preset release -j $(JOBS)

demo: install-deps ## make a scene, find its contacts, write report.html
	@cmake --preset release $(LAUNCHER) $(CMAKE_ARGS) >/dev/null
	@cmake --build --preset release -j $(JOBS) --target graze_app
	@$(GRAZE) demo

test: install-deps ## run all tests, and the fast ones under the sanitizers
	@scripts/test_all.sh

bench: build ## measure the elementary tests
	@$(GRAZE) bench --micro

fuzz: install-dev-deps ## fuzz the file readers, and the elementary tests against the oracle
	@scripts/fuzz_readers.sh
	@cmake --preset release $(LAUNCHER) $(CMAKE_ARGS) -B build/fuzz-release -DGRAZE_BUILD_FUZZERS=ON \
	  -DGRAZE_BUILD_BENCHMARKS=OFF >/dev/null
	@cmake --build build/fuzz-release -j $(JOBS) --target fuzz_elementary
	@"$$(find build/fuzz-release -type f -name fuzz_elementary -perm -u+x | head -n 1)" $(FUZZ_QUERIES)

format: install-dev-deps ## format every source file
	@$(CXX_FILES) | xargs -r clang-format -i

tidy: build install-dev-deps ## static analysis
	@$(CXX_FILES) | grep '\.cpp$$' | grep -v '^fuzz/' | xargs -r -P $(JOBS) -n 1 clang-tidy --quiet -p build/release

docs: build ## run the commands that the documents show
	@scripts/check_docs.py --graze $(GRAZE)

clean: ## remove everything that was built
	@rm -rf build
