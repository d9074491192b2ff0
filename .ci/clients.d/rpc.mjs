// Operations for pi's bash tool that run commands over `spawnhook rpc`: what an extension for pi
// would have in it.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// The variables that differ from what the server was started with; null removes one.
function differing(env) {
  const names = new Set([...Object.keys(env), ...Object.keys(process.env)]);
  const differs = [...names].filter((name) => env[name] !== process.env[name]);
  return Object.fromEntries(differs.map((name) => [name, env[name] ?? null]));
}

// What the tool makes of an ending.
function ended(result, timeout) {
  switch (result.ending) {
    case "exited":
    case "signaled":
      return { exitCode: result.exit_code };
    case "cancelled":
      throw new Error("aborted");
    case "timed-out":
      throw new Error(`timeout:${timeout}`);
    default:
      throw new Error(result.message);
  }
}

export class Rpc {
  #server;
  #calls = new Map();
  #started = 0;

  constructor(program, args) {
    this.#server = spawn(program, ["rpc", ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.#server.stdin.on("error", () => {});
    this.closed = new Promise((resolve) => this.#server.once("close", resolve));
    createInterface({ input: this.#server.stdout }).on("line", (line) => this.#hear(JSON.parse(line)));
    this.closed.then(() => {
      for (const call of this.#calls.values()) call.reject(new Error("the server is gone"));
    });
  }

  #hear(line) {
    const call = this.#calls.get(line.id);
    if (line.type === "bash_execution_update") call.onData(Buffer.from(line.delta));
    if (line.type === "bash_execution_end") call.result = line.result;
    if (line.type === "response" && line.command === "bash") {
      this.#calls.delete(line.id);
      if (line.success) call.resolve(call.result);
      else call.reject(new Error(line.error));
    }
  }

  #send(request) {
    this.#server.stdin.write(`${JSON.stringify(request)}\n`);
  }

  close() {
    this.#server.stdin.end();
    return this.closed;
  }

  // `BashOperations` of pi.
  exec = async (command, cwd, { onData, signal, timeout, env }) => {
    if (signal?.aborted) throw new Error("aborted");
    const id = `${++this.#started}`;
    const ends = new Promise((resolve, reject) => this.#calls.set(id, { onData, resolve, reject }));
    const abort = () => this.#send({ type: "abort_bash", bashId: id });
    signal?.addEventListener("abort", abort, { once: true });
    try {
      this.#send({ id, type: "bash", command, cwd, timeout, env: env && differing(env) });
      return ended(await ends, timeout);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  };
}
