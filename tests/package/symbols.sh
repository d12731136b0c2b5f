# Both libraries offer exactly the functions that the public headers declare: no private name can collide with
# one of the user's, and no public one was forgotten.
set -eu
. "$(dirname "$0")/common.sh"

public_functions >"$work/declared"
[ -s "$work/declared" ] || stop "no LOCBO_API function found in the headers"
"$NM" -D --defined-only "$BUILD/liblocbo.so" | awk 'NF == 3 {print $3}' | sort -u >"$work/shared"
"$NM" -g --defined-only "$BUILD/liblocbo.a" | awk 'NF == 3 {print $3}' | sort -u >"$work/static"

for kind in shared static; do
    if ! diff "$work/declared" "$work/$kind" >"$work/difference"; then
        echo "the $kind library differs from the headers (< declared only, > exported only):" >&2
        grep '^[<>]' "$work/difference" >&2
        exit 1
    fi
done
echo "$(wc -l <"$work/declared") functions declared and exported, by both libraries"
