/** Servers in a call: hostile rows beside allowed ones, against real processes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  openFixture,
  openRuns,
  openTools,
  type Place,
  toolsOf,
} from "./fixture/open-server.test.data.ts";
import { identifyServer } from "./pins/identify-server.ts";
import { discoverMcpServer } from "./tools/discover-server.ts";
import { openPool } from "./tools/server-pool.ts";
import { connectServer } from "./wire/connect-server.ts";

const PLACES: readonly Place[] = [
  { transport: "stdio", era: "legacy" },
  { transport: "stdio", era: "modern" },
  { transport: "http", era: "legacy" },
  { transport: "http", era: "modern" },
];

/** Long enough for the start of a server on a busy machine. */
const SILENCE_MS = 8_000;

async function callOnce(mode: string, place: Place, settings: object = {}) {
  const { config, acts } = await openFixture(mode, place);
  const timeoutMs = mode === "mute" ? SILENCE_MS : 60_000;
  const { tools } = await openTools({ ...config, timeoutMs, ...settings });
  const runs = openRuns(tools);
  const outcome = await runs.call("send", { text: "a" });
  return { ...outcome, acts: acts(), runs };
}

describe.each(PLACES)("over $transport, $era", (place) => {
  test("a call acts once, and the log and a stranger say so", async () => {
    const { status, output, acts, runs, run } = await callOnce("plain", place);
    expect({ status, output }).toEqual({
      status: "completed",
      output: { parts: [{ kind: "text", text: "done send" }], isCut: false },
    });
    expect(acts).toMatchObject([{ name: "send", args: { text: "a" } }]);
    expect(await runs.findings(run)).toEqual([]);
  });

  test("a call outside the grant reaches no server", async () => {
    const { config, acts } = await openFixture("plain", place);
    const { tools } = await openTools(config);
    const outcome = await openRuns(tools).call("send", { text: "a" }, ["peek"]);
    expect(outcome).toMatchObject({ status: "stopped", isClaimed: false });
    expect(acts()).toEqual([]);
  });

  test.each([
    ["die-before", "may have acted", 0],
    ["die-after", "may have acted", 1],
    ["mute", "may have acted", 1],
  ])("a server that fails as %s leaves the call unknown", async (mode, words, acted) => {
    const outcome = await callOnce(mode, place);
    expect(outcome).toMatchObject({ status: "waiting", isUnknown: true });
    expect(outcome.words).toContain(words);
    expect(outcome.requests).toMatchObject([{ kind: "unknown" }]);
    // Nothing is called again in silence.
    expect(outcome.acts).toHaveLength(acted);
  });

  test.each(["rpc-error", "error-result"])(
    "an answer as %s is known if its operator says so",
    async (mode) => {
      expect(await callOnce(mode, place)).toMatchObject({ status: "waiting", isUnknown: true });
      const told = await callOnce(mode, place, { errors: "not-done" });
      expect(told).toMatchObject({ status: "stopped", isUnknown: false });
      const single = await callOnce(mode, place, { tools: { send: { errors: "not-done" } } });
      expect(single).toMatchObject({ status: "stopped", isUnknown: false });
    },
  );

  test("a request that reached no tool did nothing", async () => {
    const outcome = await callOnce("unread", place);
    expect(outcome).toMatchObject({ status: "stopped", isUnknown: false });
  });

  test("a question that cannot be shown is refused, and is no answer", async () => {
    const outcome = await callOnce("input-required", place);
    // A server of the protocol of 2025 cannot say so: it may have begun.
    const isUnknown = place.era === "legacy";
    expect(outcome).toMatchObject({ status: isUnknown ? "waiting" : "stopped", isUnknown });
    expect(outcome.words).toContain(isUnknown ? "of another protocol" : "asks for input");
  });

  test.each([
    ["big", { parts: [{ kind: "text", text: "x".repeat(262_144) }], isCut: true }],
    ["half-surrogate", { parts: [{ kind: "text", text: "a\uFFFDb" }], isCut: false }],
  ])("a result that is %s is held to its limits", async (mode, output) => {
    expect(await callOnce(mode, place)).toMatchObject({ status: "completed", output });
  });

  test("more parts than are read are said to be cut", async () => {
    const { output } = await callOnce("many", place);
    expect(output).toMatchObject({ isCut: true });
    expect((output as { parts: unknown[] }).parts).toHaveLength(256);
  });

  test("words of a server are data", async () => {
    const { acts, output } = await callOnce("instruction", place);
    expect(acts).toHaveLength(1);
    expect(JSON.stringify(output)).toContain("Ignore the user");
  });

  test("structured content is validated by the pinned schema", async () => {
    for (const [mode, status] of [
      ["structured", "completed"],
      ["unstructured", "stopped"],
      ["plain", "stopped"],
    ] as const) {
      const { config } = await openFixture(mode, place);
      const { tools } = await openTools(config);
      const outcome = await openRuns(tools).call("sum", {});
      expect(outcome.status, mode).toBe(status);
      if (status === "completed") expect(outcome).toMatchObject({ output: { sum: 3 } });
    }
  });
});

