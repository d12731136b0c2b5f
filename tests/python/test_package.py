"""The package as a whole: its version, its types, and that it can be installed."""
import os
import re
import shutil
import subprocess
import sys

import pytest

import locbo

SOURCE, BUILD = os.environ["SOURCE"], os.environ["BUILD"]
sanitized = pytest.mark.skipif(bool(os.environ["SANITIZE"]), reason="the package that users get has no sanitizer")


def test_versions_agree():
    with open(os.path.join(SOURCE, "include/locbo/locbo.h")) as header:
        numbers = re.findall(r"#define LOCBO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read())
    assert locbo.__version__ == ".".join(numbers)


def test_another_version_of_the_library_is_refused(tmp_path):
    shutil.copytree(os.path.dirname(locbo.__file__), tmp_path / "locbo")
    with open(tmp_path / "locbo/__init__.py") as file:
        text = file.read()
    with open(tmp_path / "locbo/__init__.py", "w") as file:
        file.write(text.replace(f'__version__ = "{locbo.__version__}"', '__version__ = "9.9.9"'))
    done = subprocess.run(
        [sys.executable, "-c", "import locbo"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert (
        f"ImportError: this package is of locbo 9.9.9, the C library that it found is of {locbo.__version__}"
        in done.stderr
    )


@sanitized
def test_types():
    pytest.importorskip("mypy")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--cache-dir=/dev/null",
            "--config-file",
            f"{SOURCE}/python/pyproject.toml",
            "-p",
            "locbo",
        ],
        cwd=f"{SOURCE}/python",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_lines_are_short():
    folder = f"{SOURCE}/python"
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".py") and "/build" not in where:
                with open(os.path.join(where, name)) as file:
                    for number, line in enumerate(file, 1):
                        assert len(line) <= 121, f"{where}/{name}:{number} has {len(line)} characters"


USE = """
import locbo, os, sys
assert os.path.dirname(os.path.dirname(locbo.__file__)) == sys.argv[1], locbo.__file__
assert "/build" not in open("/proc/self/maps").read().replace(sys.argv[1], ""), "of the build folder"
print(len(locbo.minimize(lambda x: x, {"x": locbo.Float(0, 1)}, trials=3, seed=1).study.records()))
"""


@sanitized
def test_a_wheel_can_be_built_and_installed(tmp_path):
    """Without a network: no build isolation. The libraries are in the wheel, since they are not installed here."""
    pytest.importorskip("pip")
    pytest.importorskip("wheel")
    source = tmp_path / "source"
    shutil.copytree(
        f"{SOURCE}/python", source / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    )
    (source / "include").symlink_to(f"{SOURCE}/include")
    environment = {**os.environ, "LOCBO_BUILD": BUILD, "PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1"}
    del environment["PYTHONPATH"]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    done = subprocess.run(
        [*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", str(tmp_path), str(source / "python")],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    wheels = [name for name in os.listdir(tmp_path) if name.endswith(".whl")]
    assert len(wheels) == 1 and re.match(rf"locbo-{locbo.__version__}-cp\d+-abi3-linux", wheels[0]), wheels
    target = tmp_path / "installed"
    done = subprocess.run(
        [*pip, "install", "--no-deps", "--target", str(target), str(tmp_path / wheels[0])],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run(
        [sys.executable, "-c", USE, str(target)],
        env={**environment, "PYTHONPATH": str(target)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "3\n", done.stderr
