"""The manual pages agree with the program: those of the subcommands are what tools/make-man makes of --help, locbo(1) names every
subcommand, exit code and variable, locbo-study-file(5) and docs/study-file.md every key, all pages are clean to man and mandoc,
and no page or document shows a subcommand or an option that there is not."""
import glob
import os
import re
import shutil
import subprocess
import sys

from common import HERE, LOCBO, check, locbo, run_in_own_folder

SOURCE = os.path.realpath(os.environ.get("SOURCE", HERE + "/../.."))
PROGRAM = os.path.abspath(LOCBO)
PAGES = SOURCE + "/docs/man"


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def plain(page):
    """The text of a page without fonts, escapes and macros."""
    text = re.sub(r"\\f[BIRP]", "", read(f"{PAGES}/{page}"))
    text = re.sub(r"^\.(BR|RB|BI|IB|RI|IR|B|I) ", "", text, flags=re.M)
    for roff, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\e", "\\")):
        text = text.replace(roff, character)
    return text


def headings(page):
    """The words that a .TP introduces."""
    text = re.findall(r"^\.TP\n(.*)$", read(f"{PAGES}/{page}"), re.M)
    return {re.sub(r"\\f[BIRP]|^\.[BIR]+ ", "", line).replace("\\-", "-").strip() for line in text}


def generated_pages_are_fresh():
    os.mkdir("made")
    subprocess.run([sys.executable, "-B", SOURCE + "/tools/make-man", PROGRAM, "made"], check=True, stdout=subprocess.DEVNULL)
    for name in sorted(os.listdir("made")):
        check(os.path.exists(f"{PAGES}/{name}") and read("made/" + name) == read(f"{PAGES}/{name}"),
              f"docs/man/{name} is not what --help says: run tools/make-man build/locbo docs/man")
    old = set(os.path.basename(p) for p in glob.glob(PAGES + "/locbo-*.1")) - set(os.listdir("made"))
    check(not old, "pages of no subcommand:", old)
    return {name[len("locbo-"):-len(".1")] for name in os.listdir("made")}


def options_of(subcommands):
    """Every option that --help lists, per subcommand; and each is in the page made of it."""
    table = {}
    for name in subcommands:
        text = locbo(name, "--help").stdout
        table[name] = set(re.findall(r"^ {2}(?:-., | {4})(--[a-z-]+)", text, re.M)) | \
            set(re.findall(r"^ {2}(-.), --", text, re.M))
        check(len(table[name]) >= 2, name, "lists no options")
        page = plain(f"locbo-{name}.1")
        for option in table[name]:
            check(re.search(r"^(-., )?" + option + r"\b", page, re.M), f"locbo-{name}.1 has no {option}")
    return table


def the_overview_is_complete(subcommands):
    text, words = plain("locbo.1"), headings("locbo.1")
    check(subcommands <= words, "locbo.1 does not list", subcommands - words)
    for name, summary in re.findall(r"^  ([a-z]+)  +(.+)$", locbo("--help").stdout.split("To begin with:")[0], re.M):
        check(summary in text, f"locbo.1 says something else of {name} than: {summary}")
    status = text.split(".SH EXIT STATUS")[1].split(".SH")[0]
    for code in re.findall(r"EXIT_[A-Z_]+ = (\d+)", read(SOURCE + "/src/system/exit_code.h")):
        check(re.search(rf"^{code}$", status, re.M), "locbo.1 has no exit code", code)
    objective = text.split("Exit code of the objective")[1].split(".SS")[0]
    for code in re.findall(r"EXIT_OF_[A-Z]+ = (\d+)", read(SOURCE + "/src/worker/result.c")):
        check(re.search(rf"^{code}$", objective, re.M), "locbo.1 has no exit code of the objective", code)
    for path in glob.glob(SOURCE + "/src/*/*.c"):
        for variable in re.findall(r'(?:getenv|is_set)\("([A-Z_]+)"|"(LOCBO_[A-Z_]*[A-Z])', read(path)):
            variable = variable[0] or variable[1]
            check(variable in text or variable.startswith(("LC_", "LOCBO_ERR")), "locbo.1 has no variable", variable, "of", path)


def every_key_is_there():
    source = read(SOURCE + "/src/format/study_file.c")
    keys = set(re.findall(r'\{"([a-z_]+)", (?:read|set)_[a-z]+\}', source))
    check({"parameters", "lease", "target"} <= keys, "cannot find the keys in study_file.c:", keys)
    page, table = plain("locbo-study-file.5"), read(SOURCE + "/docs/study-file.md")
    for key in keys:
        check(re.search(rf"^{key}$", page, re.M), "locbo-study-file.5 has no key", key)
        check(re.search(rf"^\| `(stop\.)?{key}(`|\.)", table, re.M) or key == "stop", "docs/study-file.md has no key", key)


def functions_exist():
    header = read(SOURCE + "/include/locbo/study.h") + read(SOURCE + "/include/locbo/locbo.h")
    for name in set(re.findall(r"\blocbo_[a-z_]+(?=[ (]*\()", plain("liblocbo-study.3"))):
        check(name + "(" in header, "liblocbo-study.3 names", name)


def shown_commands_exist(options):
    """`locbo NAME ... --option` in documents, examples and pages; continued lines are one."""
    files = [*glob.glob(SOURCE + "/*.md"), *glob.glob(SOURCE + "/docs/*.md"), *glob.glob(SOURCE + "/examples/*")]
    texts = {path: read(path) for path in files if os.path.isfile(path) and not path.endswith(".ipynb")}
    texts.update({page: plain(page) for page in os.listdir(PAGES)})
    count = 0
    for path, text in texts.items():
        text = text.replace("\\\n", " ").replace("> ", "")
        for name, rest in re.findall(r"(?:^|[`$(|] ?|^ {4,}|[:;!] )locbo ([a-z]+)((?: [^\n`|;]*)?)", text, re.M):
            check(name in options or name in ("work's", "itself"), f"{path} shows 'locbo {name}'")
            own = rest.split(" -- ")[0]
            for option in re.findall(r"(?<= )(--[a-z][a-z-]*|-[a-zA-Z])(?=[ =,.)]|$)", own):
                check(option in options[name], f"{path} shows 'locbo {name}{rest}': no {option}")
            count += 1
    check(count > 50, "found only", count, "command lines")
    return count


def pages_are_clean():
    for page in sorted(os.listdir(PAGES)):
        if shutil.which("man"):
            done = subprocess.run(["man", "--warnings", "-l", f"{PAGES}/{page}"], capture_output=True, text=True,
                                  env=dict(os.environ, MANWIDTH="100", LC_ALL="C.UTF-8"))
            check(done.returncode == 0 and not done.stderr, page, done.stderr)
        if shutil.which("mandoc"):
            said = subprocess.run(["mandoc", "-Tlint", "-W", "warning", f"{PAGES}/{page}"], capture_output=True, text=True).stdout
            lines = [line for line in said.splitlines() if "missing date" not in line]
            check(not lines, "\n".join(lines))


def main():
    subcommands = generated_pages_are_fresh()
    options = options_of(subcommands)
    the_overview_is_complete(subcommands)
    every_key_is_there()
    functions_exist()
    count = shown_commands_exist(options)
    pages_are_clean()
    print(len(subcommands), "subcommands documented;", count, "command lines shown")


run_in_own_folder(main)
