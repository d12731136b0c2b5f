# common.sh - what the scripts of this folder share. Each is run by ctest with SOURCE, BUILD, CC and NM set; by
# hand, from anywhere:  SOURCE=/path/to/locbo BUILD=/path/to/locbo/build sh tests/package/symbols.sh
: "${SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$SOURCE/build}" "${CC:=cc}" "${CXX:=c++}" "${NM:=nm}"
LC_ALL=C
export LC_ALL

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stop TEXT: the test fails.
stop() {
    echo "$*" >&2
    exit 1
}

# with_program: whether the build has the study library and the program (LOCBO_BUILD_PROGRAM).
with_program() {
    grep -qE '^LOCBO_BUILD_PROGRAM:BOOL=(ON|TRUE|1)$' "$BUILD/CMakeCache.txt"
}

# public_functions HEADER: the functions that it declares with LOCBO_API, sorted.
public_functions() {
    grep -v '^ *#' "$SOURCE/include/locbo/$1" | tr '\n' ' ' |
        grep -o 'LOCBO_API [^;(]*(' | sed 's/ *($//; s/.*[ *]//' | sort -u
}

# block PAGE LANGUAGE: the first fenced block of that language on the page.
block() {
    awk -v fence="\`\`\`$2" '$0 == fence && !seen {inside = seen = 1; next} /^```/ {inside = 0} inside' "$1"
}
