// The bash tool of pi with `spawnhook` as its shell: pi-shell.mjs LINK, in the workspace, where LINK is
// a link to the program named spawnhook-sh. Scenarios of pi's own tests, as they are without it, and
// what no shell of its own does for it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createBashTool, createLocalBashOperations } from "@earendil-works/pi-coding-agent";

const shellPath = process.argv[2];
const workspace = process.cwd();
const tool = (options = {}, cwd = workspace) => createBashTool(cwd, { shellPath, ...options });

async function run(command, { options, cwd, signal, onUpdate, ...parameters } = {}) {
  const bash = tool(options, cwd);
  try {
    const result = await bash.execute("call", { command, ...parameters }, signal, onUpdate);
    return { ...result, text: result.content[0].text };
  } catch (error) {
    return { text: error.message, isError: true, thrown: true };
  }
}

async function until(what, condition) {
  for (const deadline = Date.now() + 30_000; !condition(); await sleep(20)) {
    assert(Date.now() < deadline, `waited in vain until ${what}`);
  }
}

const runs = (pid) => {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

/** The pids that a command has written to `pids`, once there are as many. */
async function pidsOf(count) {
  const read = () => (existsSync("pids") ? readFileSync("pids", "utf8").trim().split(/\s+/) : []);
  await until("the command runs", () => read().length >= count);
  const pids = read();
  rmSync("pids");
  return pids;
}

// Where a kill of the group does not reach.
const AWAY = "setsid sleep 1000 & echo $$ $! > pids; sleep 1000";

const scenarios = {
  async "T1 text comes back without details"() {
    const { text, details, isError } = await run("echo test output");
    assert.deepEqual([text, details, isError], ["test output\n", undefined, undefined]);
  },
  async "T2 a code is told"() {
    const { text, isError, structuredContent } = await run("exit 1");
    assert.match(text, /Command exited with code 1$/);
    assert.deepEqual([isError, structuredContent.exit_code], [true, 1]);
  },
  async "T3 a time limit ends it, and all that it has started"() {
    const timed = run(AWAY, { timeout: 2 });
    const pids = await pidsOf(2);
    assert.equal((await timed).text, "Command timed out after 2 seconds");
    await until("nothing is left", () => !pids.some(runs));
  },
  async "T5 a missing directory is named"() {
    const { text } = await run("true", { cwd: "/no/such/directory" });
    assert.match(text, /^Working directory does not exist: \/no\/such\/directory/);
  },
  async "T6 a missing shell is named"() {
    const { text } = await run("true", { options: { shellPath: `${shellPath}-no` } });
    assert.equal(text, `Custom shell path not found: ${shellPath}-no`);
  },
  async "T10 what the prefix exports is there"() {
    const { text } = await run("echo $FROM_PREFIX", { options: { commandPrefix: "export FROM_PREFIX=x" } });
    assert.equal(text, "x\n");
  },
  async "T11 the prefix speaks first"() {
    const { text } = await run("echo second", { options: { commandPrefix: "echo first" } });
    assert.equal(text, "first\nsecond\n");
  },
  async "T13 many chunks make few updates"() {
    let updates = 0;
    const { text } = await run("seq 5000", { onUpdate: () => (updates += 1) });
    assert(updates < 25 && text.includes("\n5000"), `${updates} updates`);
  },
  async "T14 lines are counted"() {
    const { details } = await run("seq 4000");
    const { totalLines, outputLines } = details.truncation;
    assert.deepEqual([totalLines, outputLines], [4000, 2000]);
  },
  async "T15 a character in two pieces stays whole"() {
    const { text } = await run(`printf '\\342'; sleep 0.2; printf '\\202\\254\\n'`);
    assert.equal(text, "€\n");
  },
  async "T16 operations have the variables that they are given, as far as the deployment lets them"() {
    const operations = createLocalBashOperations({ shellPath });
    const chunks = [];
    const env = { ...process.env, LC_TEST: "kept", SOME_API_KEY: "secret" };
    const command = 'echo "$LC_TEST <$SOME_API_KEY>"; exit 3';
    const { exitCode } = await operations.exec(command, workspace, { onData: (data) => chunks.push(data), env });
    assert.deepEqual([exitCode, Buffer.concat(chunks).toString()], [3, "kept <>\n"]);
  },
  async "T18 what is cut is whole in the file"() {
    const { details } = await run("seq 3000");
    const lines = readFileSync(details.fullOutputPath, "utf8").trimEnd().split("\n");
    assert.deepEqual([lines.length, lines[0], lines[2999]], [3000, "1", "3000"]);
  },
  async "T20 a background process holds up nothing, and lives on"() {
    const { text, isError } = await run("printf DONE; sleep 1000 & echo $! > pids");
    assert.deepEqual([text, isError], ["DONE", undefined]);
    const [pid] = await pidsOf(1);
    assert(runs(pid));
    process.kill(pid);
  },
  async "an abort ends it, and all that it has started"() {
    const controller = new AbortController();
    const aborted = run(AWAY, { signal: controller.signal });
    const pids = await pidsOf(2);
    controller.abort();
    assert.equal((await aborted).text, "Command aborted");
    await until("nothing is left", () => !pids.some(runs));
  },
  async "a signal's death is no success"() {
    const { text, structuredContent } = await run("echo before; kill -KILL $$");
    assert.match(text, /^before\n\n\nCommand exited with code 137$/);
    assert.equal(structuredContent.exit_code, 137);
  },
  async "standard input is at its end and there is no terminal"() {
    const { text } = await run("cat; echo done $?; test -t 1 || echo none");
    assert.equal(text, "done 0\nnone\n");
  },
  async "a guard's denial is what the model reads"() {
    const { text, structuredContent } = await run("git tag x");
    assert.match(text, /^spawnhook: Command denied by hook `policy`: .*tags are for people/);
    assert.equal(structuredContent.exit_code, 126);
  },
  async "the record names the session of pi"() {
    process.env.PI_SESSION_ID = "session-of-pi";
    process.env.PI_MODEL = "model-of-pi";
    const options = { exposeSessionEnvironment: false, spawnHook: (context) => ({ ...context, env: process.env }) };
    const { text } = await run("echo $PI_MODEL # once", { options });
    assert.equal(text, "model-of-pi\n");
    const log = readFileSync(`${process.env.XDG_STATE_HOME}/spawnhook/audit.jsonl`, "utf8");
    const records = log.trim().split("\n").map((line) => JSON.parse(line));
    const { entry } = records.find(({ entry }) => entry.command === "echo $PI_MODEL # once");
    assert.deepEqual([entry.origin, entry.session.id, entry.session.model], ["shell", "session-of-pi", "model-of-pi"]);
  },
  async "nothing outlives a pi that is killed"() {
    const call = `await (await import("@earendil-works/pi-coding-agent")).createBashTool(${JSON.stringify(workspace)}, \
      { shellPath: ${JSON.stringify(shellPath)} }).execute("call", { command: ${JSON.stringify(AWAY)} })`;
    const pi = spawn(process.execPath, ["--input-type=module", "--eval", call], { cwd: import.meta.dirname });
    const pids = await pidsOf(2);
    pi.kill("SIGKILL");
    await until("nothing is left", () => !pids.some(runs));
  },
};

for (const [name, scenario] of Object.entries(scenarios)) {
  await scenario();
  console.log(`pi: ${name}`);
}
