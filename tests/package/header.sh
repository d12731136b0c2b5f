# Every public header compiles alone, without a warning, as C11 and as C++17.
set -eu
. "$(dirname "$0")/common.sh"

count=0
for header in "$SOURCE"/include/locbo/*.h; do
    name=locbo/$(basename "$header")
    # included twice: the guard is part of the promise
    printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name" >"$work/one.c"
    cp "$work/one.c" "$work/one.cpp"
    "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -fsyntax-only "$work/one.c"
    "$CXX" -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -fsyntax-only "$work/one.cpp"
    count=$((count + 1))
done
[ "$count" -gt 0 ] || stop "no public headers found in $SOURCE/include/locbo"
echo "$count headers compile alone as C11 and C++17"
