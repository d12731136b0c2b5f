# The figures of README.md and docs/ are those of the files that commands write: tests/package/figures.txt says which page
# has which figure from which file. With --update the pages take the files' figures (`make bench` does that).
set -eu
. "$(dirname "$0")/common.sh"
exec python3 -B "$SOURCE/tests/package/figures.py" "$SOURCE" "$@"
