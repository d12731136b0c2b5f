# The front door. Each target first sees to the Debian packages it needs (as root it installs them, otherwise it
# prints the line that does). The work itself is in CMakeLists.txt; `cmake --list-presets` shows the other builds.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD := build

# Studies in PostgreSQL. `make POSTGRES=OFF` does without libpq; by default it is needed on Debian, and elsewhere used
# if it is there.
POSTGRES ?=
# The dashboard: locbo serve and locbo report. `make DASHBOARD=OFF` does without libmicrohttpd and npm; by default as above.
DASHBOARD ?=
# The package for Python. `make PYTHON=OFF test` does without its tests and the packages that they need.
PYTHON ?= ON

python_packages := python3 python3-dev python3-cffi python3-setuptools python3-wheel python3-pip pkg-config
python_test_packages := python3-pytest python3-numpy python3-pandas python3-matplotlib python3-sklearn python3-optuna \
                        python3-tqdm mypy jupyter-nbconvert python3-ipykernel
packages := gcc libc6-dev make cmake pkg-config libopenblas-serial-dev libnlopt-dev librandom123-dev libcerf-dev \
            libjansson-dev libsqlite3-dev libyaml-dev zlib1g-dev
test_packages := libcmocka-dev g++ python3 python3-cmaes bash procps gnuplot-nox clang-format black git \
                 clang libclang-rt-dev zsh fish
deb_packages := build-essential debhelper dh-python python3-cffi python3-dev python3-setuptools
ifneq ($(POSTGRES),OFF)
packages += libpq-dev
test_packages += postgresql postgresql-common
optional_packages := munge slurm-wlm # without them the test cli_slurm is skipped, and says so
endif
ifneq ($(DASHBOARD),OFF)
packages += libmicrohttpd-dev $(if $(shell command -v npm),,nodejs npm) # npm may come from elsewhere than Debian
test_packages += chromium python3-jsonschema
endif
ifeq ($(filter OFF,$(POSTGRES) $(DASHBOARD)),)
test_packages += $(deb_packages) lintian mmdebstrap
endif
ifneq ($(PYTHON),OFF)
test_packages += $(python_packages) $(python_test_packages)
endif
# asked by the shell, after the packages are there: make expands a whole recipe before its first line runs
postgres = $(or $(POSTGRES),$$(pkg-config --exists libpq && echo ON || echo OFF))
dashboard = $(or $(DASHBOARD),$$(pkg-config --exists libmicrohttpd && command -v npm >/dev/null && echo ON || echo OFF))
prefix := $(abspath $(PREFIX))
without = { pkg-config --exists libpq || echo "Or do without PostgreSQL, with one more word:  make POSTGRES=OFF" >&2; \
    command -v npm >/dev/null || echo "Or do without the dashboard, with one more word:  make DASHBOARD=OFF" >&2; exit 1; }

.PHONY: all demo test python soak bench install deb readme format clean help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

all: configure
	@cmake --build $(BUILD) -j $(JOBS) --target library program examples
	@case $(postgres) in ON) too=" and PostgreSQL" ;; *) too= ;; esac; \
	    echo "Built $(BUILD)/locbo, $(BUILD)/liblocbo.so, $(BUILD)/liblocbo.a and $(BUILD)/liblocbo-study.so" \
	    "(studies in SQLite$$too; dashboard $(dashboard))."
	@echo "Next: make demo, make test, make install; $(BUILD)/locbo --help."

.PHONY: configure
configure:
	@tools/ensure-packages $(packages) || $(without)
	@cmake --preset release -DLOCBO_POSTGRES=$(postgres) -DLOCBO_DASHBOARD=$(dashboard) -DCMAKE_INSTALL_PREFIX=$(prefix) >/dev/null

demo: configure
	@echo "Building the program and the examples (15 s or so, the first time)."
	@cmake --build $(BUILD) -j $(JOBS) --target program examples >$(BUILD)/demo.log 2>&1 || \
	    { cat $(BUILD)/demo.log; exit 1; }
	@tools/demo $(BUILD)

test:
	@tools/ensure-packages $(packages) $(test_packages) || $(without)
	@tools/ensure-packages --optional $(optional_packages)
	@[ $(dashboard) = OFF ] || tools/ensure-npm all
	@JOBS=$(JOBS) CONFIGURE="-DLOCBO_POSTGRES=$(postgres) -DLOCBO_DASHBOARD=$(dashboard) -DLOCBO_PYTHON=$(PYTHON)" tools/run-tests release asan clang

# The package for Python, ready in build/python, and its tests.
python: configure
	@tools/ensure-packages $(python_packages) $(python_test_packages) libcmocka-dev
	@cmake --preset release -DLOCBO_PYTHON=ON -DLOCBO_BUILD_TESTS=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target library program python_package >/dev/null
	@ctest --test-dir $(BUILD) -L python -j $(JOBS) --output-on-failure
	@echo "Ready in $(BUILD)/python. Use it there:  PYTHONPATH=$(BUILD)/python python3"
	@echo "Or install it:  pip install --no-build-isolation ./python"

