# Each library offers exactly the functions that its public header declares: no private name can collide with one of the
# user's, and no public one was forgotten.
set -eu
. "$(dirname "$0")/common.sh"

# same HEADER LIBRARY NM-OPTION: the functions of the header are the names that the library defines
same() {
    public_functions "$1" >"$work/declared"
    [ -s "$work/declared" ] || stop "no LOCBO_API function found in $1"
    "$NM" "$3" --defined-only "$BUILD/$2" | awk 'NF == 3 {print $3}' | sort -u >"$work/exported"
    if ! diff "$work/declared" "$work/exported" >"$work/difference"; then
        echo "$2 differs from $1 (< declared only, > exported only):" >&2
        grep '^[<>]' "$work/difference" >&2
        exit 1
    fi
    echo "$2: the $(wc -l <"$work/declared") functions of $1"
}

same locbo.h liblocbo.so -D
same locbo.h liblocbo.a -g
if with_program; then same study.h liblocbo-study.so -D; fi
