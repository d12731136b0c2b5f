# The complete program of docs/guide.md compiles against the library, runs, and prints what the page says it prints: the
# same words, and each number within 25 % or 0.05 of the one written there (the last digits depend on the BLAS of the
# machine). With --update the page's output block is replaced by what the program prints here; `make readme` does that
# after building the library. And README.md stays short: 150 lines.
set -eu
. "$(dirname "$0")/common.sh"

lines=$(wc -l <"$SOURCE/README.md")
[ "$lines" -le 150 ] || stop "README.md has grown to $lines lines"
page=$SOURCE/docs/guide.md
block "$page" c >"$work/example.c"
[ -s "$work/example.c" ] || stop "docs/guide.md has no C example"
block "$page" text >"$work/promised"
lines=$(grep -c . "$work/example.c")
[ "$lines" -le 32 ] || stop "the program of docs/guide.md has grown to $lines lines"

"$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -o "$work/example" "$work/example.c" \
    -L"$BUILD" -llocbo -lm -Wl,-rpath,"$BUILD"
"$work/example" >"$work/said" || stop "the program of docs/guide.md exits with $?"

if [ "${1:-}" = --update ]; then
    awk -v said="$work/said" '$0 == "```text" && !seen {seen = inside = 1; print
            while ((getline line < said) > 0) print line; next}
        /^```/ {inside = 0} !inside' "$page" >"$work/new"
    cp "$work/new" "$page"
    echo "docs/guide.md updated; it now says:"
    cat "$work/said"
    exit 0
fi

# One line per difference between two texts that should say the same.
differences() {
    awk -v other="$2" '
        function complain(text) {print "line " NR ": " text}
        # the next number of `rest`; `words` becomes what stands before it
        function next_number(rest,    number) {
            if (!match(rest, /-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/)) {words = rest; after = ""; return ""}
            words = substr(rest, 1, RSTART - 1)
            number = substr(rest, RSTART, RLENGTH)
            after = substr(rest, RSTART + RLENGTH)
            return number
        }
        {
            there = ""
            if ((getline there < other) <= 0) complain("is not printed: " $0)
            here = $0
            while (here != "" || there != "") {
                a = next_number(here); words_a = words; here = after
                b = next_number(there); words_b = words; there = after
                if (words_a != words_b || (a == "") != (b == "")) {
                    complain("\"" words_a a "\" became \"" words_b b "\"")
                    break
                }
                size = a + 0 < 0 ? -a : a + 0
                gap = a + 0 < b + 0 ? b - a : a - b
                if (gap > 0.25 * size && gap > 0.05) complain(a " became " b)
            }
        }
        END {while ((getline there < other) > 0) print "also printed: " there}' "$1"
}
differences "$work/promised" "$work/said" >"$work/differences"
if [ -s "$work/differences" ]; then
    echo "docs/guide.md promises:" && cat "$work/promised"
    echo "the example prints:" && cat "$work/said"
    cat "$work/differences"
    stop "they differ (make readme takes over what it prints)"
fi
cat "$work/said"
