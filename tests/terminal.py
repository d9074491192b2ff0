"""Runs a program on a terminal of its own: terminal.py STEPS PROGRAM [ARGUMENT...].

STEPS is JSON: pairs of what to wait for and what to do then: a text is typed, {"size": [COLUMNS,
ROWS]} gives the terminal another size, {"create": FILE} creates an empty file. What waits for
nothing is done before the program starts. Prints what the terminal showed; exits as the program
did, or with 99 if it waited in vain.
"""

import fcntl
import json
import os
import select
import struct
import sys
import termios
import time

steps, arguments = json.loads(sys.argv[1]), sys.argv[2:]
ours, theirs = os.openpty()
may_start, start = os.pipe()


def do(action):
    if isinstance(action, str):
        os.write(ours, action.encode())
    elif "size" in action:
        columns, rows = action["size"]
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    else:
        open(action["create"], "w").close()


child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
    for descriptor in range(3):
        os.dup2(theirs, descriptor)
    os.read(may_start, 1)
    os.closerange(3, 20)
    os.execvp(arguments[0], arguments)
os.close(theirs)
shown, seen, deadline = b"", 0, time.monotonic() + 60
while steps and not steps[0][0]:
    do(steps.pop(0)[1])
os.write(start, b"x")
while True:
    if steps and steps[0][0].encode() in shown[seen:]:
        awaited, action = steps.pop(0)
        seen = shown.index(awaited.encode(), seen) + len(awaited.encode())
        do(action)
    if not select.select([ours], [], [], max(0, deadline - time.monotonic()))[0]:
        os.write(1, shown)
        sys.exit(99)
    try:
        data = os.read(ours, 4096)
    except OSError:
        data = b""
    if not data:
        break
    shown += data
os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) % 256)
