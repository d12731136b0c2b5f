"""The tests of studies and of runs once more, in PostgreSQL: each in a database of its own."""
import uuid
import subprocess

import pytest

from conftest import PLAIN
from test_run import *  # noqa: F401,F403
from test_steps import *  # noqa: F401,F403
from test_study import *  # noqa: F401,F403
from test_trouble import *  # noqa: F401,F403


@pytest.fixture
def url():
    name = "t" + uuid.uuid4().hex[:12]
    subprocess.run(["createdb", name], check=True, env=PLAIN)
    return f"postgresql:///{name}"