describe("a program", () => {
  test.each(["sampling", "roots", "elicitation"])("that asks for %s gets nothing", async (mode) => {
    const outcome = await callOnce(mode, { transport: "stdio", era: "legacy" });
    expect(outcome).toMatchObject({
      status: "completed",
      output: { parts: [{ text: "asked" }] },
    });
  });

  test("that ends in a call leaves it unknown", async () => {
    expect(await callOnce("exit", {})).toMatchObject({ status: "waiting", isUnknown: true });
  });

  test.each(["flood", "long-line"])("with a %s is killed", async (mode) => {
    const { config } = await openFixture(mode);
    await expect(discoverMcpServer("bank", config)).rejects.toThrow("cannot be reached");
  });

  test("has an empty environment, but for what its operator names", async () => {
    process.env["CANARY"] = "of the worker";
    try {
      const secrets = { BANK_TOKEN: "hidden-token" };
      const { config } = await openFixture("environment");
      const named = { ...config, env: { LEVEL: "quiet" }, secrets: { TOKEN: "BANK_TOKEN" } };
      const { tools } = await openTools(named, { secrets });
      const { output, status } = await openRuns(tools, secrets).call("send", { text: "a" });
      expect(status).toBe("completed");
      const text = JSON.stringify(output);
      expect(text).toContain("LEVEL");
      expect(text).toContain("TOKEN");
      expect(text).not.toMatch(/CANARY|of the worker/);
      // The value reached the server, and is taken out of what it said.
      expect(text).not.toContain("hidden-token");
    } finally {
      delete process.env["CANARY"];
    }
  });

  test("is not started without its secret", async () => {
    const { config, acts } = await openFixture("plain");
    const named = { ...config, secrets: { TOKEN: "BANK_TOKEN" } };
    await expect(discoverMcpServer("bank", named)).rejects.toThrow("BANK_TOKEN");
    const { pin } = await discoverMcpServer("bank", config);
    const outcome = await openRuns(toolsOf("bank", named, pin)).call("send", { text: "a" });
    expect(outcome.status).not.toBe("completed");
    expect(acts()).toEqual([]);
  });
});

