# The documents speak of the tree as it is: every file they name exists, every link leads somewhere, and every module of
# the core has its place in the README's tour, in docs/architecture.md and, through package_layers, in the layers.
set -eu
. "$(dirname "$0")/common.sh"
cd "$SOURCE"

bad=0
complain() {
    echo "$*" >&2
    bad=1
}

for page in ./*.md docs/*.md; do
    # paths in backticks; names with a <placeholder> do not match, nor does the module `noun` of CONTRIBUTING.md
    for path in $(grep -oE '`(src|tests|docs|examples|tools|include|cmake|bench)/[A-Za-z0-9_./-]*`' "$page" | tr -d '`'); do
        case $path in */noun.c | */test_noun.c | */test_gp.c) continue ;; esac
        [ -e "$path" ] || complain "$page names $path, which does not exist"
    done
    for link in $(grep -oE '\]\([^)#:]*\)' "$page" | sed 's/^](//; s/)$//'); do
        [ -e "$(dirname "$page")/$link" ] || complain "$page links to $link, which does not exist"
    done
done

for source in src/core/*.c; do
    name=$(basename "$source" .c)
    grep -q "\`\(src/core/\)\?$name\.c\`" README.md || complain "README.md: the tour does not mention $source"
    grep -q "\`$name\`" docs/architecture.md || complain "docs/architecture.md: the files do not include $name"
done

# what docs/equations.md points to is there
for pair in $(grep -oE '`[a-z_]+\.c`: (`[a-z_]+`(, )?)+' docs/equations.md | tr -d '`,' | sed 's/: /:/; s/ /:/g'); do
    file=${pair%%:*}
    for function in $(echo "${pair#*:}" | tr ':' ' '); do
        grep -q "\b$function(" "src/core/$file" || complain "docs/equations.md: no $function in src/core/$file"
    done
done

[ "$bad" -eq 0 ] && echo "the documents agree with the tree"
exit "$bad"
