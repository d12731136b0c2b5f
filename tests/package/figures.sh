# The figures of README.md and docs/ are those of the files that commands write: tests/package/figures.txt says which page
# has which figure from which file. With --update the pages take the files' figures (`make bench` does that).
set -eu
. "$(dirname "$0")/common.sh"
with_program || { echo "without the program there is nothing to compare with"; exit 0; }
for name in $(sed -n 's,.*= drawn:\(.*\)/.*,\1,p' "$SOURCE/tests/package/figures.txt"); do
    cp -r "$SOURCE/experiments/results/$name" "$work/$name"
    "$BUILD/locbo" experiment draw "$name" --out "$work" --figures csv -q
done
DRAWN=$work python3 -B "$SOURCE/tests/package/figures.py" "$SOURCE" "$@"