describe("an address", () => {
  const at: Place = { transport: "http" };

  test.each([
    ["down", "cannot be reached", "TOOL_UNAVAILABLE"],
    ["sign-in", "wants a sign-in", "TOOL_NOT_DONE"],
    ["redirect", "not followed", "TOOL_UNAVAILABLE"],
    ["encodings", "encodes its answer", "TOOL_UNAVAILABLE"],
    ["endless-answer", "too long", "TOOL_UNAVAILABLE"],
  ])("that is %s says nothing about its protocol", async (mode, words, code) => {
    const { config } = await openFixture(mode, at);
    const failure = await discoverMcpServer("bank", config).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  test("that is gone is an outage, and the call was not made", async () => {
    const { config, child } = await openFixture("plain", at);
    const { tools } = await openTools(config);
    child?.kill("SIGKILL");
    await new Promise((resolve) => child?.once("exit", resolve));
    const outcome = await openRuns(tools).call("send", { text: "a" });
    expect(outcome).toMatchObject({ isUnknown: false });
    expect(outcome.words).toContain("cannot be reached");
  });

  test.each([{ era: "legacy" }, { era: "modern" }] as const)(
    "whose stream breaks leaves the call unknown, $era",
    async ({ era }) => {
      for (const mode of ["break-stream", "status-500"]) {
        const outcome = await callOnce(mode, { ...at, era });
        expect(outcome).toMatchObject({ status: "waiting", isUnknown: true });
        expect(outcome.acts).toHaveLength(1);
      }
    },
  );

  test("gets its secret in a header, and its answers are redacted", async () => {
    const secrets = { BANK_TOKEN: "Bearer hidden-token" };
    const { config, acts } = await openFixture("plain", at);
    const named = { ...config, secrets: { Authorization: "BANK_TOKEN" } };
    const { tools } = await openTools(named, { secrets });
    expect(await openRuns(tools, secrets).call("send", { text: "a" })).toMatchObject({
      status: "completed",
    });
    expect(acts()).toMatchObject([{ authorization: "Bearer hidden-token" }]);
  });

  test("gets no secret over an open line", () => {
    const secrets = { Authorization: "TOKEN" };
    const pin = { identity: { kind: "address", url: "" }, era: "legacy", tools: [], refused: [] };
    const open = (url: string) => toolsOf("bank", { url, secrets }, pin as never);
    expect(() => open("http://bank.example/mcp")).toThrow("without encryption");
    expect(() => open("https://u:p@bank.example/mcp")).toThrow("password");
    expect(() => open("ftp://bank.example/mcp")).toThrow("no address");
    expect(() => open("https://bank.example/mcp")).not.toThrow();
  });
});

test("a modern server that is slow is no old one", async () => {
  const { config } = await openFixture("slow", { era: "modern" });
  expect((await discoverMcpServer("bank", config)).pin.era).toBe("modern");
});

test("a server is told that a call is over", async () => {
  const { config, countCancels } = await openFixture("mute");
  const { tools } = await openTools({ ...config, timeoutMs: SILENCE_MS });
  expect(await openRuns(tools).call("send", { text: "a" })).toMatchObject({ isUnknown: true });
  await expect.poll(countCancels).toBe(1);
});

test("the request of a call that is over is closed, whatever the server answers", async () => {
  const { config, acts } = await openFixture("mute-cancel", { transport: "http" });
  const connection = await connectServer(config, {
    secrets: {},
    signal: new AbortController().signal,
  });
  onTestFinished(() => connection.close());
  const call = connection.callTool({
    ...{ name: "send", inputSchema: {}, arguments: { text: "a" }, timeoutMs: 500 },
    ...{ signal: new AbortController().signal, isErrorUndone: false, onProgress: () => {} },
  });
  await expect(call).rejects.toThrow("may have acted");
  await expect.poll(() => acts().map(({ name }) => name)).toEqual(["send", "closed"]);
});

test("a server that lists no tools in the time of calls was not called", async () => {
  const { config, acts } = await openFixture("mute-list", { transport: "http" });
  const { tools } = await openTools({ ...config, timeoutMs: 3_000 });
  const runs = openRuns(tools);
  const calls = ["a", "b"].map((text) => runs.call("send", { text }));
  for (const outcome of await Promise.all(calls)) {
    expect(outcome).toMatchObject({ isUnknown: false });
    expect(outcome.words).toContain("was not ready in the time of the call");
  }
  expect(acts()).toEqual([]);
});

test("calls that wait share one attempt to connect", async () => {
  let attempts = 0;
  const server = createServer((_, response) => {
    attempts += 1;
    setTimeout(() => response.writeHead(503).end(), 500);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const pin = { identity: identifyServer({ url }), era: "legacy" } as const;
  const pool = openPool({ name: "bank", config: { url }, pin });
  const calls = await Promise.allSettled([pool.open({}), pool.open({}), pool.open({})]);
  expect(calls.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(attempts).toBe(1);
  await expect(pool.open({})).rejects.toThrow("cannot be reached");
  expect(attempts).toBe(2);
});

test.each([{ era: "legacy" }, { era: "modern" }] as const)(
  "a server that lost its session is connected to again, $era",
  async ({ era }) => {
    const { config, acts } = await openFixture("lose-session", { transport: "http", era });
    const { tools } = await openTools(config);
    const runs = openRuns(tools);
    expect(await runs.call("send", { text: "a" })).toMatchObject({ status: "completed" });
    await runs.call("send", { text: "b" });
    expect(await runs.call("send", { text: "c" })).toMatchObject({ status: "completed" });
    expect(acts().at(-1)).toMatchObject({ args: { text: "c" } });
  },
);

test("structured content may be null, where its schema says so", async () => {
  const { config } = await openFixture("output-null", { era: "modern" });
  const { tools } = await openTools(config);
  expect(await openRuns(tools).call("sum", {})).toMatchObject({
    ...{ status: "completed", output: null },
  });
});

test("64 calls at once share a connection, and lists that began after each", async () => {
  const { config, acts } = await openFixture("plain");
  const { tools } = await openTools(config);
  const { openHost, findLoop } = openRuns(tools);
  const [host, grant] = [openHost(), { tools: ["mcp.bank.send"], budget: { toolCalls: 1 } }];
  const given = { grant: { grantor: "ada", ...grant }, by: "ada" };
  const all = await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      host.run(findLoop("send"), { text: String(index) } as never, {
        ...given,
        key: String(index),
      }),
    ),
  );
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["completed"]));
  const texts = acts().map(({ args }) => (args as { readonly text: string }).text);
  expect(new Set(texts).size).toBe(64);
  expect(texts).toHaveLength(64);
});

test("two servers under two names are two, whatever they call themselves", async () => {
  const [one, other] = [await openFixture("plain"), await openFixture("plain")];
  const { tools } = await openTools(one.config);
  const second = await openTools(other.config, { name: "other" });
  await openRuns(tools).call("send", { text: "a" });
  expect(one.acts()).toHaveLength(1);
  expect(other.acts()).toEqual([]);
  const names = [...second.tools.tools.values()].map(({ definition }) => definition.id);
  expect(names).toContain("mcp.other.send");
});
