# The documents speak of the tree as it is: every file they name exists, every link leads somewhere, every function of
# docs/equations.md and every test of docs/paper-notes.md and docs/reliability.md is there, and every note says what shows it.
set -eu
. "$(dirname "$0")/common.sh"
cd "$SOURCE"

bad=0
complain() {
    echo "$*" >&2
    bad=1
}

folders='src|web|tests|docs|examples|tools|include|cmake|bench|problems|experiments'
for page in ./*.md docs/*.md; do
    # paths in backticks; names with a <placeholder> do not match, nor does the module `noun` of CONTRIBUTING.md
    for path in $(grep -oE "\`($folders)/[A-Za-z0-9_./-]*\`" "$page" | tr -d '`'); do
        case $path in */noun.c | */test_noun.c | */test_gp.c) continue ;; esac
        [ -e "$path" ] || complain "$page names $path, which does not exist"
    done
    for link in $(grep -oE '\]\([^)#:]*\)' "$page" | sed 's/^](//; s/)$//'); do
        [ -e "$(dirname "$page")/$link" ] || complain "$page links to $link, which does not exist"
    done
done

# what docs/equations.md points to is there
for pair in $(grep -oE '`[a-z_]+\.c`: (`[a-z_]+`(, )?)+' docs/equations.md | tr -d '`,' | sed 's/: /:/; s/ /:/g'); do
    file=${pair%%:*}
    path=$(ls src/*/"$file" problems/"$file" 2>/dev/null || true) # file names are unique in the tree
    for function in $(echo "${pair#*:}" | tr ':' ' '); do
        grep -q "\b$function(" $path /dev/null || complain "docs/equations.md: no $function in ${path:-$file}"
    done
done

# `tests/unit/test_x.c` (one_test, another_test): they are there
for pair in $(tr -s '\n ' ' ' <docs/paper-notes.md | grep -oE '`tests/[a-z/_0-9]+\.c` \([a-z_0-9, ]+\)' | tr -d '`)' |
    sed 's/ (/:/; s/, */:/g'); do
    file=${pair%%:*}
    for test in $(echo "${pair#*:}" | tr ':' ' '); do
        grep -q "unit_test($test)" "$file" || complain "docs/paper-notes.md: no test $test in $file"
    done
done
# `one_test` and `another_test` in `tests/study/test_x.c` or a file of Python: they are there
for pair in $(grep -oE '`[a-z_0-9]+`( and `[a-z_0-9]+`)* in `tests/[a-z/_0-9]+\.(c|py)`' docs/reliability.md | tr -d '`' |
    sed 's/ in /:/; s/ and /:/g'); do
    file=${pair##*:}
    for test in $(echo "${pair%:*}" | tr ':' ' '); do
        grep -qE "^(static void|def) $test\(" "$file" || complain "docs/reliability.md: no test $test in $file"
    done
done
# every note names a test or says that there is none
awk '/^([0-9]+\.|-) / {if (note != "") print note; note = $0; next} /^#/ {if (note != "") print note; note = ""; next}
     note != "" {note = note " " $0} END {if (note != "") print note}' docs/paper-notes.md |
    grep -vE '`tests/|No test' | cut -c 1-60 >"$work/unshown" || true
while read -r note; do complain "docs/paper-notes.md: names no test and does not say so: $note"; done <"$work/unshown"

[ "$bad" -eq 0 ] && echo "the documents agree with the tree"
exit "$bad"
