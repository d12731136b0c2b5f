# The front door. Each target first sees to the Debian packages it needs (as root it installs them, otherwise it
# prints the line that does). The work itself is in CMakeLists.txt; `cmake --list-presets` shows the other builds.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD := build

library_packages := gcc libc6-dev make cmake pkg-config libopenblas-serial-dev libnlopt-dev \
                    librandom123-dev libcerf-dev libjansson-dev
test_packages := $(library_packages) libcmocka-dev g++
prefix := $(abspath $(PREFIX))

.PHONY: all demo test bench install readme clean help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

all: configure
	@cmake --build $(BUILD) -j $(JOBS) --target library examples
	@echo "Built $(BUILD)/liblocbo.so and $(BUILD)/liblocbo.a. Next: make demo, make test, make install."

.PHONY: configure
configure:
	@tools/ensure-packages $(library_packages)
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(prefix) >/dev/null

demo: configure
	@echo "Building the library and the examples."
	@cmake --build $(BUILD) -j $(JOBS) --target examples >$(BUILD)/demo.log 2>&1 || { cat $(BUILD)/demo.log; exit 1; }
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

# The closing lines say what a user types next; a prefix that is not searched by default needs more words.
install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(prefix)
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi
	@echo "Installed below $(DESTDIR)$(prefix)."
	@echo "Compile with:  cc main.c \$$(pkg-config --cflags --libs locbo) -lm"
	@echo "(-lm only if main.c calls functions of math.h itself.)"
	@case $(prefix) in /usr | /usr/local) ;; *) \
	    libdir=$(prefix)/$$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' $(BUILD)/CMakeCache.txt); \
	    echo "This prefix is not searched by default, so that needs"; \
	    echo "    export PKG_CONFIG_PATH=$$libdir/pkgconfig"; \
	    echo "and running a program needs either"; \
	    echo "    export LD_LIBRARY_PATH=$$libdir"; \
	    echo "or one more word when compiling it:  -Wl,-rpath,$$libdir" ;; esac

# The example of README.md, and below it what it prints here.
readme: all
	@sh tests/package/readme.sh --update

clean:
	rm -rf build build-*

help:
	@echo "make           build the library into build/"
	@echo "make demo      maximise a noisy test function and watch the model's honesty"
	@echo "make test      all tests, optimised and again under the sanitizers"
	@echo "make bench     run the programs in bench/"
	@echo "make install   install below PREFIX=$(PREFIX) (DESTDIR is honoured)"
	@echo "make readme    run the program of README.md and write down there what it prints"
	@echo "make clean     remove build/ and build-*/"
	@echo "Variables: JOBS=$(JOBS) PREFIX DESTDIR. Other builds: cmake --list-presets"