# The tests that find more the longer they run, each part for SOAK seconds.
SOAK ?= 60
soak:
	@tools/ensure-packages $(packages) $(test_packages) || $(without)
	@[ $(dashboard) = OFF ] || tools/ensure-npm all
	@SOAK=$(SOAK) JOBS=$(JOBS) CONFIGURE="-DLOCBO_POSTGRES=$(postgres) -DLOCBO_DASHBOARD=$(dashboard)" tools/soak

bench: configure
	@cmake --preset release -DLOCBO_BUILD_BENCH=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target benchmarks
	@set -e; for source in $(sort $(wildcard bench/bench_*.c)); do \
	    name=$$(basename $$source .c); echo "== $$name"; bench/keep $$name $(BUILD)/bench/$$name; done
	@[ $(dashboard) = OFF ] || { tools/ensure-packages chromium curl && tools/ensure-npm all && \
	    echo "== dashboard" && bench/keep dashboard node bench/dashboard.mjs; }
	@[ $(PYTHON) = OFF ] || { tools/ensure-packages $(python_packages) && cmake --preset release -DLOCBO_PYTHON=ON >/dev/null && \
	    cmake --build $(BUILD) --target python_package >/dev/null && echo "== python" && bench/keep python /usr/bin/python3 bench/python.py $(BUILD); }
	@[ $(postgres) = OFF ] || { tools/ensure-packages postgresql postgresql-common python3 && echo "== crowd" && \
	    bench/keep crowd sh -c "DURABLE=1 sh tests/with-postgres python3 bench/crowd.py $(BUILD) | grep -v cluster" && \
	    echo "== many" && bench/keep many sh -c "DURABLE=1 sh tests/with-postgres python3 bench/many.py $(BUILD) | grep -v cluster"; }
	@echo "All benchmarks run; what they printed is in bench/results. Now the pages:"
	@sh tests/package/figures.sh --update

# The closing lines say what a user types next; a prefix that is not searched by default needs more words.
install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(prefix)
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi
	@echo "Installed below $(DESTDIR)$(prefix). Run:  $(if $(filter /usr /usr/local,$(prefix)),,$(prefix)/bin/)locbo --help"
	@echo "Compile with:  cc main.c \$$(pkg-config --cflags --libs locbo) -lm"
	@echo "(-lm only if main.c calls functions of math.h itself.)"
	@case $(prefix) in /usr | /usr/local) ;; *) \
	    libdir=$(prefix)/$$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' $(BUILD)/CMakeCache.txt); \
	    echo "This prefix is not searched by default, so that needs"; \
	    echo "    export PKG_CONFIG_PATH=$$libdir/pkgconfig"; \
	    echo "and running a program needs either"; \
	    echo "    export LD_LIBRARY_PATH=$$libdir"; \
	    echo "or one more word when compiling it:  -Wl,-rpath,$$libdir" ;; esac

# Packages with everything: PostgreSQL, dashboard, Python.
deb:
	@tools/ensure-packages $(packages) $(deb_packages) libpq-dev libmicrohttpd-dev
	@JOBS=$(JOBS) tools/make-deb build-deb
	@echo "Built:"; ls build-deb/*.deb
	@echo "Install, as root, those that you want:  apt-get install ./build-deb/locbo_*.deb ./build-deb/liblocbo*.deb"

# The complete program of docs/guide.md, and below it what it prints here.
readme: all
	@sh tests/package/readme.sh --update

# Code and comments as .clang-format and .editorconfig have them; the test package_format checks it.
format:
	@tools/ensure-packages clang-format black git
	@tools/format

clean:
	rm -rf build build-*

help:
	@echo "make           build the libraries and the program into build/"
	@echo "make demo      optimise a simulated pump with build/locbo; says what to try next"
	@echo "make test      all tests, optimised and again under the sanitizers; some of them built by clang too"
	@echo "make python    build and test the package for Python: build/python"
	@echo "make soak      fuzz targets and other tests that may run for hours: SOAK=SECONDS for each part, $(SOAK) unless given"
	@echo "make bench     run the programs in bench/, and take their figures into the pages"
	@echo "make install   install below PREFIX=$(PREFIX) (DESTDIR is honoured)"
	@echo "make deb       build Debian packages of the program, the libraries, Python and the pages into build-deb/"
	@echo "make readme    run the complete program of docs/guide.md and write down there what it prints"
	@echo "make format    lay out code and comments as .clang-format has them"
	@echo "make clean     remove build/ and build-*/"
	@echo "Variables: JOBS=$(JOBS) PREFIX DESTDIR POSTGRES=OFF (without libpq) DASHBOARD=OFF (without npm) PYTHON=OFF (without its tests). Other builds: cmake --list-presets"
