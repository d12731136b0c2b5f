# The installed package serves a stranger: through pkg-config with the shared library, through pkg-config --static
# where only the archive is there, and through CMake's find_package with either.
set -eu
. "$(dirname "$0")/common.sh"

prefix=$work/prefix
consumer=$SOURCE/tests/package/consumer
cmake --install "$BUILD" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log"; stop "cmake --install failed"; }

libdir=$(dirname "$(find "$prefix" -name 'liblocbo.so')")
[ -f "$prefix/include/locbo/locbo.h" ] || stop "the header was not installed"
for file in liblocbo.so liblocbo.so.0 liblocbo.a pkgconfig/locbo.pc cmake/locbo/locboConfig.cmake; do
    [ -e "$libdir/$file" ] || stop "$file was not installed"
done
case $(readelf -d "$libdir/liblocbo.so" | grep SONAME) in
*liblocbo.so.0*) ;;
*) stop "the soname is not liblocbo.so.0" ;;
esac

# flags PREFIX LIBDIR OPTION: locbo.pc names the prefix the tree was configured for; here it lies elsewhere
flags() {
    PKG_CONFIG_PATH=$2/pkgconfig pkg-config --define-variable=prefix="$1" --cflags --libs $3 locbo
}

# shellcheck disable=SC2046
"$CC" -std=c11 -Wall -Wextra -Werror -o "$work/shared" "$consumer/main.c" $(flags "$prefix" "$libdir" "")
LD_LIBRARY_PATH=$libdir "$work/shared" >"$work/said"
echo "pkg-config: $(cat "$work/said")"

# the same tree without the shared library
mkdir "$work/archive"
cp -r "$prefix/." "$work/archive/"
archive_libdir=$work/archive${libdir#"$prefix"}
rm -f "$archive_libdir"/liblocbo.so*
# shellcheck disable=SC2046
"$CC" -std=c11 -Wall -Wextra -Werror -o "$work/static" "$consumer/main.c" $(flags "$work/archive" "$archive_libdir" --static)
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
done
