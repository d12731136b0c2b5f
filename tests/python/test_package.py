"""The package as a whole: its version, its types, and that it can be installed."""
import os
import re

import locbo


def test_versions_agree():
    with open(os.path.join(os.environ["SOURCE"], "include/locbo/locbo.h")) as header:
        numbers = re.findall(r"#define LOCBO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read())
    assert locbo.__version__ == ".".join(numbers)
