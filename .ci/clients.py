"""The official SDK as a client: clients.py SPAWNHOOK CONFIG, in the workspace."""

import asyncio
import os
import sys
import time

import mcp_types as types
from mcp import Client, StdioServerParameters

PROGRAM, CONFIG = (os.path.abspath(argument) for argument in sys.argv[1:])


class User:
    """Answers questions, and keeps them."""

    def __init__(self):
        self.asked = []
        self.agrees = True

    async def __call__(self, _context, params):
        self.asked.append(params.message)
        return types.ElicitResult(action="accept", content={"run": self.agrees})


def client(mode, user=None):
    server = StdioServerParameters(
        command=PROGRAM,
        args=["mcp", "--config", CONFIG],
        env={name: os.environ[name] for name in ("HOME", "XDG_STATE_HOME")},
        cwd=os.getcwd(),
    )
    return Client(server, mode=mode, elicitation_callback=user)


def text(result):
    (block,) = result.content
    return block.text


async def wait_until(what, condition):
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until, f"waited in vain until {what}"
        await asyncio.sleep(0.02)


async def lists(mode):
    async with client(mode) as session:
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == ["bash", "bash_output", "bash_kill", "bash_list"]
        assert all(tool.output_schema for tool in tools)


async def calls(mode):
    """The SDK checks the structured content against the schema of the tool."""
    async with client(mode) as session:
        await session.list_tools()
        result = await session.call_tool("bash", {"command": "echo one; echo two >&2; exit 3"})
        assert result.is_error and text(result).endswith("Command exited with code 3"), result
        assert result.structured_content["output"] == "one\ntwo\n", result
        result = await session.call_tool("bash", {"command": "seq 3000"})
        assert not result.is_error and result.structured_content["truncated"], result
        result = await session.call_tool("bash", {"command": "true", "timeout": "soon"})
        assert result.is_error and "`timeout`" in text(result), result


async def tells_progress(mode):
    told = []

    async def progress(progress, total, message):
        told.append((progress, message))

    command = "echo one; until [ -e go ]; do sleep 0.02; done; rm go"
    async with client(mode) as session:
        call = session.call_tool("bash", {"command": command}, progress_callback=progress)
        call = asyncio.create_task(call)
        await wait_until("there is progress", lambda: any(message == "one\n" for _, message in told))
        open("go", "w").close()
        assert text(await call) == "one\n"


async def cancels(mode):
    async with client(mode) as session:
        command = "(setsid sleep 1000 & echo $! > child); echo $$ > shell; sleep 1000"
        call = asyncio.create_task(session.call_tool("bash", {"command": command}))
        await wait_until("it runs", lambda: os.path.exists("shell") and os.path.getsize("shell"))
        pids = [open(name).read().strip() for name in ("shell", "child")]
        call.cancel()
        alive = lambda: [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
        await wait_until("nothing is left", lambda: not alive())
        os.remove("shell")
        assert text(await session.call_tool("bash", {"command": "echo still"})) == "still\n"


async def asks(mode):
    user = User()
    async with client(mode, user) as session:
        for user.agrees, ending in [(True, "exited"), (False, "denied")]:
            result = await session.call_tool("bash", {"command": "echo in; git tag 2>/dev/null; true"})
            assert result.structured_content["ending"] == ending, result
    assert len(user.asked) == 2 and all("git tag" in message for message in user.asked), user.asked
    async with client(mode) as session:
        result = await session.call_tool("bash", {"command": "git tag"})
        assert "cannot be asked" in text(result), result


async def follows(mode):
    async with client(mode) as session:
        await session.list_tools()
        command = "echo one; until [ -e go ]; do sleep 0.02; done; rm go; echo two"
        started = await session.call_tool("bash", {"command": command, "background": True})
        handle = started.structured_content["handle"]
        open("go", "w").close()
        result = await session.call_tool("bash_output", {"handle": handle, "cursor": 0, "wait": 30})
        assert result.structured_content["output"] == "one\ntwo\n", result
        started = await session.call_tool("bash", {"command": "sleep 1000", "background": True})
        handle = started.structured_content["handle"]
        listed = (await session.call_tool("bash_list", {})).structured_content["calls"]
        assert [call["ending"] for call in listed] == ["exited", None], listed
        result = await session.call_tool("bash_kill", {"handle": handle})
        assert result.structured_content["result"]["ending"] == "cancelled", result


async def main():
    for mode in ("legacy", "auto"):
        for check in (lists, calls, tells_progress, cancels, asks, follows):
            await check(mode)
            print(f"the SDK {check.__name__.replace('_', ' ')} ({mode})")


asyncio.run(main())
