# Makefile - the commands of this project, each a short way to CMake, CTest and tools/
# SPDX-License-Identifier: Apache-2.0

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)

# Ninja where it is installed; CMake reads this only when a folder is configured first.
ninja = $(shell command -v ninja >/dev/null 2>&1 && echo Ninja || echo Unix Makefiles)
cmake = CMAKE_GENERATOR="$(ninja)" cmake
# A user who has no cmocka can still build and run the tool.
tests = $(shell pkg-config --exists cmocka 2>/dev/null && echo ON || echo OFF)

say = @printf '\n==> %s\n'

.DEFAULT_GOAL := help
# Each target that help lists.
targets = $(shell sed -n 's/^\([a-z0-9-]*\): .*\#\# .*/\1/p' $(firstword $(MAKEFILE_LIST)))
.PHONY: $(targets)

help:               ## this list
	@echo "Broadloom: ONNX's element-wise operators and their broadcasting.  Targets:"
	@sed -n 's/^\([a-z0-9-]*\): .*## \(.*\)/  \1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

build:              ## build the libraries and the tool, build/broadloom
	@tools/setup.sh build
	$(say) "configuring and building in build/ ($(JOBS) jobs)"
	@$(cmake) --preset release -DBL_BUILD_TESTS=$(tests) >/dev/null
	@cmake --build build --parallel $(JOBS)
	@echo "built: build/broadloom ($$(build/broadloom --version))"

demo: build         ## build, check the fixtures, run operators, a model and a picture
	@tools/demo.sh build/broadloom

test:               ## build and run every test
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	$(say) "running the tests"
	@ctest --preset release --parallel $(JOBS)
	@test -d ../shared || echo "note: ../shared is not there, so its suites were skipped"
	@echo "make test: every test that ran passed"

install: build      ## install into PREFIX (default /usr/local)
	$(say) "installing into $(PREFIX)"
	@cmake --install build --prefix "$(PREFIX)" >/dev/null
	@echo "installed: broadloom in $(PREFIX)"

check:              ## everything that the continuous integration runs
	@.ci/run

check-style:        ## files, formatting, commit subjects
	@tools/setup.sh check
	$(say) "checking style"
	@tools/check_style.sh

check-layers:       ## no room includes one that it may not
	$(say) "checking who includes whom"
	@tools/check_layers.py

check-headers:      ## each header compiles alone
	$(say) "compiling each header alone"
	@tools/check_headers.sh

check-symbols: build ## what the libraries export, and which instructions they use
	$(say) "reading the libraries' symbols and instructions"
	@tools/check_symbols.sh build

tidy:               ## clang-tidy over all C files
	@tools/setup.sh check
	$(say) "running clang-tidy"
	@$(cmake) --preset clang >/dev/null
	@tools/tidy.sh build-clang $(JOBS)

cppcheck:           ## cppcheck over all C files
	@tools/setup.sh check
	$(say) "running cppcheck"
	@tools/cppcheck.sh $(JOBS)

check-gcc:          ## build with gcc, warnings are errors
	$(call build_without_warnings,gcc)

check-clang:        ## build with clang, warnings are errors
	$(call build_without_warnings,clang)

# Programs that are built when they are asked for.
by_hand = bench_native gpu_bench model_bench kernel_bench math_exhaustive

define build_without_warnings
@tools/setup.sh check
$(say) "building with $(1), warnings are errors"
@$(cmake) --preset $(1) >/dev/null
@cmake --build --preset $(1) --parallel $(JOBS)
@cmake --build --preset $(1) --parallel $(JOBS) --target $(by_hand)
@echo "check-$(1): no warning"
endef

sanitize:           ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/setup.sh test
	$(say) "building with the address and undefined-behaviour sanitizers"
	@$(cmake) --preset asan-ubsan >/dev/null
	@cmake --build --preset asan-ubsan --parallel $(JOBS)
	$(say) "running the tests under the sanitizers"
	@ctest --preset asan-ubsan --parallel $(JOBS)
	@echo "sanitize: every test passed, nothing was reported"

# What has threads in it; the rest of the tests would take an hour there, and see no more.
TSAN_TESTS = cancel context fork fpenv limits session threads

