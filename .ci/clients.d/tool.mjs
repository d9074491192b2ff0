// pi's bash tool, called as an agent calls it: pi is FOLDER of pi.mjs.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const [program, folder] = process.argv.slice(2).map((path) => resolve(path));
const packageFolder = join(folder, "pi/node_modules/@earendil-works/pi-coding-agent");
const part = (name) => pathToFileURL(join(packageFolder, "dist", name)).href;
export const main = part("index.js");
export const version = createRequire(import.meta.url)(join(packageFolder, "package.json")).version;
export const { createBashTool, createLocalBashOperations } = await import(main);
export const { executeBashWithOperations } = await import(part("core/bash-executor.js"));

export async function waitUntil(what, holds) {
  for (const until = Date.now() + 30_000; !holds(); ) {
    assert.ok(Date.now() < until, `waited in vain until ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

const text = (result) => result.content.map((block) => block.text).join("");

// What a model reads of a command, however it ended, and what the user's view gets meanwhile.
export async function call(options, command, { timeout, signal, onUpdate } = {}) {
  const updates = [];
  const update = (result) => {
    updates.push(result);
    onUpdate?.(text(result));
  };
  const tool = createBashTool(process.cwd(), options);
  try {
    const result = await tool.execute("call", { command, timeout }, signal, update);
    return { ...result, text: text(result), updates };
  } catch (error) {
    return { text: error.message, isError: true, updates };
  }
}

// What has ended and waits for somebody to hear of it runs no more.
export function alive(pid) {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export const read = (name) => (existsSync(name) ? readFileSync(name, "utf8").trim() : "");

// Where a kill of the group does not reach, with the pids in `shell` and `child`.
export const AWAY = "setsid sleep 1000 & echo $! > child; echo $$ > shell; sleep 1000";

export async function pidsAway() {
  await waitUntil("it runs", () => read("shell") && read("child"));
  return [read("shell"), read("child")];
}

export const noneIsLeft = (pids) => waitUntil("nothing is left", () => !pids.some(alive));
