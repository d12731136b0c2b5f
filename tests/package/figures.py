"""figures.py TREE [--update] - every figure of the pages is the one in the file it comes from, rounded. Which is which stands in
figures.txt, beside this file; its first lines describe its form. A complaint names page and line, what the page says, and
what the file has. With --update the pages take over what the files have, with as many digits as they show now."""
import fnmatch
import os
import re
import sys
from decimal import ROUND_HALF_UP, Decimal

NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
complaints = []


def read(path):
    if path.startswith("drawn:"):
        path = os.path.join(os.environ["DRAWN"], path[len("drawn:"):])
    with open(path, encoding="utf-8") as f:
        return f.read()


# ---- files: tables whose cells are two blanks apart, and any other text

def tables_of(text):
    """Each table as (header, rows): its header follows an empty line, rows with another number of cells are no rows."""
    tables, header = [], None
    for line in text.splitlines():
        cells = re.split(r" {2,}", line.strip())
        if not line.strip():
            header = None
        elif header is None and len(cells) >= 3:
            header = cells
            tables.append((header, []))
        elif header and len(cells) == len(header):
            tables[-1][1].append(cells)
    return tables


def cell_numbers(cell):
    """'0.43 [0.28, 0.80]' -> {"x": 0.43, "low": 0.28, "high": 0.80}."""
    return dict(zip(("x", "low", "high"), [float(n) for n in re.findall(NUMBER, cell)]))


def look_up(text, table, where, column):
    """What cell_numbers has of the row that begins with the cells `where`, or the mean over such rows."""
    keys = where.split("/")
    found = []
    for number, (header, rows) in enumerate(tables_of(text), 1):
        if column not in header or (table and number != table):
            continue
        for row in rows:
            begin = 1 if row[0] == "-" and keys[0] != "-" else 0
            if all(fnmatch.fnmatchcase(cell, key) for cell, key in zip(row[begin:], keys)):
                found.append(cell_numbers(row[header.index(column)]))
    if not found or (len(found) > 1 and "*" not in where):
        raise KeyError(f"{len(found)} rows {where} with a column {column}")
    return {key: sum(numbers[key] for numbers in found) / len(found) for key in found[0]}


class Reference:
    """What stands in braces in figures.txt: {file: row: column; expression} or {file: /pattern/; expression}."""

    def __init__(self, text, files):
        self.text = text
        address, _, formula = text.partition(";")
        self.formula = formula.strip()
        name, _, rest = address.partition(":")
        self.path, self.table = files[name.strip()]
        self.rest = rest.strip()

    def value(self):
        text = read(self.path)
        if self.rest.startswith("/"):
            found = set(re.findall(self.rest.strip("/"), text, re.M))
            if len(found) != 1:
                raise KeyError(f"{len(found)} matches of {self.rest}")
            known = {"x": float(found.pop())}
        else:
            where, _, column = self.rest.partition(": ")
            column, _, part = column.partition(".")
            known = look_up(text, self.table, where.strip(), column.strip())
            known["x"] = known[part or "x"]
        return float(eval(self.formula or "x", known))


# ---- figures.txt

def expand(text):
    """'{f: row: column[]}' is the number with its interval."""
    return re.sub(r"\{([^{}]*)\[\]\}", r"{\1} [{\1.low}, {\1.high}]", text)


def reference(name, row, column):
    """A cell of a table; the column 'other/cell: column' is of another file, from its row ROW/cell; '-' is empty."""
    other, _, own = column.partition(": ")
    if column == "-":
        return ""
    if not own:
        return "{%s: %s: %s}" % (name, row, column)
    other, _, cell = other.partition("/")
    return "{%s: %s: %s}" % (other, row + "/" + cell if cell else row, own)


def entries(path):
    """(files, {page: strictness}, [(page, text with references)], [(page, title of a section without a file)])."""
    files, pages, texts, sections = {}, {}, [], []
    page = columns = source = None
    for line in read(path).splitlines():
        if not line.strip() or line.strip().startswith("#"):
            continue
        if not line.startswith(" "):
            columns = None
            name, _, rest = (part.strip() for part in line.partition(" "))
            if rest.startswith("="):
                file, _, table = rest[1:].strip().partition(" ")
                files[name] = (file, int(table or 0))
            else:
                page, pages[name] = name, rest
        elif line.startswith("  section "):
            sections.append((page, line[len("  section "):].partition(": ")[0]))
        elif line.startswith("  table "):
            source, _, rest = line[len("  table "):].partition(":")
            columns = [c.strip() for c in rest.split(",")]
        elif line.startswith("    ") and columns:
            shown, _, key = (part.strip() for part in line.partition(" <- "))
            cells = [expand(reference(source, key or shown, column)) for column in columns]
            texts.append((page, f"| {shown} | " + " | ".join(cells) + " |\n"))
        else:
            columns = None
            texts.append((page, expand(line.strip())))
    return files, pages, texts, sections


