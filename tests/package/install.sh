# The installed package serves a stranger: through pkg-config with the shared library, through pkg-config --static
# where only the archive is there, and through CMake's find_package with either; the guide's program builds with the
# guide's line; and the library keeps to the OpenBLAS it was built with. The installed program runs from a prefix of its
# own, with nothing said about libraries, and the study library serves a stranger in the same ways.
set -eu
. "$(dirname "$0")/common.sh"

prefix=$work/prefix
consumer=$SOURCE/tests/package/consumer
cmake --install "$BUILD" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log"; stop "cmake --install failed"; }

# version PART: MAJOR, MINOR or PATCH of the header
version() {
    sed -n "s/^#define LOCBO_VERSION_$1 //p" "$SOURCE/include/locbo/locbo.h"
}
soname=liblocbo.so.$(version MAJOR)
[ "$(version MAJOR)" -gt 0 ] || soname=$soname.$(version MINOR) # before 1.0 a minor version may change the ABI

libdir=$(dirname "$(find "$prefix" -name 'liblocbo.so')")
[ -f "$prefix/include/locbo/locbo.h" ] || stop "the header was not installed"
for file in liblocbo.so "$soname" liblocbo.a pkgconfig/locbo.pc cmake/locbo/locboConfig.cmake; do
    [ -e "$libdir/$file" ] || stop "$file was not installed"
done
# shared FILE...: they lie below share/
shared() {
    for file in "$@"; do [ -e "$prefix/share/$file" ] || stop "share/$file was not installed"; done
}
shared doc/locbo/README.md doc/locbo/docs/guide.md man/man3/liblocbo.3
for example in "$SOURCE"/examples/*; do
    case $example in */CMakeLists.txt | */__pycache__) ;; *) shared "doc/locbo/examples/$(basename "$example")" ;; esac
done
readelf -d "$libdir/liblocbo.so" | grep -q "SONAME.*\[$soname\]" || stop "the soname is not $soname"

# resolves FILE NAME DIRECTORY: the dynamic linker finds FILE's library NAME in that directory
resolves() {
    found=$(ldd "$1" | awk -v name="$2" 'index($1, name) == 1 {print $3}')
    [ "$(cd "$(dirname "$found")" && pwd -P)" = "$(cd "$3" && pwd -P)" ] || stop "$1 would load $2 from $found, not from $3"
}
blas=$(pkg-config --variable=libdir openblas | sed 's,/*$,,')
case $blas in */openblas-*) resolves "$libdir/liblocbo.so" libopenblas "$blas" ;; esac

# flags PREFIX LIBDIR OPTION [PACKAGE]: locbo.pc names the prefix the tree was configured for; here it lies elsewhere
flags() {
    PKG_CONFIG_PATH=$2/pkgconfig pkg-config --define-variable=prefix="$1" --cflags --libs $3 "${4:-locbo}"
}

# shellcheck disable=SC2046
"$CC" -std=c11 -Wall -Wextra -Werror -o "$work/shared" "$consumer/main.c" $(flags "$prefix" "$libdir" "")
LD_LIBRARY_PATH=$libdir "$work/shared" >"$work/said"
echo "pkg-config: $(cat "$work/said")"

block "$SOURCE/docs/guide.md" c >"$work/guide.c"
# shellcheck disable=SC2046
"$CC" -o "$work/guide" "$work/guide.c" $(flags "$prefix" "$libdir" "") -lm -Wl,-rpath,"$libdir"
echo "docs/guide.md: $("$work/guide")"

# the same tree without the shared library
mkdir "$work/archive"
cp -r "$prefix/." "$work/archive/"
archive_libdir=$work/archive${libdir#"$prefix"}
rm -f "$archive_libdir"/liblocbo.so*
# shellcheck disable=SC2046
"$CC" -std=c11 -Wall -Wextra -Werror -o "$work/static" "$consumer/main.c" \
    $(flags "$work/archive" "$archive_libdir" --static)
echo "pkg-config --static: $("$work/static")"

build_with_cmake() {
    cmake -S "$consumer" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" &&
        cmake --build "$work/cmake"
}
build_with_cmake >"$work/log" 2>&1 || { cat "$work/log"; stop "the CMake consumer does not build"; }
echo "find_package, locbo::locbo: $("$work/cmake/consumer")"
echo "find_package, locbo::locbo_static: $("$work/cmake/consumer_static")"

for program in "$work/static" "$work/cmake/consumer_static"; do
    if readelf -d "$program" | grep -q 'NEEDED.*liblocbo'; then stop "$program needs liblocbo.so"; fi
    case $blas in */openblas-*) resolves "$program" libopenblas "$blas" ;; esac
done

with_program || exit 0

# ---- the study library and the program ---------------------------------------------------------------

for file in "liblocbo-study.so.${soname#liblocbo.so.}" liblocbo-study.so pkgconfig/locbo-study.pc; do
    [ -e "$libdir/$file" ] || stop "$file was not installed"
done
[ -f "$prefix/include/locbo/study.h" ] || stop "study.h was not installed"
shared bash-completion/completions/locbo zsh/site-functions/_locbo fish/vendor_completions.d/locbo.fish
for page in "$SOURCE"/docs/man/*.[1-9]; do shared "man/man${page##*.}/$(basename "$page")"; done

cd "$work"
# shellcheck disable=SC2046
"$CC" -std=c11 -Wall -Wextra -Werror -o "$work/study" "$consumer/study.c" $(flags "$prefix" "$libdir" "" locbo-study)
echo "pkg-config locbo-study: $(LD_LIBRARY_PATH=$libdir "$work/study" one.db)"
echo "find_package, locbo::study: $("$work/cmake/consumer_study" two.db)"

# everything moved elsewhere, as a package manager or a user may do
mv "$prefix" "$work/moved"
locbo=$work/moved/bin/locbo
unset LD_LIBRARY_PATH LOCBO_DB
resolves "$locbo" liblocbo.so "$(dirname "$locbo")/../${libdir#"$prefix/"}"
resolves "$locbo" liblocbo-study.so "$(dirname "$locbo")/../${libdir#"$prefix/"}"
case $blas in */openblas-*) resolves "$locbo" libopenblas "$blas" ;; esac
if readelf -d "$locbo" "$work/moved/${libdir#"$prefix/"}/liblocbo-study.so" | grep RUNPATH | grep -vq '\[$ORIGIN[^:]*\]$'; then
    stop "an installed file has a run path of the build: $(readelf -d "$locbo" | grep RUNPATH)"
fi
said=$("$locbo" --version)
[ "$said" = "locbo $(version MAJOR).$(version MINOR).$(version PATCH)" ] || stop "locbo --version says: $said"
"$locbo" create --name tiny -p 'x~float(0,1)' 2>"$work/log" || stop "locbo create: $(cat "$work/log")"
for round in 1 2 3; do
    asked=$("$locbo" ask -f json)
    trial=$(echo "$asked" | sed 's/.*"trial": *\([0-9]*\).*/\1/')
    "$locbo" tell "$trial" "0.$round" >/dev/null || stop "locbo tell $trial failed after: $asked"
done
said=$("$locbo" best -f json)
case $said in *'"value":0.1,'*) ;; *) stop "three rounds of ask and tell, and best says: $said" ;; esac
echo "bin/locbo, moved: $said"
