# Every C block of docs/guide.md compiles. A block is the inside of a function that has a space, options, an optimizer
# `o`, a trial and the variables declared here; #include lines are not needed on the page. A block that begins with one is
# a whole program, which the test package_readme compiles and runs.
set -eu
. "$(dirname "$0")/common.sh"

cat >"$work/guide.c" <<'C'
#include <locbo/locbo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { DIM = 2 };
double experiment(const double *x); /* the user's */
C
parameters='locbo_space *space, locbo_options options, locbo_optimizer *o, locbo_trial trial'
parameters="$parameters, double *x, double y, locbo_error *error"
awk -v parameters="$parameters" '
    /^```c$/ {
        if ((getline first) <= 0 || first ~ /^#include/) next
        inside = 1
        head = "void snippet_" ++n "(" parameters ")"
        print head ";\n" head " {"
        print "    (void)space, (void)options, (void)o, (void)trial, (void)x, (void)y, (void)error;"
        printf "#line %d \"docs/guide.md\"\n%s\n", NR, first
        next
    }
    /^```/ {if (inside) print "}"; inside = 0; next}
    inside' "$SOURCE/docs/guide.md" >>"$work/guide.c"
count=$(grep -c '^#line' "$work/guide.c") || stop "docs/guide.md has no C block"
"$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -fsyntax-only "$work/guide.c" ||
    stop "a C block of docs/guide.md does not compile"
echo "$count C blocks of docs/guide.md compile"
