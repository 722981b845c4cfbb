/** Processes that die in a call: the server's, and ours. */
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Stores } from "@turnseal/ports";
import { expect, onTestFinished, test } from "vitest";
import {
  createFolder,
  openFixture,
  openRuns,
  openTools,
  type Place,
  toolsOf,
} from "./fixture/open-server.test.data.ts";

const EVERYTHING = "./node_modules/@modelcontextprotocol/server-everything/dist/index.js";

/** The processes of this machine whose command has this text in it. */
function findProcesses(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

test("a server that is killed in mid-call leaves the call unknown, and starts again", async () => {
  const mark = `mark-${process.pid}`;
  const config = {
    ...{ command: ["node", EVERYTHING, "stdio", mark], readable: ["./node_modules"] },
  };
  const { tools } = await openTools(config);
  const runs = openRuns(tools);
  // The connection is open before the long call, so that the kill comes in the middle of it.
  expect(await openRuns(tools).call("echo", { message: "first" })).toMatchObject({
    status: "completed",
  });
  const kill = setInterval(() => {
    for (const pid of findProcesses(mark)) process.kill(pid, "SIGKILL");
  }, 1_500);
  const cut = await runs
    .call("trigger-long-running-operation", { duration: 60, steps: 60 })
    .finally(() => clearInterval(kill));
  expect(cut).toMatchObject({ status: "waiting", isUnknown: true });
  expect(cut.words).toContain("may have acted");
  expect(findProcesses(mark)).toEqual([]);
  expect(await openRuns(tools).call("echo", { message: "again" })).toMatchObject({
    status: "completed",
  });
});

test("the official server over HTTP works like over a pipe", async () => {
  const port = String(20_000 + (process.pid % 20_000));
  const child = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
    env: { PORT: port },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stderr.once("data", resolve));
  const { tools, pin } = await openTools({ url: `http://127.0.0.1:${port}/mcp` });
  expect(pin).toMatchObject({ era: "legacy", identity: { kind: "address" } });
  const runs = openRuns(tools);
  expect(await runs.call("get-sum", { a: 2, b: 3 })).toMatchObject({ status: "completed" });
  const { output } = await runs.call("echo", { message: "hello" });
  expect(output).toMatchObject({ parts: [{ kind: "text", text: "Echo: hello" }] });
});

/** Stores of a process that dies before it can record how an action ended. */
const dieBeforeSettling = (stores: Stores): Stores => ({
  ...stores,
  log: {
    ...stores.log,
    append: async (append) => {
      const isEnd = append.events.some(({ type }) => /^action\.(settled|unknown)$/.test(type));
      if (isEnd) throw new Error("dead");
      return stores.log.append(append);
    },
  },
});

const PLACES: readonly Place[] = [
  { transport: "stdio", era: "legacy" },
  { transport: "http", era: "modern" },
];

test.each(PLACES)("our process dies after the server acted, $transport, $era", async (place) => {
  const { config, acts } = await openFixture("plain", place);
  const keyed = { pay: { key: "args.idempotencyKey", provided: { tenant: "acme" } } };
  const { pin } = await openTools({ ...config, tools: keyed });
  for (const [name, expected] of [
    // With a key the successor calls again, with the same one.
    ["pay", { status: "completed", calls: 2 }],
    // Without one a person is asked, and nothing is called.
    ["send", { status: "waiting", calls: 1 }],
  ] as const) {
    const before = acts().length;
    const tools = toolsOf("bank", { ...config, tools: keyed, timeoutMs: 5_000 }, pin);
    const { openHost, findLoop } = openRuns(tools);
    const grant = { grantor: "ada", tools: [`mcp.bank.${name}`], budget: { toolCalls: 9 } };
    const started = { grant, by: "ada", key: name };
    const run = await openHost().start(findLoop(name), { text: "a" } as never, started);
    await openHost(dieBeforeSettling)
      .drive(run)
      .catch(() => {});
    const driven = await openHost().resume(findLoop(name), run);
    const done = acts().slice(before);
    expect([name, driven.status, done.length]).toEqual([name, expected.status, expected.calls]);
    const keys = done.map(({ args }) => (args as Record<string, unknown>)["idempotencyKey"]);
    expect(new Set(keys).size).toBe(1);
  }
});

test("a server ends with the process that started it, however that ends", async () => {
  const mark = `orphan-${process.pid}`;
  const script = `
    import { discoverMcpServer } from "./packages/mcp/src/index.ts";
    const command = ["node", ${JSON.stringify(EVERYTHING)}, "stdio", ${JSON.stringify(mark)}];
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 700);
    for (;;) await discoverMcpServer("bank", { command, readable: ["./node_modules"] });
  `;
  const flags = ["--conditions=turnseal-source", "--input-type=module-typescript", "-e", script];
  expect(() => execFileSync(process.execPath, flags, { stdio: "ignore" })).toThrow();
  await expect.poll(() => findProcesses(mark), { timeout: 10_000 }).toEqual([]);
});

test("the folder of a server is removed with the process that started it", async () => {
  const { config, acts } = await openFixture("plain");
  const folder = createFolder();
  const script = `
    import { connectServer } from "./packages/mcp/src/client/wire/connect-server.ts";
    const given = { secrets: {}, signal: AbortSignal.timeout(30_000) };
    const { callTool } = await connectServer(${JSON.stringify(config)}, given);
    await callTool({
      ...{ name: "send", inputSchema: {}, arguments: { text: "a" }, timeoutMs: 10_000 },
      ...{ signal: given.signal, isErrorUndone: false, onProgress: () => {} },
    });
    process.exit(0);
  `;
  const flags = ["--conditions=turnseal-source", "--input-type=module-typescript", "-e", script];
  const env = { ...process.env, TMPDIR: folder };
  execFileSync(process.execPath, flags, { env, stdio: "ignore" });
  expect(acts()).toHaveLength(1);
  expect(readdirSync(folder).filter((name) => name.startsWith("turnseal-mcp-"))).toEqual([]);
});
