"""Each field of locbo_options in locbo.h names its default: the same as in the table of options (locbo options)."""
import json
import os
import re
import subprocess
import sys

with open(os.environ["SOURCE"] + "/include/locbo/locbo.h") as f:
    struct = re.search(r"struct_size; /\* set by locbo_options_init \*/(.*?)} locbo_options;", f.read(), re.S).group(1)
stated = dict(re.findall(r"(\w+);\s*/\*(?:(?!\*/).)*?Default: (\S+)\s*\*/", struct, re.S))
table = json.loads(subprocess.run([os.environ["BUILD"] + "/locbo", "options", "-f", "json"], check=True,
                                  stdout=subprocess.PIPE).stdout)
wrong = 0
for option in table:
    if option["type"] == "preset":
        continue
    name, text = option["name"], option["default"]
    said = stated.pop(name, "nothing")
    if option["type"] == "choice":  # LOCBO_METHOD_OCBO_L for "ocbo-l"
        same = said.startswith("LOCBO_") and said.endswith("_" + text.upper().replace("-", "_"))
    else:
        same = said.lower() == text
    if not same:
        print(f"locbo.h: the default of {name} is {text}, its comment says {said}")
        wrong += 1
if stated:
    print("locbo.h: not in the table of options:", ", ".join(stated))
print(f"{len(table)} options, {wrong} wrong defaults in locbo.h")
sys.exit(wrong > 0 or bool(stated))
