// The cases of pi's own tests for its bash tool that apply, and some that only hold here.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { AWAY, call, createBashTool, executeBashWithOperations, noneIsLeft, pidsAway, read, waitUntil } from "./tool.mjs";

const footer = (result) => /\[Showing [^\]]*Full output: ([^\]]*)\]/.exec(result.text);

function assertWhole(path, lines) {
  const expected = Array.from({ length: lines }, (_, at) => `${at + 1}\n`).join("");
  assert.equal(readFileSync(path, "utf8"), expected);
}

// The cases of the original's tests, by their numbers there, and some of our own.
export const CASES = {
  "T1 a command": async ({ options }) => {
    const result = await call(options, "echo 'test output'");
    assert.equal(result.text, "test output\n");
    assert.ok(!result.isError && result.details === undefined);
  },
  "T2 a command that fails": async ({ options }) => {
    const result = await call(options, "exit 1");
    assert.match(result.text, /Command exited with code 1$/);
    assert.ok(result.isError);
  },
  "T3 a time limit": async ({ options }) => {
    const result = await call(options, "sleep 100", { timeout: 1 });
    assert.equal(result.text, "Command timed out after 1 seconds");
  },
  "T4 a time limit after much output": async ({ options }) => {
    const result = await call(options, "seq 3000; sleep 100", { timeout: 5 });
    assert.match(result.text, /Command timed out after 5 seconds$/);
    assertWhole(footer(result)[1], 3000);
  },
  "T4 an abort after much output": async ({ options }) => {
    const aborter = new AbortController();
    const onUpdate = (shown) => shown.includes("\n3000") && aborter.abort();
    const result = await call(options, "seq 3000; sleep 100", { signal: aborter.signal, onUpdate });
    assert.match(result.text, /Command aborted$/);
    assertWhole(footer(result)[1], 3000);
  },
  "T5 no such directory": async ({ options }) => {
    const tool = createBashTool(join(process.cwd(), "nowhere"), options);
    await assert.rejects(tool.execute("call", { command: "touch ran" }), /nowhere/);
    assert.ok(!existsSync("ran"));
  },
  "T6 no such shell": async (_, way) => {
    const other = way.start("no-shell.toml");
    const result = await call(other.options, "touch ran");
    assert.match(result.text, /shell path not found: \/nowhere\/bash/);
    assert.ok(!existsSync("ran"));
    await other.end();
  },
  "T10 the prefix is seen": async ({ options }) => {
    const prefixed = { ...options, commandPrefix: "export TEST_VAR=hello" };
    assert.equal((await call(prefixed, "echo $TEST_VAR")).text, "hello\n");
  },
  "T11 what the prefix writes comes first": async ({ options }) => {
    const prefixed = { ...options, commandPrefix: "echo prefix-output" };
    assert.equal((await call(prefixed, "echo command-output")).text, "prefix-output\ncommand-output\n");
  },
  "T12 no prefix": async ({ options }) => {
    assert.equal((await call({ ...options, commandPrefix: undefined }, "echo none")).text, "none\n");
  },
  "T13 many chunks": async ({ options }) => {
    const result = await call(options, "for i in $(seq 5000); do echo line-$i; done");
    assert.match(result.text, /line-5000/);
    assert.ok(result.updates.length < 25 + result.structuredContent.wall_time_seconds * 10);
  },
  "T14 many lines": async ({ options }) => {
    const { details, ...result } = await call(options, "seq 4000");
    const { totalLines, outputLines } = details.truncation;
    assert.deepEqual([totalLines, outputLines], [4000, 2000]);
    assert.match(result.text, /\[Showing lines 2001-4000 of 4000\. Full output: /);
  },
  "T15 a character in two chunks": async ({ options }) => {
    const result = await call(options, "printf '\\342\\202'; sleep 0.2; printf '\\254\\n'");
    assert.equal(result.text, "€\n");
  },
  "T16 the environment that the tool says": async ({ options }) => {
    const spawnHook = ({ env, ...rest }) => {
      const { HOME, ...others } = env;
      return { ...rest, env: { ...others, OF_THE_HOOK: "made" } };
    };
    const command = "echo \"$OF_THE_HOOK, ${HOME-homeless}\"";
    assert.equal((await call({ ...options, spawnHook }, command)).text, "made, homeless\n");
  },
  "T17 what a user sees is cleaned": async ({ operations }) => {
    const command = "printf '\\033[31mred\\033[0m\\r\\n'";
    const result = await executeBashWithOperations(command, process.cwd(), operations);
    assert.deepEqual([result.output, result.exitCode], ["red\n", 0]);
  },
  "T18 all of it is in the file": async ({ options }) => {
    assertWhole((await call(options, "seq 3000")).details.fullOutputPath, 3000);
  },
  "T19 so it is for the user": async ({ operations }) => {
    const result = await executeBashWithOperations("seq 3000", process.cwd(), operations);
    assert.ok(result.truncated);
    await waitUntil("the file is written", () => read(result.fullOutputPath).endsWith("\n3000"));
    assertWhole(result.fullOutputPath, 3000);
  },
  "T20 what stays in the background": async ({ options, pids }) => {
    const started = Date.now();
    const result = await call(options, "printf DONE; (sleep 1000 & echo $! > left)");
    assert.ok(Date.now() - started < 2000 + 3000);
    assert.match(result.text, /^DONE/);
    assert.ok(!result.isError);
    pids.push(read("left"));
  },
  "T26 an abort ends the user's command": async ({ operations }) => {
    const aborter = new AbortController();
    const chunks = [];
    const onChunk = (chunk) => {
      chunks.push(chunk);
      aborter.abort();
    };
    const command = "echo begun; sleep 1000";
    const options = { signal: aborter.signal, onChunk };
    const result = await executeBashWithOperations(command, process.cwd(), operations, options);
    assert.deepEqual([result.output, result.cancelled, result.exitCode], ["begun\n", true, undefined]);
    assert.equal(chunks.join(""), "begun\n");
  },
  "T31 a signal": async ({ options }) => {
    const result = await call(options, "printf 'before\\n'; kill -KILL $$");
    assert.match(result.text, /^before\n.*Command exited with code 137$/s);
  },
  "T31 limits that are none": async ({ options }) => {
    for (const timeout of [0, -1, 2147483.648]) {
      const result = await call(options, "touch ran", { timeout });
      assert.match(result.text, /^Invalid timeout: /);
    }
    assert.ok(!existsSync("ran"));
  },
  "T31 aborted before it began": async ({ options }) => {
    const result = await call(options, "touch ran", { signal: AbortSignal.abort() });
    assert.equal(result.text, "Command aborted");
    assert.ok(!existsSync("ran"));
  },
  "T33 output and a code": async ({ options }) => {
    const result = await call(options, "printf failed; exit 7");
    assert.equal(result.text, "failed\n\nCommand exited with code 7");
  },
  "T33 one long line": async ({ options }) => {
    const result = await call(options, "printf '%060000d' 0");
    assert.match(result.text, /\[Showing last 50\.0KB of line 1 \(line is 58\.6KB\)\. Full output: /);
  },
  "an abort leaves nothing, however detached": async ({ options }) => {
    const aborter = new AbortController();
    const running = call(options, AWAY, { signal: aborter.signal });
    const pids = await pidsAway();
    aborter.abort();
    assert.equal((await running).text, "Command aborted");
    await noneIsLeft(pids);
  },
  "a time limit leaves nothing either": async ({ options }) => {
    const running = call(options, AWAY, { timeout: 3 });
    const pids = await pidsAway();
    assert.equal((await running).text, "Command timed out after 3 seconds");
    await noneIsLeft(pids);
  },
  "there is no input and no terminal": async ({ options }) => {
    const result = await call(options, "cat; echo done $?; test -t 1 || echo none");
    assert.equal(result.text, "done 0\nnone\n");
  },
  "calls side by side": async ({ options }) => {
    const meet = (mine, other) => `touch ${mine}; until [ -e ${other} ]; do sleep 0.02; done; echo ${mine}`;
    const [one, two] = await Promise.all([
      call(options, meet("one", "two")),
      call(options, meet("two", "one")),
    ]);
    assert.deepEqual([one.text, two.text], ["one\n", "two\n"]);
  },
  "a guard denies": async ({ options }) => {
    const result = await call(options, "touch ran; git push origin");
    assert.match(result.text, /denied by hook `policy`.*pushing is for people/s);
    assert.ok(result.isError && !existsSync("ran"));
  },
};
