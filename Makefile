# The everyday commands. CMake does the building; this only knows what to call, and on a bare Debian installs what
# is missing first (scripts/install_deps.sh; GRAZE_NO_INSTALL=1 leaves the system alone).

JOBS ?= $(shell nproc)
CMAKE_ARGS ?=
GRAZE = build/release/graze
LAUNCHER = $(shell command -v ccache >/dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
FUZZ_QUERIES ?= 10000000
FUZZ_SECONDS ?= 60
TIDY_BASE ?=
CXX_FILES = git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh'
VERSION = $(shell sed -n 's/^  VERSION \([0-9.]*\)$$/\1/p' CMakeLists.txt)
INSTALL = test -n "$(GRAZE_NO_INSTALL)" || scripts/install_deps.sh

# What ccache may overlook so that precompiled headers do not keep it from its work, and that checkouts in different
# folders share what is compiled.
CCACHE_SLOPPINESS ?= pch_defines,time_macros,include_file_mtime,include_file_ctime
CCACHE_BASEDIR ?= $(CURDIR)
CCACHE_NOHASHDIR ?= 1
export CCACHE_SLOPPINESS CCACHE_BASEDIR CCACHE_NOHASHDIR JOBS CMAKE_ARGS

.DEFAULT_GOAL := help
.PHONY: help build demo test test-sanitizers check check-format check-dependencies check-docs python bench bench-peers fuzz \
  format tidy docs clean install-deps install-dev-deps

help: ## say what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

install-deps: ## install the Debian packages that are missing
	@$(INSTALL)

install-dev-deps:
	@$(INSTALL) dev

build: install-deps ## build everything at build/release
	@cmake --preset release $(LAUNCHER) $(CMAKE_ARGS) >/dev/null
	@cmake --build --preset release -j $(JOBS)

# The program alone, without what only tests and benchmarks need; a build folder that has them keeps them.
demo: ## build the program, make a scene, find its contacts, write report.html
	@$(INSTALL) demo
	@cmake $(if $(wildcard build/release/build.ninja),build/release,--preset program) $(LAUNCHER) $(CMAKE_ARGS) >/dev/null
	@cmake --build --preset release -j $(JOBS) --target graze_app
	@$(GRAZE) demo

test: install-deps ## run all tests of the release build
	@scripts/run_tests.sh release

test-sanitizers: install-dev-deps ## run the fast tests under the sanitizers, by clang and by gcc
	@scripts/run_tests.sh asan tsan

check: check-format check-dependencies check-docs ## format, static analysis of what changed (TIDY_BASE=revision), documents
	@cmake --preset tidy >/dev/null
	@scripts/tidy.py --jobs $(JOBS) --changed --base "$(TIDY_BASE)"

check-format: install-dev-deps
	@$(CXX_FILES) | xargs -r clang-format --dry-run -Werror

check-dependencies:
	@python3 -B tests/project/dependency_rule.py .

check-docs: build ## run the commands that the documents show
	@scripts/check_docs.py --graze $(GRAZE)

python: ## build the Python package and test it: wheel and source distribution at build/python/dist
	@$(INSTALL) python
	@cmake $(if $(wildcard build/release/build.ninja),build/release,--preset program) $(LAUNCHER) -DGRAZE_PYTHON=ON \
	  $(CMAKE_ARGS) >/dev/null
	@cmake --build --preset release -j $(JOBS) --target graze_python graze_app
	@scripts/python_package.sh

bench: build ## measure the methods side by side, answers checked, and the elementary tests
	@$(GRAZE) bench
	@$(GRAZE) bench --micro

bench-peers: ## the same with other libraries beside graze, built at build/peers
	@$(INSTALL) peers
	@cmake --preset release -B build/peers $(LAUNCHER) -DGRAZE_PEERS=ON -DGRAZE_BUILD_TESTS=OFF $(CMAKE_ARGS) >/dev/null
	@cmake --build build/peers -j $(JOBS) --target graze_app graze_bench_rigid graze_bench_auto
	@build/peers/graze bench --method auto,r-tri,peer:embree,peer:embree-low --threads 1
	@build/peers/benchmarks/graze_bench_rigid --steps 100

fuzz: install-dev-deps ## fuzz the file readers, and the elementary tests against the oracle
	@cmake --preset fuzz $(LAUNCHER) >/dev/null
	@cmake --build --preset fuzz -j $(JOBS) --target reader_fuzzers
	@scripts/fuzz_readers.sh $(FUZZ_SECONDS)
	@cmake --preset release $(LAUNCHER) $(CMAKE_ARGS) >/dev/null
	@cmake --build --preset release -j $(JOBS) --target fuzz_elementary
	@"$$(find build/release -type f -name fuzz_elementary -perm -u+x | head -n 1)" --count $(FUZZ_QUERIES)

format: install-dev-deps ## format every source file
	@$(CXX_FILES) | xargs -r clang-format -i

tidy: install-dev-deps ## static analysis of every source
	@cmake --preset tidy >/dev/null
	@scripts/tidy.py --jobs $(JOBS)

docs: install-dev-deps ## build the reference of the public headers at build/docs/html
	@mkdir -p build/docs
	@GRAZE_VERSION=$(VERSION) doxygen docs/Doxyfile

clean: ## remove everything that was built
	@rm -rf build
