"""The notebook of examples/ runs from its first cell to its last, and has no stored outputs."""
import importlib.util
import json
import os
import subprocess
import sys

import pytest

NOTEBOOK = os.path.join(os.environ["SOURCE"], "examples", "tuning.ipynb")
NEEDED = {
    "sklearn": "python3-sklearn",
    "matplotlib": "python3-matplotlib",
    "nbconvert": "jupyter-nbconvert",
    "ipykernel": "python3-ipykernel",
}


def cells(path, kind):
    with open(path, encoding="utf-8") as notebook:
        return [cell for cell in json.load(notebook)["cells"] if cell["cell_type"] == kind]


def test_no_outputs_are_stored():
    for cell in cells(NOTEBOOK, "code"):
        assert cell["outputs"] == [] and cell["execution_count"] is None


def test_it_runs(tmp_path):
    for module, package in NEEDED.items():
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed (Debian: {package})")
    if os.environ.get("SANITIZE"):
        pytest.skip("the notebook runs with the optimised build alone")
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}  # figures go into cells
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        environment[name] = str(tmp_path / name.lower())
    subprocess.run(
        [
            sys.executable,
            "-m",
            "nbconvert",
            "--to",
            "notebook",
            "--execute",
            "--output-dir",
            str(tmp_path),
            "--ExecutePreprocessor.timeout=600",
            NOTEBOOK,
        ],
        env=environment,
        cwd=tmp_path,
        check=True,
    )
    ran = cells(tmp_path / "tuning.ipynb", "code")
    assert all(cell["execution_count"] for cell in ran)
    pictures = [cell for cell in ran if any("image/png" in output.get("data", {}) for output in cell["outputs"])]
    assert len(pictures) == 6, "five figures of the study, one of the comparison"
    printed = "".join("".join(output.get("text", "")) for cell in ran for output in cell["outputs"])
    assert "recommended: {'components': " in printed and "on new digits: locbo is better for " in printed
