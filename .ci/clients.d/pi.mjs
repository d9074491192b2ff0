// pi.mjs SPAWNHOOK FOLDER, in the workspace: pi's bash tool, by every way of running commands here.

import { rmSync } from "node:fs";
import { join } from "node:path";

import { CASES } from "./cases.mjs";
import { Rpc } from "./rpc.mjs";
import * as shell from "./shell.mjs";
import { folder, noneIsLeft, program, version } from "./tool.mjs";

function startRpc(file) {
  const rpc = new Rpc(program, ["--config", join(folder, file)]);
  const operations = { exec: rpc.exec };
  return { options: { operations }, operations, end: () => rpc.close() };
}

// `start` takes a config of FOLDER, and gives what the tool is made with, the operations of a
// command that a user types, and what ends it. `cases` are the way's own.
const WAYS = {
  "over rpc": { start: startRpc, cases: {} },
  "in a shell": { start: shell.start, cases: shell.CASES },
};

const FILES = ["ran", "left", "shell", "child", "one", "two"];

for (const [name, way] of Object.entries(WAYS)) {
  const pids = [];
  const running = way.start("config.toml");
  const cases = Object.entries({ ...CASES, ...way.cases });
  for (const [about, check] of cases) {
    for (const file of FILES) rmSync(file, { force: true });
    try {
      await check({ ...running, pids }, way);
    } catch (error) {
      error.message = `pi ${name}: ${about}: ${error.message}`;
      throw error;
    }
  }
  await running.end(pids);
  await noneIsLeft(pids);
  console.log(`pi ${version} runs ${cases.length} cases ${name}`);
}
