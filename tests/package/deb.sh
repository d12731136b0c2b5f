# The Debian packages: they are built from the tree, lintian finds no error in them, and in a clean root, into which apt
# installs them with what they depend on, the program runs a study, programs in C are compiled and run, Python imports the
# package and optimises, and the shells' completions are where the shells look. The root is made from the archives that apt
# is configured with here. It needs root and mounts of its own; otherwise it is skipped.
set -eu
. "$(dirname "$0")/common.sh"
trap 'exit 1' HUP INT TERM

# skip TEXT: nothing is judged.
skip() {
    echo "skipped: package_deb: $*"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can make a clean root for the packages"
for program in dpkg-buildpackage lintian mmdebstrap; do
    command -v $program >/dev/null || skip "$program is not installed"
done
unshare --mount true 2>/dev/null || skip "mounts are not allowed here, so there can be no clean root"

began=$(date +%s)
# took WHAT: says how long it took since the last one
took() {
    now=$(date +%s)
    echo "$1: $((now - began)) s"
    began=$now
}

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
# The archives of this release of Debian that apt is configured with, as lines of a sources.list.
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' |
    awk -v release="$release" '$3 == release || index($3, release "-") == 1' | sort -u >"$work/sources"
[ -s "$work/sources" ] || skip "apt has no archive of this release of Debian"

# The root is made while the packages are built, and lintian reads while they are used. Each is a group of processes of its
# own, which ends with this script also when that is ended by a signal.
builder='' reader='' maker=''
end_all() {
    for group in $builder $reader $maker; do kill -- "-$group" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap end_all EXIT
root=$work/root
setsid unshare --mount mmdebstrap --mode=root --variant=apt --keyring=/usr/share/keyrings --include=gcc,libc6-dev,pkg-config \
    --aptopt='Apt::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' --dpkgopt=force-unsafe-io \
    --skip=cleanup/apt "$release" "$root" - <"$work/sources" >"$work/mmdebstrap" 2>&1 &
maker=$!
setsid "$SOURCE/tools/make-deb" "$work/deb" &
builder=$!
wait $builder || stop "the packages could not be built"
builder=''
took "packages built"
setsid lintian --allow-root --fail-on error "$work"/deb/*.changes >"$work/lintian" 2>&1 &
reader=$!
wait $maker || skip "a clean root could not be made: $(tail -n 1 "$work/mmdebstrap")"
maker=''
took "clean root made, besides"

# in_root COMMAND...: runs it there, with mounts that end with it
in_root() {
    # shellcheck disable=SC2016
    unshare --mount sh -c 'mount -t proc proc "$1/proc" && shift && exec chroot "$@"' sh "$root" "$root" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+"http_proxy=$http_proxy"} "$@"
}
mkdir "$root/packages"
cp "$work"/deb/*.deb "$root/packages/"
cp "$SOURCE"/tests/package/consumer/*.c "$root/root/"
in_root sh -c 'apt-get install -y --no-install-recommends /packages/*.deb' >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log"; stop "apt could not install the packages"; }
took "packages installed"

# What a user does there, with nothing of this tree in reach.
cat >"$root/root/use.sh" <<'USE'
set -eu
cd /root
triplet=$(gcc -print-multiarch)
for file in /usr/share/bash-completion/completions/locbo /usr/share/zsh/vendor-completions/_locbo \
    /usr/share/fish/vendor_completions.d/locbo.fish /usr/share/man/man1/locbo.1.gz /usr/share/man/man3/liblocbo.3.gz \
    /usr/share/man/man5/locbo-study-file.5.gz /usr/share/doc/locbo/docs/guide.md /usr/share/doc/locbo/examples/bake.sh \
    "/usr/lib/$triplet/cmake/locbo/locboConfig.cmake" "/usr/lib/$triplet/liblocbo.a"; do
    [ -e "$file" ] || { echo "$file is not installed"; exit 1; }
done
bash -c 'source /usr/share/bash-completion/completions/locbo && complete -p locbo' >/dev/null
ldd "/usr/lib/$triplet/liblocbo.so.0.1" | grep -q '/openblas-serial/' ||
    { echo "liblocbo uses another OpenBLAS than the serial one"; exit 1; }

locbo run --name bread -p 'temperature~float(150,280)' -p 'minutes~int(10,60)' -n 8 -q -- \
    /usr/share/doc/locbo/examples/bake.sh '{temperature}' '{minutes}' '{seed}' | head -n 1
locbo report --name bread -o report.html
grep -q '<script' report.html

gcc -Wall -Werror -o consumer main.c $(pkg-config --cflags --libs locbo)
./consumer
gcc -Wall -Werror -o study study.c $(pkg-config --cflags --libs locbo-study)
./study study.db

python3 - <<'PYTHON'
import locbo

assert locbo.__file__.startswith("/usr/lib/python3/dist-packages/"), locbo.__file__
result = locbo.minimize(lambda x: (x - 2) ** 2, locbo.Space(x=locbo.Float(-5, 10)), trials=12, seed=1)
assert abs(result.params["x"] - 2) < 1, result
study = locbo.open("sqlite:locbo.db", "bread", read_only=True)
assert len(study.trials) == 8, study.trials
print("python:", study, result.params)
PYTHON
USE
in_root sh /root/use.sh || stop "the installed packages do not do what they should"
took "packages used"

wait $reader || { cat "$work/lintian"; stop "lintian found errors"; }
cat "$work/lintian"
took "read by lintian, besides"