tsan:               ## the tests of threads, cancelling and fork under ThreadSanitizer
	@tools/setup.sh test
	$(say) "building with the thread sanitizer"
	@$(cmake) --preset tsan >/dev/null
	@cmake --build --preset tsan --parallel $(JOBS) --target $(TSAN_TESTS:%=%_test)
	$(say) "running the tests under the thread sanitizer"
	@ctest --preset tsan --tests-regex '^unit/($(subst $(eval) ,|,$(TSAN_TESTS)))_test$$'
	@echo "tsan: every test passed, no race was reported"

# How long in all, which one (TARGET=onnx; nothing: all), and with which sanitizers (fuzz-msan: uninitialised memory).
SECONDS ?= 60
TARGET ?=
FUZZ_PRESET ?= fuzz

fuzz:               ## search for faults with libFuzzer: SECONDS=60 in all, TARGET=name for one
	@tools/setup.sh check
	$(say) "building the fuzz targets (preset $(FUZZ_PRESET))"
	@$(cmake) --preset $(FUZZ_PRESET) >/dev/null
	@cmake --build --preset $(FUZZ_PRESET) --parallel $(JOBS)
	$(say) "fuzzing for $(SECONDS) s"
	@fuzz/run.py build-$(FUZZ_PRESET) --seconds $(SECONDS) --jobs $(JOBS) $(TARGET:%=--target %)

check-isa:          ## the tests on each tier of kernels below the best, which make test takes
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@tier() { build/broadloom info | awk '$$1 == "kernels" { print $$2 }'; }; \
	best=$$(tier); [ -n "$$best" ] || exit 1; \
	for isa in baseline avx2 avx512; do \
		[ "$$(BL_ISA=$$isa tier)" != "$$best" ] || break; \
		printf '\n==> %s\n' "running the tests with BL_ISA=$$isa"; \
		ctest --preset $$isa --parallel $(JOBS) || exit 1; \
	done; \
	echo "check-isa: every test passed on every tier below this processor's best, $$best"

check-avx512:       ## AVX-512's kernels, emulated: for a processor that has AVX2 only
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	$(say) "trying the kernels for AVX-512, emulated"
	@ctest --preset release --parallel $(JOBS) --label-regex emulated

# ---- A GPU ----

check-gpu:          ## the GPU backend on lavapipe and SwiftShader, validated: half an hour
	@tools/setup.sh gpu
	@$(MAKE) --no-print-directory build
	$(say) "running on the machine's Vulkan drivers"
	@tools/check_gpu.sh build

check-gpu-quick:    ## the same, but a few operators on SwiftShader: three minutes
	@tools/setup.sh gpu
	@$(MAKE) --no-print-directory build
	$(say) "running on the machine's Vulkan drivers"
	@tools/check_gpu.sh --quick build

bench-gpu:          ## time a GPU's steps beside its copies: GPU_ARGS="--bytes 1073741824"
	@$(MAKE) --no-print-directory build
	@cmake --build build --parallel $(JOBS) --target gpu_bench >/dev/null
	@build/bench/gpu_bench --json build/bench-gpu.json --markdown build/bench-gpu.md $(GPU_ARGS)

check-alloc:        ## fail each allocation of the library and the tool once: minutes
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	$(say) "failing each allocation of the library"
	@build/tests/library_sweep
	$(say) "the same under the address and undefined-behaviour sanitizers"
	@$(cmake) --preset asan-ubsan >/dev/null
	@cmake --build --preset asan-ubsan --parallel $(JOBS) --target library_sweep
	@build-asan-ubsan/tests/library_sweep
	$(say) "failing each allocation of the tool's commands, of long ones 400"
	@tests/alloc/tool_sweep.py build/broadloom build/tests/libfailing_calls.so
	@echo "check-alloc: each allocation may fail"

# ---- Lists that are kept, and compared with what there is ----

