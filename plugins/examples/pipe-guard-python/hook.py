"""No download goes into a shell, and a person is asked where the deployment says so."""

import json
import re

from componentize_py_types import Err
from wit_world import exports
from wit_world.imports import log
from wit_world.imports.types import Refusal_Ask, Refusal_Deny, SpawnContext

DOWNLOADERS = {"curl", "wget"}
SHELLS = {"sh", "bash", "zsh", "dash"}

# What a module does on import is done when the component is built, not in every call.
PIPELINE_END = re.compile(r"[;\n&]")
BLANK = re.compile(r"[ \t]")

# A command that contains one of these is asked about.
ask: list[str] = []


class Settings(exports.Settings):
    def configure(self, settings: str) -> None:
        members = json.loads(settings)
        texts = members.pop("ask", [])
        problems = [f"{name}: unknown setting, expected ask" for name in members]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            problems.append("ask: expected a list of texts")
        if problems:
            raise Err(problems)
        ask.extend(texts)


class SpawnHook(exports.SpawnHook):
    def before_spawn(self, spawn: SpawnContext) -> SpawnContext:
        if ("PIPE_GUARD", "off") in spawn.env:
            log.write(log.Level.WARN, "switched off by PIPE_GUARD")
            return spawn
        if pipes_download_into_shell(spawn.command):
            raise Err(
                Refusal_Deny("a download goes into a shell: save it, look at it, and run it then")
            )
        for text in ask:
            if text in spawn.command:
                raise Err(Refusal_Ask(f'Run a command with "{text}"?'))
        return spawn


def pipes_download_into_shell(command: str) -> bool:
    """Whether a part of a pipeline starts with a downloader, and a later one with a shell."""
    for pipeline in PIPELINE_END.split(command):
        downloads = False
        for part in pipeline.split("|"):
            if downloads and program(part) in SHELLS:
                return True
            downloads = downloads or program(part) in DOWNLOADERS
    return False


def program(part: str) -> str:
    """The first word, `sudo` aside."""
    words = (word for word in BLANK.split(part) if word not in ("", "sudo"))
    return next(words, "")
