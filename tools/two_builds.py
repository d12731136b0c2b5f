"""two_builds.py - builds of this project as tools/compare-lives and tools/record-old use them: a build folder that is
there, or one made of a git revision in a temporary folder."""
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAME_BITS = ("CMAKE_BUILD_TYPE", "CMAKE_C_FLAGS", "CMAKE_C_FLAGS_RELEASE", "CMAKE_C_COMPILER", "LOCBO_SANITIZE")


def impossible(words):
    print(words, file=sys.stderr)
    sys.exit(2)


def quietly(command, **more):
    """Run a command; its words are shown only if it fails, which ends this one too."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        impossible(f"{done.stdout}{shlex.join(command)}: exit code {done.returncode}")
    return done.stdout.strip()


class Build:
    def __init__(self, name, folder):
        self.name, self.folder = name, os.path.abspath(folder)
        with open(os.path.join(folder, "CMakeCache.txt")) as f:
            self.cache = dict(line.rstrip("\n").split("=", 1) for line in f if "=" in line and line[0] not in "#/")
        self.cache = {key.split(":")[0]: value for key, value in self.cache.items()}
        self.program = os.path.join(self.folder, "locbo")

    def has(self, function):
        """Whether its library has a function."""
        with open(os.path.join(self.include(), "locbo/locbo.h")) as f:
            return function in f.read()

    def include(self):
        return os.path.join(self.cache["CMAKE_HOME_DIRECTORY"], "include")

    def flags(self):
        return {key: self.cache.get(key, "") for key in SAME_BITS}

    def compile_lives(self, target):
        """tests/property/lives.c of this tree, with the public header and the shared library of that build."""
        known = {"-DLIVES_OUTPUTS": "locbo_outputs_create", "-DLIVES_SPACES": "locbo_space_add_constraint"}
        known = [option for option, function in known.items() if self.has(function)]
        quietly([self.cache.get("CMAKE_C_COMPILER", "cc"), "-std=c11", "-O1", *known, "-I", self.include(),
                 os.path.join(HERE, "tests/property/lives.c"), "-o", target, "-L", self.folder, "-llocbo", "-lm",
                 f"-Wl,-rpath,{self.folder}", "-Wl,--allow-shlib-undefined"])
        return target


def build_of(word, scratch):
    """`word` is a build folder, or a revision that is built below `scratch` as users get it."""
    if os.path.isdir(word):
        if not os.path.exists(os.path.join(word, "CMakeCache.txt")):
            impossible(f"{word} is not a build folder: it has no CMakeCache.txt")
        return Build(word, word)
    commit = quietly(["git", "-C", HERE, "rev-parse", "--verify", word + "^{commit}"])
    tree = os.path.join(scratch, "tree-" + commit[:12])
    if not os.path.exists(tree):
        print(f"building {word} ({commit[:12]}) ...", flush=True)
        os.makedirs(tree)
        quietly(["sh", "-c", f"git -C {shlex.quote(HERE)} archive {commit} | tar -x -C {shlex.quote(tree)}"])
        quietly(["cmake", "--preset", "release", "-DLOCBO_BUILD_TESTS=OFF", "-DLOCBO_BUILD_EXAMPLES=OFF",
                 "-DLOCBO_DASHBOARD=OFF"], cwd=tree)
        quietly(["cmake", "--build", "build", "-j2", "--target", "library", "program"], cwd=tree)
    return Build(word, os.path.join(tree, "build"))