def pattern_of(text):
    """The text as a pattern, blanks as any white space, each reference as a number."""
    parts = re.split(r"(\{[^{}]*\})", text)
    words = lambda part: r"\s+".join(re.escape(w) for w in re.split(r"\s+", part))
    if text.endswith("\n"): # a row of a table, whole
        return "^" + pattern_of(text.strip()) + "$"
    return "".join(f"({NUMBER})" if part.startswith("{") else words(part) for part in parts)


# ---- pages

def rounds_to(shown, value):
    """Whether `value`, rounded to the digits of `shown`, is `shown`; a tie may go either way."""
    unit = Decimal(1).scaleb(Decimal(shown).as_tuple().exponent)
    return abs(Decimal(shown) - Decimal(repr(round(value, 12)))) <= unit / 2


def rounded(shown, value):
    mantissa, _, power = shown.partition("e")
    digits = len(mantissa.partition(".")[2])
    if power:
        mantissa, power = f"{value:.{digits}e}".split("e")
        return f"{mantissa}e{int(power)}"
    return str(Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def compare(page, text, wanted, files, update):
    """Check one entry on the page; the page's text, with the file's figures if `update`."""
    found = list(re.finditer(pattern_of(wanted), text, re.M))
    if len(found) != 1:
        complaints.append(f"{page} says this {len(found)} times, not once: {re.sub(r'[{][^{}]*[}]', 'N', wanted)}")
        return text
    references = [Reference(r, files) for r in re.findall(r"\{([^{}]*)\}", wanted)]
    for k in range(len(references), 0, -1):
        source, shown, begin, end = references[k - 1], found[0].group(k), found[0].start(k), found[0].end(k)
        try:
            value = source.value()
        except (KeyError, OSError) as error:
            complaints.append(f"figures.txt: {{{source.text}}}: {error}")
            continue
        if rounds_to(shown, value):
            continue
        if update:
            print(f"{page}:{line_of(text, begin)}: {shown} becomes {rounded(shown, value)}")
            text = text[:begin] + rounded(shown, value) + text[end:]
        else:
            complaints.append(f"{page}:{line_of(text, begin)}: says {shown}, but {source.path} has {value:.6g} "
                              f"({source.rest}{'; ' + source.formula if source.formula else ''})")
    return text


def hide(pattern, text):
    """The text with what the pattern matches as blanks, line by line."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.M | re.S)


def look_for_others(page, strictness, text, wanted, sections):
    """Figures that no entry accounts for: in tables; "all": anywhere; "decimals": also with a decimal point anywhere."""
    for entry in wanted:
        text = hide(pattern_of(entry), text)
    for title in sections:
        text = hide(rf"^## {re.escape(title)}$.*?(?=^## |\Z)", text)
    for outside in (r"^```.*?^```", r"^ {4}[^\n]*", r"`[^`]*`", r"\]\([^)]*\)", r"<[^>\n]*>"):
        text = hide(outside, text)
    for match in re.finditer(r"(?<![\w.-])" + NUMBER + r"(?![\w]|\.\d|-[A-Za-z])", text):
        line = text[text.rfind("\n", 0, match.start()) + 1:].split("\n")[0]
        if line.startswith("|") or strictness == "all" or (strictness == "decimals" and "." in match.group()):
            complaints.append(f"{page}:{line_of(text, match.start())}: {match.group()} has no source: tests/package/figures.txt "
                              f"should say where it is from")


def main():
    files, pages, texts, sections = entries(os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures.txt"))
    os.chdir(sys.argv[1])
    update = "--update" in sys.argv
    for page, strictness in pages.items():
        before = text = read(page)
        wanted = [entry for name, entry in texts if name == page]
        for entry in wanted:
            text = compare(page, text, entry, files, update)
        if text != before:
            with open(page, "w", encoding="utf-8") as f:
                f.write(text)
        if strictness:
            look_for_others(page, strictness, text, wanted, [title for name, title in sections if name == page])
    print("\n".join(complaints), file=sys.stderr if complaints else sys.stdout, end="\n" if complaints else "")
    figures = sum(entry.count("{") for _, entry in texts)
    print(f"{figures} figures of {len(pages)} pages compared with their files" if not complaints else "they differ (sh "
          "tests/package/figures.sh --update takes over what the files have)")
    return 1 if complaints else 0


sys.exit(main())
