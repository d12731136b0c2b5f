"""Builds the package: the extension, and beside it the C libraries if they are not installed."""
import os
import re
import shutil
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import build_ffi  # noqa: E402

LIBRARIES = ("liblocbo.so", "liblocbo-study.so")


class BuildWithLibraries(build_py):
    """Puts the libraries of a build folder of the tree into the package, under the names that the loader looks for."""

    def run(self):
        super().run()
        build = build_ffi.build_folder()
        for name in LIBRARIES if build else ():
            found = [f for f in os.listdir(build) if re.fullmatch(re.escape(name) + r"\.\d+(\.\d+)?", f)]
            shutil.copy2(os.path.join(build, found[0]), os.path.join(self.build_lib, "locbo", found[0]))


setup(
    cffi_modules=["build_ffi.py:in_package"],
    cmdclass={"build_py": BuildWithLibraries},
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
