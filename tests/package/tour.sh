# Every function that the tour of docs/architecture.md points to, as `file.c`: `function`, is there.
set -eu
. "$(dirname "$0")/common.sh"
cd "$SOURCE"

pairs=$(grep -oE '`[a-z_]+\.c`: `[a-z_]+`' docs/architecture.md | tr -d '` ')
[ -n "$pairs" ] || stop "docs/architecture.md points to no function"
bad=0
for pair in $pairs; do
    path=$(ls src/*/"${pair%%:*}" 2>/dev/null || true) # file names are unique in the tree
    grep -q "\b${pair#*:}(" $path /dev/null || { echo "docs/architecture.md: no ${pair#*:} in ${path:-${pair%%:*}}" >&2; bad=1; }
done
[ "$bad" -eq 0 ] && echo "$(echo "$pairs" | wc -l) functions of the tour are there"
exit "$bad"
