// No download goes into a shell, and a person is asked where the deployment says so.

import { write } from "spawnhook:hook/log@0.1.0";

const DOWNLOADERS = ["curl", "wget"];
const SHELLS = ["sh", "bash", "zsh", "dash"];

/** A command that contains one of these is asked about. */
let ask = [];

export const settings = {
  configure(text) {
    const { ask: texts = [], ...unknown } = JSON.parse(text);
    const problems = Object.keys(unknown).map((name) => `${name}: unknown setting, expected ask`);
    if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) {
      problems.push("ask: expected a list of texts");
    }
    if (problems.length > 0) throw problems;
    ask = texts;
  },
};

export const spawnHook = {
  beforeSpawn(spawn) {
    if (spawn.env.some(([name, value]) => name === "PIPE_GUARD" && value === "off")) {
      write("warn", "switched off by PIPE_GUARD");
      return spawn;
    }
    if (pipesDownloadIntoShell(spawn.command)) {
      throw {
        tag: "deny",
        val: "a download goes into a shell: save it, look at it, and run it then",
      };
    }
    const found = ask.find((text) => spawn.command.includes(text));
    if (found !== undefined) throw { tag: "ask", val: `Run a command with "${found}"?` };
    return spawn;
  },
};

/** Whether a part of a pipeline starts with a downloader, and a later one with a shell. */
function pipesDownloadIntoShell(command) {
  return command.split(/[;\n&]/).some((pipeline) => {
    const programs = pipeline.split("|").map(program);
    const download = programs.findIndex((name) => DOWNLOADERS.includes(name));
    return download >= 0 && programs.slice(download + 1).some((name) => SHELLS.includes(name));
  });
}

/** The first word, `sudo` aside. */
function program(part) {
  return part.split(/[ \t]/).find((word) => word !== "" && word !== "sudo") ?? "";
}
