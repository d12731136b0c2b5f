"""Workers in a real batch system: a Slurm cluster on loopback, whose five nodes are daemons of this machine, and a
PostgreSQL server. An array of four workers, by examples/slurm.sbatch: one job is cancelled, one node loses its daemon,
one node fails as a whole. No trial is lost, none is measured twice. And jobs that are told before their time limit
finish their trial and end.

All of it is in a process namespace of its own, so nothing survives this test, however it ends. Where there is no Slurm,
or it runs no job, the test is skipped."""
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from typing import Callable, NoReturn

from common import ENVIRONMENT, HERE, LOCBO, check, locbo, program, run_in_own_folder, trials, wait_until

Daemons = dict[str, subprocess.Popen]

SKIPPED = 77
DAEMONS = ("munged", "slurmctld", "slurmd")
NODES = [f"n{i}" for i in range(1, 6)]  # the last one is for the jobs with a time limit
TOTAL, FREE = 40, 12  # trials; those after the first FREE wait until the test lets them go
DB = os.environ.get("LOCBO_TEST_DB")

CONFIGURATION = """
ClusterName=locbo
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthInfo=socket={here}/munge.socket,cred_expire=5
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/%n
SlurmctldPidFile={here}/slurmctld.pid
SlurmdPidFile={here}/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2
ReturnToService=2
SlurmdTimeout=10
{nodes}
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=UNLIMITED State=UP
PartitionName=timed Nodes=n5 MaxTime=UNLIMITED State=UP
"""


def skip(*words: str) -> NoReturn:
    print("skipped: cli_slurm:", *words)
    sys.exit(SKIPPED)


# ---- the cluster ------------------------------------------------------------------------------------


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def daemon(name: str, *words: str) -> subprocess.Popen:
    """Its words are in the file NAME.words."""
    with open(f"{name}.words", "a") as words_file:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=words_file, stderr=words_file, env=ENVIRONMENT)


def start_node(node: str) -> subprocess.Popen:
    return daemon(node, "slurmd", "-D", "-N", node)


def last_words() -> str:
    """The last complaint of each daemon, in one line."""
    said = []
    for path in sorted(glob.glob("*.words")):
        with open(path, errors="replace") as f:
            said += [line.strip() for line in f if "fatal" in line or "error" in line.lower()][-1:]
    return "; ".join(said) or "they say nothing"


def slurm(*words: str, code: int | None = 0) -> subprocess.CompletedProcess:
    done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
    check(code is None or done.returncode == code, *words, "ended with", done.returncode, done.stdout, done.stderr)
    return done


def answers() -> bool:
    """All nodes are there."""
    rows = slurm("sinfo", "-h", "-N", "-o", "%N %T", code=None).stdout.splitlines()
    return sorted(rows) == [f"{node} idle" for node in NODES]


def wait_or_skip(condition: Callable[[], bool], words: str, seconds: float = 60) -> None:
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            skip(words, last_words())
        time.sleep(0.2)


def configure(here: str) -> None:
    host = socket.gethostname()
    ports = free_ports(1 + len(NODES))
    nodes = [f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={3 if node == 'n5' else 1}"
             for node, port in zip(NODES, ports[1:])]
    with open("slurm.conf", "w") as f:
        f.write(CONFIGURATION.format(host=host, here=here, ports=ports, nodes="\n".join(nodes)))
    for folder in ["state", *NODES]:
        os.mkdir(folder)
    with open("munged.key", "wb") as f:
        f.write(os.urandom(1024))
    os.chmod("munged.key", 0o400)
    os.chmod(here, 0o755)
    path = f"{os.path.dirname(os.path.abspath(LOCBO))}:{os.environ['PATH']}"
    ENVIRONMENT.update(SLURM_CONF=f"{here}/slurm.conf", PATH=path, LOCBO_DB=DB)


def start_cluster(daemons: Daemons) -> None:
    here = os.getcwd()
    configure(here)
    files = [f"--{word}-file={here}/munged.{word}" for word in ("key", "log", "pid", "seed")]
    daemons["munged"] = daemon("munged", "munged", "--force", "-F", "-S", f"{here}/munge.socket", *files)
    wait_or_skip(lambda: os.path.exists("munge.socket"), "munged does not start:")
    daemons["slurmctld"] = daemon("slurmctld", "slurmctld", "-D", "-i")
    daemons.update((node, start_node(node)) for node in NODES)
    wait_or_skip(answers, "Slurm does not start:")
    probe = slurm("srun", "-p", "timed", "--immediate=30", "true", code=None)
    if probe.returncode != 0:
        skip("Slurm runs no job:", " ".join(probe.stderr.split()), last_words())


