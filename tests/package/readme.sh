# The C example of README.md compiles against the library, runs, and prints what the README says it prints. Numbers
# are compared in shape only (their last digits depend on the BLAS of the machine). With --update the README's
# output block is replaced by what the program prints here.
set -eu
. "$(dirname "$0")/common.sh"

readme=$SOURCE/README.md
# block LANGUAGE: the first fenced block of that language
block() {
    awk -v fence="\`\`\`$1" '$0 == fence && !seen {inside = seen = 1; next} /^```/ {inside = 0} inside' "$readme"
}
shape() {
    sed -E 's/-?(inf|nan|[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?)/#/g' "$1"
}

block c >"$work/example.c"
[ -s "$work/example.c" ] || stop "README.md has no C example"
block text >"$work/promised"
lines=$(grep -c . "$work/example.c")
[ "$lines" -le 32 ] || stop "the example of README.md has grown to $lines lines"

"$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -o "$work/example" "$work/example.c" \
    -L"$BUILD" -llocbo -lm -Wl,-rpath,"$BUILD"
"$work/example" >"$work/said" || stop "the example of README.md exits with $?"

if [ "${1:-}" = --update ]; then
    awk -v said="$work/said" '$0 == "```text" && !seen {seen = inside = 1; print
            while ((getline line < said) > 0) print line; next}
        /^```/ {inside = 0} !inside' "$readme" >"$work/new"
    cp "$work/new" "$readme"
    echo "README.md updated"
    exit 0
fi

shape "$work/promised" >"$work/promised.shape"
shape "$work/said" >"$work/said.shape"
if ! diff "$work/promised.shape" "$work/said.shape" >/dev/null; then
    echo "README.md promises:" && cat "$work/promised"
    echo "the example prints:" && cat "$work/said"
    stop "they differ (tests/package/readme.sh --update takes over what it prints)"
fi
cat "$work/said"
