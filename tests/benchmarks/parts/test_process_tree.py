import subprocess
import sys

from benchmarks.parts.process_tree import cpu_seconds, peak_memory

# A child that starts a child of its own, which holds 64 MiB for a second.
NESTED = """
import subprocess, sys
code = "import time; block = bytearray(b'x') * 2**26; time.sleep(1)"
subprocess.run([sys.executable, "-c", code], check=True)
"""
BUSY = """
import time
while time.process_time() < 0.5:
    pass
print("done", flush=True)
input()
"""


def test_a_living_childs_time_counts():
    before = cpu_seconds()
    command = [sys.executable, "-c", BUSY]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as child:
        assert child.stdout.readline() == "done\n"
        assert cpu_seconds() - before >= 0.45
        child.stdin.write("\n")
    assert cpu_seconds() - before >= 0.45


def test_the_peak_of_a_grandchild_is_seen():
    with peak_memory() as peaks:
        subprocess.run([sys.executable, "-c", NESTED], check=True)
    assert max(peaks.values()) > 2**26
