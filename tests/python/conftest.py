"""What the tests of the Python package share: a database of their own."""
import os

import pytest

PLAIN = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}  # for programs that need no sanitizer's library


@pytest.fixture
def url(tmp_path):
    """The address of an empty database: PostgreSQL's if the test has a server, otherwise a file of SQLite."""
    return os.environ.get("LOCBO_TEST_DB") or f"sqlite:{tmp_path}/locbo.db"