# ---- its jobs ---------------------------------------------------------------------------------------


def submit(*words: str) -> int:
    return int(slurm("sbatch", "--parsable", *words).stdout)


def tasks(job: int) -> dict[int, dict[str, str]]:
    """The tasks of a job by their number (0 if it is no array), each with the words of `scontrol show job`."""
    shown = slurm("scontrol", "show", "job", "-o", str(job)).stdout
    rows = [dict(re.findall(r"(\S+?)=(\S*)", line)) for line in shown.splitlines()]
    return {int(row.get("ArrayTaskId", 0)): row for row in rows}


def is_in(task: dict[str, str], state: str, restarts: int = 0) -> bool:
    return task["JobState"] == state and int(task["Restarts"]) == restarts


def log_of(path: str) -> str:
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as f:
        return f.read()


def status_of(pid: int | str) -> dict[str, str]:
    with open(f"/proc/{pid}/status") as f:
        return dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)


def processes_of(node: str) -> dict[int, dict[str, str]]:
    """What the jobs of a node have started, by the node's name in the environment: process numbers and states."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if f"SLURMD_NODENAME={node}".encode() in f.read().split(b"\0"):
                    found[int(pid)] = status_of(pid)
        except OSError:
            pass  # it has ended
    return found


def fail_node(node: str) -> None:
    """All of it at once, for those outside: first the daemons of its steps, which would report it."""
    found = processes_of(node)
    parents = {int(state["PPid"]) for state in found.values()} - found.keys()
    for pid in [*(pid for pid in parents if status_of(pid)["Name"] == "slurmstepd"), *found]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def states(name: str) -> list[str]:
    return [t["state"] for t in trials("--db", DB, "--name", name)]


def count(name: str, state: str) -> int:
    return states(name).count(state)


def exported(name: str) -> list[dict]:
    return json.loads(locbo("export", "--db", DB, "--name", name).stdout)["trials"]


def lost(name: str) -> int:
    return sum(t["lost"] for t in exported(name))


# ---- what is tested ---------------------------------------------------------------------------------


def create(name: str, script: str, *more: str | int) -> None:
    program(name, "#!/bin/sh\n" + script)
    command = "--", os.path.abspath(name), "{x}", "{trial}"
    locbo("create", "--db", DB, "--name", name, "-p", "x~float(0,1)", *more, *command)


SBATCH = os.path.join(os.path.abspath(HERE), "../../examples/slurm.sbatch")


TOLD = "asked to finish (SIGUSR1); trials still running: 1"


def begin_timed() -> tuple[int, int, int]:
    """One by the example, one whose worker is a step, one whose worker replaces the script. The first trial of each ends
    only after the signal, when the worker has said so. The step's evaluation is signalled too."""
    for name in "scripted", "stepped", "direct":
        wait = f"until grep -q '{TOLD}' {os.getcwd()}/{name}.log; do sleep 0.2; done"
        create(name, f"[ $2 -gt 1 ] || {{ {wait}; sleep 1; }}\necho 0.5\n", "-n", 2)
    limits = "-p", "timed", "--time=1", "--cpus-per-task=1", "-o"
    return (submit(*limits, "scripted.log", "--array=1", "--signal=B:USR1@20", SBATCH, "scripted"),
            submit(*limits, "stepped.log", "--signal=USR1@20", "--wrap", "srun locbo work --name stepped"),
            submit(*limits, "direct.log", "--signal=B:USR1@20", "--wrap", "exec locbo work --name direct"))


def end_timed(scripted: int, stepped: int, direct: int) -> None:
    """They have finished their trial; the example has queued itself again, and then did the other one."""
    wait_until(lambda: is_in(tasks(scripted)[1], "COMPLETED", 1), 120)
    wait_until(lambda: is_in(tasks(stepped)[0], "COMPLETED") and is_in(tasks(direct)[0], "COMPLETED"), 120)
    for name, done in ("scripted", 2), ("stepped", 1), ("direct", 1):
        found = [(t["state"], t["attempt"]) for t in exported(name)]
        check(found == [("COMPLETE", 1)] * done, name, found, log_of(f"{name}.log"))


