// The real command in a process of its own: exit codes, streams, signals, terminals.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT_CODES } from "./exit-codes.ts";

const bin = fileURLToPath(new URL("../bin/turnseal.js", import.meta.url));

const echo = {
  id: "echo",
  name: "Echo",
  version: "1.0.0",
  inputSchema: true,
  outputSchema: true,
  kind: "tool",
  tool: { implementation: "builtin:echo" },
};
const slow = JSON.stringify({ ...echo, id: "slow", tool: { implementation: "local.slow" } });
// It ignores its signal, and would hold the process for longer than the test may take.
const slowModule = `export const slow = {
  definition: ${slow},
  declared: { effect: "read" },
  run: (_, context) => {
    context.log("info", "the tool waits");
    return new Promise((resolve) => setTimeout(resolve, 60_000));
  },
};`;

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-main-"));
  writeFileSync(join(root, "echo.json"), JSON.stringify(echo));
  writeFileSync(join(root, "bad.json"), JSON.stringify({ ...echo, version: "x" }));
  writeFileSync(join(root, "slow.mjs"), slowModule);
});
afterAll(() => rmSync(root, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command; the signal is sent once, when the slow tool says that it waits. */
function start(args: readonly string[], signal?: NodeJS.Signals) {
  return new Promise<Ended>((resolve) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: root, timeout: 30_000 });
    let [out, err, signalled] = ["", "", false];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
      if (signal === undefined || signalled || !err.includes("the tool waits")) return;
      signalled = true;
      child.kill(signal);
    });
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

const run = (...args: string[]): Promise<Ended> => start(args);

test("the exit codes are these", () => {
  expect(EXIT_CODES).toEqual({
    done: 0,
    failed: 1,
    waiting: 2,
    unverified: 3,
    usage: 64,
    interrupted: 130,
  });
});

