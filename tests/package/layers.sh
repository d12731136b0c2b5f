# The layers of docs/architecture.md hold, in the sources and in the objects.
set -eu
. "$(dirname "$0")/common.sh"
cd "$SOURCE"
NM=$NM exec tools/check-layers "$BUILD/liblocbo_core.a"
