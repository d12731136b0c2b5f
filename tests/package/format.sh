# The layout of code and comments is what tools/format makes of it.
set -eu
. "$(dirname "$0")/common.sh"
cd "$SOURCE"
git rev-parse --git-dir >/dev/null 2>&1 || { echo "not a git checkout: nothing to compare"; exit 0; }
tools/format --check
