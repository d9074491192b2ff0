// pi with the program as its shell.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { AWAY, call, createLocalBashOperations, folder, main, noneIsLeft, pidsAway, program } from "./tool.mjs";

// What ends with `end`, and how the tool is told of it.
export function start(file) {
  const [home, before] = [join(folder, `shell-${file}`), process.env.XDG_CONFIG_HOME];
  const shellPath = join(home, "spawnhook-sh");
  mkdirSync(join(home, "spawnhook"), { recursive: true });
  copyFileSync(join(folder, file), join(home, "spawnhook/config.toml"));
  symlinkSync(program, shellPath);
  process.env.XDG_CONFIG_HOME = home;
  const end = (left = []) => {
    // What a command leaves behind outlives a shell.
    for (const pid of left) process.kill(pid, "SIGKILL");
    if (before === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = before;
  };
  return { options: { shellPath }, operations: createLocalBashOperations({ shellPath }), end };
}

const withEnv = (options, variables) => ({
  ...options,
  exposeSessionEnvironment: false,
  spawnHook: ({ env, ...rest }) => ({ ...rest, env: { ...env, ...variables } }),
});

function entries() {
  const log = readFileSync(join(process.env.XDG_STATE_HOME, "spawnhook/audit.jsonl"), "utf8");
  return log.trim().split("\n").map((line) => JSON.parse(line).entry);
}

// Cases that are others here, by the same names, and those that are nowhere else.
export const CASES = {
  // As far as the deployment lets it.
  "T16 the environment that the tool says": async ({ options }) => {
    const variables = { LC_TEST: "kept", SOME_API_KEY: "secret" };
    const result = await call(withEnv(options, variables), 'echo "$LC_TEST <$SOME_API_KEY>"');
    assert.equal(result.text, "kept <>\n");
  },
  "T6 a path that leads nowhere": async () => {
    const result = await call({ shellPath: "/nowhere/bash" }, "true");
    assert.equal(result.text, "Custom shell path not found: /nowhere/bash");
  },
  "the record names the session": async ({ options }) => {
    const variables = { PI_SESSION_ID: "session-of-pi", PI_MODEL: "model-of-pi" };
    const command = "echo $PI_MODEL # once";
    assert.equal((await call(withEnv(options, variables), command)).text, "model-of-pi\n");
    const { origin, session } = entries().find((entry) => entry?.command === command);
    assert.deepEqual([origin, session.id, session.model], ["shell", "session-of-pi", "model-of-pi"]);
  },
  "nothing outlives a pi that is killed": async ({ options }) => {
    const [cwd, its, command] = [process.cwd(), options, AWAY].map((value) => JSON.stringify(value));
    const text = `const { createBashTool } = await import(${JSON.stringify(main)});
      await createBashTool(${cwd}, ${its}).execute("call", { command: ${command} });`;
    const pi = spawn(process.execPath, ["--input-type=module", "--eval", text]);
    const pids = await pidsAway();
    pi.kill("SIGKILL");
    await noneIsLeft(pids);
  },
};