# The tests on the tier that the processor chooses, and on the baseline; AVX-512's are emulated.
define measure_coverage
@tools/setup.sh check
@tools/setup.sh gpu
$(say) "building with counters, and running the tests"
@$(cmake) --preset coverage >/dev/null
@cmake --build --preset coverage --parallel $(JOBS)
@find build-coverage -name '*.gcda' -delete
@ctest --preset coverage --parallel $(JOBS)
@ctest --preset coverage-baseline --parallel $(JOBS)
@tools/check_gpu.sh --sample build-coverage
$(say) "counting lines and branches"
@tools/coverage.sh build-coverage $(1)
endef

coverage:           ## lines and branches that the tests run, room by room, against their floors
	$(call measure_coverage)

coverage-raise:     ## the same, and the floors rise to what there is
	$(call measure_coverage,--raise)

check-abi: build    ## what programs rely on: exports, types and layouts, against include/abi.txt
	@tools/setup.sh check
	$(say) "comparing the library and its header with include/abi.txt"
	@tools/abi.py build/libbroadloom.so

abi: build          ## make include/abi.txt again
	@tools/setup.sh check
	@tools/abi.py --write build/libbroadloom.so

# LINKS=--online also asks other hosts for their pages.
LINKS ?=

check-links:        ## every link in the documents leads somewhere
	$(say) "following the links in the documents"
	@tools/check_links.py $(LINKS)

check-workflows:    ## the workflow files call targets that there are, and fit GitHub's schema
	@tools/setup.sh check
	@tools/fetch_npm.sh build/npm
	$(say) "reading .github/workflows"
	@tools/check_workflows.py --schema build/npm

sbom: build         ## the bill of materials of build/, held against CycloneDX's schema
	@tools/setup.sh check
	@tools/fetch_npm.sh build/npm
	$(say) "listing what was built, and with what"
	@tools/sbom.py --schema build/npm build

dist:               ## source and binary archives with checksums, in build/dist
	@tools/setup.sh build
	$(say) "building and packing an export of the sources"
	@tools/dist.sh build/dist-work build/dist $(JOBS)
	@echo "made: build/dist"

check-reproducible: ## two builds at two places give the same bytes: libraries, tool, archives
	@tools/setup.sh check
	$(say) "building twice"
	@tools/check_reproducible.sh build/reproducible $(JOBS)

# ---- Other machines, other compilers ----

# Built for another machine and run in an emulator: unit tests, kernels, fixtures, and ../shared's suites.
define check_machine
@tools/setup.sh machines
@tools/cross_deps.sh $(1)
$(say) "building for $(1)"
@$(cmake) --preset $(1) >/dev/null
@cmake --build --preset $(1) --parallel $(JOBS)
$(say) "running the tests on $(1), emulated"
@ctest --preset $(1) --parallel $(JOBS)
@echo "check-$(1): every test passed"
endef

check-aarch64:      ## the tests on 64-bit ARM (NEON), emulated
	$(call check_machine,aarch64)

check-s390x:        ## the tests on s390x (big-endian), emulated
	$(call check_machine,s390x)

check-i686:         ## the tests on 32-bit x86, emulated
	$(call check_machine,i686)

check-machines: check-aarch64 check-s390x check-i686 check-wasm ## the tests on every other machine
	@echo "check-machines: every test passed on aarch64, s390x, i686 and wasm32"

# What is most likely to differ: bits, byte order, sizes.
quick_machines = aarch64 s390x
quick_units = apply_test cpu_test npy_test pb_test shape_test tensor_test value_test
empty =
quick_names = ^(fixtures/conform|machines/|unit/($(subst $(empty) ,|,$(quick_units)))$$)

check-machines-quick: ## bits, fixtures and readers on aarch64 and s390x, emulated
	@tools/setup.sh machines
	@tools/cross_deps.sh $(quick_machines)
	@for machine in $(quick_machines); do \
		printf '\n==> %s\n' "building for $$machine"; \
		$(cmake) --preset $$machine >/dev/null && \
		cmake --build --preset $$machine --parallel $(JOBS) \
			--target broadloom_tool exact_bits $(quick_units) && \
		ctest --preset $$machine --parallel $(JOBS) -R '$(quick_names)' || exit 1; \
	done
	@echo "check-machines-quick: every test passed on $(quick_machines)"

