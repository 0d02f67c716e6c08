# The everyday commands. CMake does the building; this only knows what to call, and on a bare Debian installs what
# is missing first (scripts/install_deps.sh; GRAZE_NO_INSTALL=1 leaves the system alone).

JOBS ?= $(shell nproc)
CMAKE_ARGS ?=
GRAZE = build/release/graze
LAUNCHER = $(shell command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
FUZZ_QUERIES ?= 10000000
FUZZ_SECONDS ?= 60
CXX_FILES = git ls-files '*.hpp' '*.cpp' '*.cu'

.DEFAULT_GOAL := help
.PHONY: help build demo test bench bench-peers fuzz format docs tidy clean install-deps install-dev-deps

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

bench: build ## measure the methods side by side, answers checked, and the elementary tests
	@$(GRAZE) bench
	@$(GRAZE) bench --micro

bench-peers: install-deps ## the same with other libraries beside graze, built at build/peers
	@test -n "$(GRAZE_NO_INSTALL)" || scripts/install_deps.sh peers
	@cmake --preset release -B build/peers $(LAUNCHER) -DGRAZE_PEERS=ON -DGRAZE_BUILD_TESTS=OFF $(CMAKE_ARGS) >/dev/null
	@cmake --build build/peers -j $(JOBS) --target graze_app graze_bench_rigid graze_bench_auto
	@build/peers/graze bench --method auto,r-tri,peer:embree,peer:embree-low --threads 1
	@build/peers/benchmarks/graze_bench_rigid --steps 100

fuzz: install-deps install-dev-deps ## fuzz the file readers, and the elementary tests against the oracle
	@cmake --preset fuzz $(LAUNCHER) >/dev/null
	@cmake --build --preset fuzz -j $(JOBS) --target reader_fuzzers
	@scripts/fuzz_readers.sh $(FUZZ_SECONDS)
	@cmake --preset release $(LAUNCHER) $(CMAKE_ARGS) >/dev/null
	@cmake --build --preset release -j $(JOBS) --target fuzz_elementary
	@"$$(find build/release -type f -name fuzz_elementary -perm -u+x | head -n 1)" --count $(FUZZ_QUERIES)

format: install-dev-deps ## format every source file
	@$(CXX_FILES) | xargs -r clang-format -i

tidy: build install-dev-deps ## static analysis
	@$(CXX_FILES) | grep '\.cpp$$' | grep -v '^fuzz/' | xargs -r -P $(JOBS) -n 1 clang-tidy --quiet -p build/release

docs: build ## run the commands that the documents show
	@scripts/check_docs.py --graze $(GRAZE)

clean: ## remove everything that was built
	@rm -rf build
