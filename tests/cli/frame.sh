# The frame of the program: --version, --help, unknown words, lost output. Needs no database.
set -eu
locbo=$BUILD/locbo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

# expect CODE WORDS COMMAND...: its exit code, and words among what it prints
expect() {
    code=$1 words=$2
    shift 2
    set +e
    "$@" >said 2>&1
    got=$?
    set -e
    [ "$got" -eq "$code" ] || fail "$*: exit code $got, expected $code: $(cat said)"
    grep -qF -- "$words" said || fail "$*: no '$words' in: $(cat said)"
}

version=$(sed -n 's/^#define LOCBO_VERSION_[A-Z]* //p' "$SOURCE/include/locbo/locbo.h" | paste -sd.)
expect 0 "locbo $version" "$locbo" --version
expect 0 "locbo $version" "$locbo" -V
expect 0 "To begin with:" "$locbo"
expect 0 "To begin with:" "$locbo" --help
expect 0 "To begin with:" "$locbo" -h
expect 0 "To begin with:" "$locbo" help
expect 0 "Usage: locbo run" "$locbo" --help run
expect 2 "locbo: unknown subcommand 'rnu' (did you mean run?)" "$locbo" rnu
expect 2 "locbo: unknown option '--nonsense'" "$locbo" --nonsense
expect 2 "locbo: unknown subcommand ''" "$locbo" ''

# Every subcommand is in the overview, in a group, and has a help that fits on a screen.
"$locbo" --help >overview
if grep -q '^More:' overview; then fail "a subcommand is in no group: $(sed -n '/^More:/,/^$/p' overview)"; fi
count=0
for name in run work create ask tell beat enqueue best recommend status trials show predict plot import export stop delete \
    alter retract fail pause resume rename copy note log pipe serve experiment options completion report demo help; do
    count=$((count + 1))
    grep -q "^  $name  *[a-z]" overview || fail "$name is not in the overview"
    "$locbo" "$name" --help >help
    "$locbo" help "$name" | cmp -s - help || fail "help $name is not $name --help"
    grep -q "^Usage: locbo $name" help || fail "$name --help has no usage"
    sed '/^Examples:/,$d' help >upper
    awk -v name="$name" 'length > 79 {print name " --help: " $0; bad = 1} END {exit bad}' upper || fail "too wide"
    # a letter or a name that occurs twice would hide one of them
    twice=$(sed -n 's/^  \(-.\),.*/\1/p; s/^  [ -].[ ,] \(--[a-z-]*\).*/\1/p' help | sort | uniq -d)
    [ -z "$twice" ] || fail "$name has $twice twice"
    expect 2 "locbo $name: unknown option '--nonsense'" "$locbo" "$name" --nonsense
done
[ "$(grep -c '^  [a-z][a-z]* ' overview)" -eq "$count" ] || fail "the overview has other subcommands than this test"

# Output that is lost is an error, on a full disk and on a closed descriptor; a reader that stops early is no news.
for words in --help --version "run --help" options "completion bash"; do
    # shellcheck disable=SC2086
    if "$locbo" $words >/dev/full 2>said; then fail "$words: a full disk was not noticed"; fi
    grep -q "cannot write standard output" said || fail "$words: $(cat said)"
    [ "$(wc -l <said)" -eq 1 ] || fail "$words: said more than once: $(cat said)"
    # shellcheck disable=SC2086
    if "$locbo" $words >&- 2>said; then fail "$words: a closed output was not noticed"; fi
done
"$locbo" options 2>said | true
[ ! -s said ] || fail "a reader that stops early: $(cat said)"

# Numbers have points in any locale; no variable of the environment moves "--" or options.
POSIXLY_CORRECT=1 LC_ALL=de_DE.UTF-8 "$locbo" options alpha -f csv >said
grep -q ',0.2,' said || fail "locale: $(cat said)"
echo "$count subcommands behave"
