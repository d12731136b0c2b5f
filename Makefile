# The front door. Each target first sees to the Debian packages it needs (as root it installs them, otherwise it
# prints the line that does). The work itself is in CMakeLists.txt; `cmake --list-presets` shows the other builds.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD := build

library_packages := gcc libc6-dev make cmake pkg-config libopenblas-serial-dev libnlopt-dev \
                    librandom123-dev libcerf-dev libjansson-dev
test_packages := $(library_packages) libcmocka-dev g++

.PHONY: all demo test bench install clean help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

all: configure
	@cmake --build $(BUILD) -j $(JOBS) --target library examples
	@echo "Built $(BUILD)/liblocbo.so and $(BUILD)/liblocbo.a. Next: make demo, make test, make install."

.PHONY: configure
configure:
	@tools/ensure-packages $(library_packages)
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null

demo: configure
	@echo "Building the library and the demo."
	@cmake --build $(BUILD) -j $(JOBS) --target example_ackley >$(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; exit 1; }
	@$(BUILD)/examples/ackley

test:
	@tools/ensure-packages $(test_packages)
	@JOBS=$(JOBS) tools/run-tests release asan

bench: configure
	@cmake --preset release -DLOCBO_BUILD_BENCH=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target benchmarks
	@set -e; for source in $(sort $(wildcard bench/bench_*.c)); do \
	    name=$$(basename $$source .c); echo "== $$name"; $(BUILD)/bench/$$name; done
	@echo "$(words $(wildcard bench/bench_*.c)) benchmarks run."

install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi
	@echo "Installed below $(DESTDIR)$(PREFIX). Compile with: cc main.c \$$(pkg-config --cflags --libs locbo)"

clean:
	rm -rf build build-*

help:
	@echo "make           build the library into build/"
	@echo "make demo      maximise a noisy test function and watch the model's honesty"
	@echo "make test      all tests, optimised and again under the sanitizers"
	@echo "make bench     run the programs in bench/"
	@echo "make install   install below PREFIX=$(PREFIX) (DESTDIR is honoured)"
	@echo "make clean     remove build/ and build-*/"
	@echo "Variables: JOBS=$(JOBS) PREFIX DESTDIR. Other builds: cmake --list-presets"
