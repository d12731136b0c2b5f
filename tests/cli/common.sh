# common.sh - what the scripts of this folder share: a directory of their own, and ways to look at what the program does.
# Each is run by ctest with SOURCE and BUILD set; by hand, from anywhere:
#     BUILD=/path/to/locbo/build-dev sh tests/cli/data.sh
: "${SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=$SOURCE/build-dev}"
LC_ALL=C
LOCBO="$BUILD/locbo"
export LC_ALL LOCBO
unset LOCBO_DB || true

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# stop TEXT: the test fails.
stop() {
    echo "$*" >&2
    if [ -s err ]; then sed 's/^/stderr: /' err >&2; fi
    exit 1
}

# expect_exit CODE WORDS...: runs a command, its output in the files out and err. A refusal says why in one line.
expect_exit() {
    wanted=$1
    shift
    got=0
    "$@" >out 2>err || got=$?
    [ "$got" -eq "$wanted" ] || stop "exit code $got instead of $wanted: $*"
    case $wanted in
    0) ;;
    *) [ "$(wc -l <err)" -eq 1 ] || stop "not one line on stderr: $*" ;;
    esac
}

# expect_error CODE TEXT WORDS...: the same, and the message contains TEXT.
expect_error() {
    code=$1 text=$2
    shift 2
    expect_exit "$code" "$@"
    grep -qF -- "$text" err || stop "the message does not say '$text': $*"
    [ ! -s out ] || stop "something on stdout: $*"
}

# check EXPRESSION: of Python, about `d`, the JSON in the file out.
check() {
    python3 -c 'import json, sys
d = json.load(open("out"))
sys.exit(0 if eval(sys.argv[1]) else 1)' "$1" || stop "not so: $1 ($(head -c 600 out))"
}

# check_csv EXPRESSION: of Python, about `d`, the list of rows (dictionaries) of the CSV in the file out.
check_csv() {
    python3 -c 'import csv, sys
d = list(csv.DictReader(open("out", newline="", encoding="utf-8")))
sys.exit(0 if eval(sys.argv[1]) else 1)' "$1" || stop "not so: $1 ($(head -c 600 out))"
}