def begin_array() -> int:
    """Every evaluation that comes to its end writes a line; those of the first trials come there by themselves."""
    here = os.getcwd()
    wait = f"[ $2 -le {FREE} ] || while [ ! -e {here}/open ]; do sleep 0.1; done"
    create("array", f"{wait}\nsleep 0.1\necho $2 >>{here}/ended\necho $1\n", "-n", TOTAL)
    return submit("--array=1-4", "--cpus-per-task=1", "-o", "array-%a.log", SBATCH, "array")


def disturb_array(job: int, daemons: Daemons) -> None:
    wait_until(lambda: count("array", "COMPLETE") == FREE and count("array", "RUNNING") == 4, 120)
    nodes = {number: task["NodeList"] for number, task in tasks(job).items()}
    check(sorted(nodes.values()) == NODES[:4], "the tasks run on", nodes)

    slurm("scancel", f"{job}_1")
    wait_until(lambda: is_in(tasks(job)[1], "CANCELLED"))
    wait_until(lambda: not processes_of(nodes[1]))
    check(count("array", "WAITING") == 1 and lost("array") == 0, "not handed back:", states("array"), lost("array"))

    for number in 2, 3:
        daemons[nodes[number]].kill()
        daemons[nodes[number]].wait()
    fail_node(nodes[3])
    wait_until(lambda: all(int(tasks(job)[number]["Restarts"]) == 1 for number in (2, 3)), 120)
    left = [pid for pid, state in processes_of(nodes[2]).items() if state["Name"] == "locbo"]
    check(len(left) == 1, "the worker ended with its node's daemon")
    for number in 2, 3:
        daemons[nodes[number]] = start_node(nodes[number])
    wait_until(lambda: not os.path.exists(f"/proc/{left[0]}"), 120)  # Slurm kills what it does not expect there
    wait_until(lambda: all(is_in(tasks(job)[number], "RUNNING", 1) for number in (2, 3)), 120)


def end_array(job: int) -> None:
    open("open", "w").close()
    wait_until(lambda: all(is_in(tasks(job)[number], "COMPLETED", number in (2, 3)) for number in (2, 3, 4)), 120)
    listed = trials("--db", DB, "--name", "array")
    check([t["trial"] for t in listed] == list(range(1, TOTAL + 1)), "numbers", [t["trial"] for t in listed])
    check(all(t["state"] == "COMPLETE" and len(t["values"]) == 1 for t in listed), "not all complete once", listed)
    ended = sorted(map(int, log_of("ended").split()))
    check(ended == list(range(1, TOTAL + 1)), "evaluations that came to their end:", ended)
    check(lost("array") == 2, "lost with the workers of two nodes:", lost("array"))


def main() -> None:
    daemons = {}
    try:
        start_cluster(daemons)
        timed = begin_timed()
        job = begin_array()
        disturb_array(job, daemons)
        end_array(job)
        end_timed(*timed)
    finally:  # then the folder can be removed
        for process in daemons.values():
            process.kill()
            process.wait()
    print(f"{TOTAL} trials by 4 jobs, of which one was cancelled and two lost their node;",
          "3 jobs ended before their time limit")


def enter_namespace() -> NoReturn:
    """A shell is the first process there, since it waits for those that others leave behind."""
    rights = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    own = ["unshare", *rights, "--pid", "--fork", "--kill-child", "--mount-proc"]
    if subprocess.run([*own, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("no process namespace can be made")
    test = sys.executable, "-B", os.path.abspath(__file__), "inside"
    os.execvp(own[0], [*own, "sh", "-c", '"$@"; exit $?', "sh", *test])


os.environ["PATH"] += ":/usr/sbin:/sbin"
missing = [name for name in DAEMONS if not shutil.which(name)]
if missing:
    skip("not installed:", ", ".join(missing), "(Debian's packages munge and slurm-wlm)")
if sys.argv[1:] == ["inside"]:
    run_in_own_folder(main)
else:
    enter_namespace()
