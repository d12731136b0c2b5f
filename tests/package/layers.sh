# The layers of docs/architecture.md hold, in the sources and in the objects.
set -eu
. "$(dirname "$0")/common.sh"
cd "$SOURCE"
set -- "$BUILD/liblocbo_core.a"
if with_program; then set -- "$@" "$BUILD/src/study/liblocbo_study_core.a"; fi
export NM
tools/check-layers "$@"