describe("wrong usage ends with 64, a message and what to try", () => {
  test.each([
    [["nonsense"], "unknown command 'nonsense'", "next: turnseal --help"],
    [["verfy"], "error: unknown command 'verfy' (Did you mean verify?)\n", "next: turnseal --help"],
    [["check"], "missing required argument 'files'", "next: turnseal check --help"],
    [["call", "missing.json"], "missing.json does not exist", "next: the same command with --from"],
    [["call", "echo"], "there is no folder ./loops", "next: the same command with --from"],
  ])("turnseal %j", async (args, message, next) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(next);
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe("a process", () => {
  test("without arguments it prints its help and ends with 64", async () => {
    expect(await run()).toMatchObject({ code: 64, out: "", err: expect.stringMatching(/Usage:/) });
  });

  test("--help and --version end with 0", async () => {
    expect(await run("--version")).toMatchObject({ code: 0, out: "0.1.0\n", err: "" });
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    expect(out).toMatch(/check .*\n(.*\n)*.*call .*\n(.*\n)*.*loops .*\n/);
    expect(out).toContain("Exit codes: 0 done, 1 failed or refused");
  });

  test("a call that succeeds ends with 0, and its pipes hold no escape code", async () => {
    const { code, out, err } = await run("call", "echo.json", "--input", '{"a":"\\u001b[2J"}');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ a: "\u001b[2J" });
    expect(out + err).not.toContain("\u001b");
    expect(err).toContain("✓ tool builtin:echo");
  });

  test("a refused document ends with 1", async () => {
    expect(await run("call", "bad.json")).toMatchObject({ code: 1, out: "" });
  });

  test.each([
    ["SIGINT", "Ctrl-C"],
    ["SIGTERM", "SIGTERM"],
  ] as const)("%s cancels a call, also one that ignores it", async (signal, cause) => {
    const { code, err } = await start(["call", "slow.mjs"], signal);
    expect(code).toBe(1);
    expect(err).toMatch(/✗ slow 1\.0\.0 CANCELLED/);
    expect(err).toContain(`note: stopped by ${cause}\n`);
  });

  test.each([
    ["20.20.2", 1],
    ["24.14.9", 1],
    ["24.15.0", 0],
    ["25.0.0", 0],
  ])("by Node %s it ends with %d", (version, expected) => {
    const pretend = `data:text/javascript,Object.defineProperty(process, "versions", {
      value: { ...process.versions, node: "${version}" } })`;
    const args = ["--import", pretend, bin, "--version"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status).toBe(expected);
    if (expected === 0) return;
    expect(stderr).toMatch(/^error: turnseal needs Node 24\.15 or newer, and this is 2[04]\./);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("a module that never loads, and a promise that is left to itself, end with 1", async () => {
    writeFileSync(join(root, "never.mjs"), "await new Promise(() => {});");
    expect(await run("call", "x", "--from", "never.mjs")).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^error: a module or a tool is waiting .*\n {2}next: .*\n$/),
    });
    const stray = slowModule.replace("return", 'Promise.reject(new Error("secret")); return');
    writeFileSync(join(root, "stray.mjs"), stray);
    const { code, err } = await run("call", "stray.mjs");
    expect(code).toBe(1);
    expect(err).toMatch(/error: unhandled error: Error at \S+stray\.mjs:/);
    expect(err).not.toMatch(/secret|^\s+at /m);
  });

  test("a reader that closes the pipe early is no failure", () => {
    const command = `"${process.execPath}" "${bin}" --help | head -n 1; exit "\${PIPESTATUS[0]}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: root });
    expect(String(stdout)).toMatch(/^Usage: turnseal/);
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: "" });
  });
});

test("a run whose reader has gone is carried on, and ends as the run ends", () => {
  writeFileSync(
    join(root, "failing.json"),
    JSON.stringify({
      ...{ id: "failing", name: "failing", version: "1.0.0", kind: "prompt" },
      ...{ inputSchema: true, outputSchema: { type: "number" } },
      ...{ prompt: { template: "Hello", variables: [] }, backend: { id: "mock" } },
    }),
  );
  const ours = `"${process.execPath}" "${bin}" run failing.json --store piped`;
  const command = `${ours} 2>/dev/null | head -c 1; exit "\${PIPESTATUS[0]}"`;
  expect(spawnSync("bash", ["-c", command], { cwd: root }).status).toBe(1);
});

describe("a hostile document ends with 1 and no trace of the stack", () => {
  test.each([
    ["huge", `"${"x".repeat(5 * 1024 * 1024)}"`, "document-size"],
    ["deep", "[".repeat(200_000), "json"],
  ])("%s", async (name, text, rule) => {
    const file = `hostile-${name}.json`;
    writeFileSync(join(root, file), text);
    const { code, out, err } = await run("check", file);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toMatch(new RegExp(`^${file}:1:\\d+ {2}${rule}`));
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.runIf(hasScript)("a terminal", () => {
  function runInTerminal(environment: Record<string, string>): string {
    const command = `"${process.execPath}" "${bin}" call echo.json`;
    const env = { PATH: process.env["PATH"], TERM: "xterm", ...environment };
    const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], { cwd: root, env });
    return String(stdout);
  }

  test("gets colours and a tree that is redrawn", () => {
    const text = runInTerminal({});
    expect(text).toContain("\u001b[32m✓");
    expect(text).toContain("\u001b[J");
  });

  test("gets no colour with NO_COLOR, and no escape code when it is dumb", () => {
    expect(runInTerminal({ NO_COLOR: "1" })).not.toMatch(/\u001b\[\d+m/);
    expect(runInTerminal({ TERM: "dumb" })).not.toContain("\u001b");
  });
});

test("a promise that a tool leaves to itself is said by a server, which serves on", async () => {
  const stray = slowModule
    .replace("return new", 'Promise.reject(new Error("secret")); return null; new')
    .concat('export const agents = { slow: { loop: slow, grant: { grantor: "ada", ')
    .concat('tools: ["local.slow"], budget: {} } } };');
  writeFileSync(join(root, "served.mjs"), stray);
  const port = String(await findFreePort());
  const args = ["serve", "--from", "served.mjs", "--insecure-localhost", "--port", port];
  const child = spawn(process.execPath, [bin, ...args], { cwd: root });
  const err = new Promise<string>((resolve) => {
    child.stderr.once("data", (chunk) => resolve(String(chunk)));
  });
  try {
    await new Promise((resolve) => child.stdout.on("data", resolve));
    const runs = `http://127.0.0.1:${port}/v1/runs`;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ agent: "slow", input: {} });
    expect((await fetch(runs, { method: "POST", headers, body })).ok).toBe(true);
    expect(await err).toMatch(/error: unhandled error: Error at \S+served\.mjs:/);
    expect(await err).not.toContain("secret");
    expect((await fetch(runs)).status).toBe(200);
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("close", resolve));
  }
});