wasm:               ## build the library for WebAssembly, build-wasm32/libbroadloom.a
	@tools/setup.sh machines
	@tools/cross_deps.sh wasm32
	$(say) "building for wasm32"
	@$(cmake) --preset wasm32 >/dev/null
	@cmake --build --preset wasm32 --parallel $(JOBS) --target broadloom_static wasi_conform exact_bits
	@echo "built: build-wasm32/libbroadloom.a"

check-wasm: wasm    ## the fixtures and exact bits in WebAssembly, under Node
	$(say) "running the fixtures under Node"
	@ctest --preset wasm32 --parallel $(JOBS)
	@tools/run_wasi.mjs --imports build-wasm32/tests/machines/wasi_conform.wasm
	@echo "check-wasm: every test passed; above is all that it needs from outside"

check-builds:       ## gcc and clang, -O0 to -O3, LTO, unity: the kernels and exact bits of each
	@tools/setup.sh check
	@tools/check_builds.sh

# What takes too long for .ci/run: nightly, and before a release.
slow_checks = tsan check-alloc check-gpu check-machines check-builds coverage check-reproducible

check-all:          ## everything: what the continuous integration runs, and what takes longer
	@.ci/run
	@for target in $(slow_checks); do $(MAKE) --no-print-directory $$target || exit 1; done
	@echo "check-all: the continuous integration, $(slow_checks): all passed"

fixtures:           ## make the fixtures again (tools/make_fixtures.py)
	$(say) "making fixtures/"
	@tools/make_fixtures.py
	@echo "made: $$(ls fixtures | wc -l) files in fixtures/"

docs: build         ## make docs/operators.md again
	$(say) "making docs/operators.md"
	@build/broadloom ops --format markdown >docs/operators.md
	@echo "made: docs/operators.md, $$(wc -l <docs/operators.md) lines"

# More arguments for bench.py, such as BENCH_ARGS="--filter Add --threads 1"; $$ stands for $.
BENCH_ARGS ?=
bench_files = --json build/$(1).json --markdown build/$(1).md --svg build/$(1).svg
# Debian's packages of the peers are for its own Python, whichever comes first in PATH.
PEER_PYTHON ?= /usr/bin/python3

bench:              ## time the operators against the machine's ceiling: two minutes
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@cmake --build build --parallel $(JOBS) --target bench_native >/dev/null
	$(say) "timing the short list of bench/cases.py"
	@python3 bench/bench.py $(call bench_files,bench) $(BENCH_ARGS)

bench-peers:        ## the same, every case, beside ONNX Runtime, NumPy and numexpr: half an hour
	@tools/setup.sh test
	@bench/setup_peers.sh build/peers $(PEER_PYTHON)
	@$(MAKE) --no-print-directory build
	@cmake --build build --parallel $(JOBS) --target bench_native >/dev/null
	$(say) "timing every case of bench/cases.py"
	@$(PEER_PYTHON) bench/bench.py --group all --seconds 1.5 --peers ort,numpy,numexpr \
		$(call bench_files,bench-peers) $(BENCH_ARGS)

bench-compare:      ## what got slower from one JSON file to another: A=before.json B=after.json
	@test -n "$(A)" -a -n "$(B)" || \
		{ echo "usage: make bench-compare A=before.json B=after.json" >&2; exit 2; }
	@python3 bench/compare.py $(A) $(B)

bench-models:       ## time opening, planning and running a large and a long model
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@cmake --build build --parallel $(JOBS) --target model_bench >/dev/null
	$(say) "making a model of 500 MB and a chain of 5,000 nodes"
	@build/tests/model_bench

bench-kernels:      ## time every row kernel beside a plain vector loop
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@cmake --build build --parallel $(JOBS) --target kernel_bench >/dev/null
	$(say) "timing the row kernels, two minutes"
	@build/tests/kernel_bench

check-math:         ## the transcendental functions over all of float32: an hour or more
	@tools/setup.sh test
	@$(MAKE) --no-print-directory build
	@cmake --build build --parallel $(JOBS) --target math_exhaustive >/dev/null
	$(say) "comparing every float32 result with a higher precision"
	@build/tests/math_exhaustive

clean:              ## remove what was built
	@rm -rf build build-*/
	@echo "removed: build/ and build-*/"
