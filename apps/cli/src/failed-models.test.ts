// A provider that does not answer, over real HTTP. Each command, the server and the session must
// report it as docs/operate/failures.md says.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askServed } from "./ask-served.test.data.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { sayCommand } from "./say-command.test.data.ts";

// As if nobody had installed it.
vi.mock("@ai-sdk/google", () => {
  throw new Error("Cannot find package '@ai-sdk/google'");
});

const root = mkdtempSync(join(tmpdir(), "turnseal-failed-"));
const loops = fileURLToPath(new URL("./__fixtures__/failing.mjs", import.meta.url));

/** Answers with the status that its path names, with words that are no answer, or not at all. */
const server = createServer(({ url = "" }, response) => {
  const [, kind = ""] = url.split("/");
  if (kind === "hanging") return response;
  if (kind === "garbage") return response.end("<html>hello</html>");
  const [status = "", after] = kind.split("-");
  response.statusCode = Number(status);
  if (after !== undefined) response.setHeader("retry-after", after);
  return response.end(JSON.stringify({ error: { message: "no" } }));
});
let port = 0;
/** The port is closed from then on. */
let awayPort = 0;
beforeAll(async () => {
  // Each server listens for the end of the process.
  process.setMaxListeners(4 * table.length);
  port = await listen(server);
  const gone = createServer();
  awayPort = await listen(gone);
  await new Promise((closed) => gone.close(closed));
});
afterAll(() => {
  process.emit("SIGTERM");
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true });
});

async function listen(http: Server): Promise<number> {
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  return (http.address() as AddressInfo).port;
}

const findProvider = (url: string) => ({
  ...{ TURNSEAL_OPENAI_COMPATIBLE_URL: url, GOOGLE_GENERATIVE_AI_API_KEY: "none" },
});

async function turnseal(url: string, store: string, args: readonly string[]) {
  return sayCommand([...args, "--store", join(root, store)], findProvider(url));
}

interface Case {
  /** The fault of the server; `away` if there is none. */
  readonly kind: string;
  readonly failure: string;
  /** Its class where somebody watches, and the answer comes in pieces, if it is another. */
  readonly streamed?: string;
  readonly words: string;
  readonly next: string;
  /** Whether the run waits for its provider, or has stopped. */
  readonly ends: "parked" | "stopped";
  readonly loop?: string;
}

const unauthorized = { failure: "MODEL_UNAUTHORIZED", words: "authentication failed" } as const;
const limited = { failure: "MODEL_RATE_LIMITED", words: "limits the rate" } as const;
const key = { next: "set the provider's key", ends: "parked" } as const;
const quota = { next: "raise the quota", ends: "parked" } as const;
const table: readonly Case[] = [
  { kind: "401", ...unauthorized, ...key },
  { kind: "403", ...unauthorized, ...key },
  {
    ...{ kind: "404", failure: "MODEL_NOT_FOUND", words: "does not have this model" },
    ...{ next: "correct backend.model", ends: "stopped" },
  },
  {
    ...{ kind: "400", failure: "MODEL_REFUSED", words: "does not accept the request" },
    ...{ next: "change the prompt", ends: "stopped" },
  },
  { kind: "429", ...limited, ...quota },
  { kind: "429-1", ...limited, ...quota },
  {
    ...{ kind: "500", failure: "MODEL_UNAVAILABLE", words: "the provider's servers answered with" },
    ...{ next: "check the provider's status", ends: "parked" },
  },
  {
    ...{ kind: "garbage", failure: "MODEL_ANSWER_INVALID", words: "is not an answer" },
    ...{ next: "that of an API", ends: "stopped", streamed: "MODEL_ANSWER_UNFINISHED" },
  },
  {
    ...{ kind: "away", failure: "MODEL_UNREACHABLE", words: "could not be reached" },
    ...{ next: "check the URL", ends: "parked" },
  },
  {
    ...{ kind: "hanging", failure: "TIMEOUT", words: "did not answer in time", loop: "hasty" },
    ...{ next: "check the provider's status", ends: "parked" },
  },
  {
    ...{ kind: "uninstalled", failure: "MODEL_NOT_INSTALLED", words: "package is not installed" },
    ...{ next: "npm install it", ends: "parked", loop: "uninstalled" },
  },
];

/** The exit code of `run`, and where the state over HTTP says why. */
const EXPECTED = {
  parked: [EXIT_CODES.waiting, "provider"],
  stopped: [EXIT_CODES.failed, "cause"],
} as const;

const manualFile = new URL("../../../docs/operate/failures.md", import.meta.url);
const manualLines = readFileSync(manualFile, "utf8").split("\n");
const nameInManual: Readonly<Record<string, string>> = {
  "401": "401",
  "403": "403",
  "404": "404",
  "400": "400",
  "429": "429",
  "429-1": "429 with `Retry-After`",
  "500": "500",
  garbage: "something that is not JSON",
  away: "no connection",
  hanging: "nothing, until the time limit",
  uninstalled: "no package of the provider",
};

test.concurrent.each(table)(
  "$kind is $failure: its class, what it means and what to do",
  { timeout: 60_000 },
  async ({ kind, failure, streamed = failure, words, next, ends, loop = "ask" }) => {
    const url = `http://127.0.0.1:${kind === "away" ? awayPort : port}/${kind}/v1`;
    const args = ["run", loop, "--from", loops, "--retry-for", "0"];
    const ran = await turnseal(url, kind, args);
    const [code, name] = ends === "parked" ? EXPECTED.parked : EXPECTED.stopped;
    expect(ran.code).toBe(code);
    const shown = await turnseal(url, kind, ["show", "last"]);
    const explained = await turnseal(url, kind, ["explain", "last"]);
    const transcript = await turnseal(url, kind, ["transcript", "last"]);
    const served = { from: loops, store: join(root, `${kind}-served`), agent: loop };
    const { state, told, events } = await askServed({ ...served, environment: findProvider(url) });
    expect(state).toMatchObject(told);
    const { [name]: cause } = state;
    expect(cause?.failure).toBe(streamed);
    const [session = { type: "", content: {} }] = events.filter(({ type }) => isFailure(type));
    const manual = [explainInManual(failure), explainInManual(streamed)] as const;
    expect(manual[0]).toMatchObject([
      expect.stringContaining(words),
      expect.stringContaining(next),
    ]);
    for (const { out } of [ran, shown, explained, transcript])
      for (const part of manual[0]) expect(unfold(out)).toContain(part);
    for (const text of [session.content.error, `${cause?.words} ${cause?.next}`])
      for (const part of manual[1]) expect(text).toContain(part);
    for (const { out } of [ran, shown, explained])
      expect(out.includes("turnseal resume ")).toBe(ends === "parked");
    const { out: listed } = await turnseal(url, kind, ["runs"]);
    expect(listed).toContain(
      ends === "parked" ? `waiting: provider, ${failure}` : "stopped: failed",
    );
    const stands = [shown, explained].map(({ out }) => describeStand(out));
    const row = [`exit code ${ran.code}`, ...stands, `\`${name}\``, `\`${session.type}\``];
    const line = `| ${nameInManual[kind]} | \`${failure}\` | ${row.join(" | ")} |`;
    expect(manualLines.includes(line), line).toBe(true);
  },
);

/** Long lines are folded. */
const unfold = (text: string) => text.replaceAll(/\s+/g, " ");
const isFailure = (type: string) => type === "generation-failure";

/** The manual's row on a class: the class with its meaning, and the remedy. */
function explainInManual(failure: string): readonly [string, string] {
  const line = manualLines.find((each) => each.startsWith(`| \`${failure}\` | `)) ?? "";
  const [, , meaning = "no row", next = ""] = line.split(/ ?\| ?/);
  return [`${failure}, ${meaning}`, next];
}

/** How a command says that the run stands. */
function describeStand(out: string): string {
  return out.includes("turnseal resume ") ? "waits, `turnseal resume`" : "stopped";
}

test("the manual has a row for each, and for nothing else", () => {
  const rows = manualLines.filter((line) => / \| exit code \d \| /.test(line));
  const listed = rows.map((line) => line.split(" | ")[1]?.replaceAll("`", ""));
  expect(listed).toEqual(table.map(({ failure }) => failure));
});

test("a provider that comes back is waited for, and the run goes on", {
  timeout: 60_000,
}, async () => {
  const asked: number[] = [];
  const flaky = createServer((_, response) => {
    asked.push(Date.now());
    if (asked.length <= 3) response.statusCode = 503;
    const message = { role: "assistant", content: "hello" };
    const answer = { id: "1", choices: [{ index: 0, message, finish_reason: "stop" }] };
    return response.end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => flaky.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}/v1`;
  const ran = await turnseal(url, "flaky", ["run", "ask", "--from", loops]);
  flaky.close();
  expect(ran.code).toBe(EXIT_CODES.done);
  expect(ran.out).toMatch(/waiting for openai-compatible\S*, asked again by itself at /);
  expect(ran.out).toContain("goal-reached");
  expect(asked).toHaveLength(4);
  expect((asked[3] ?? 0) - (asked[2] ?? 0)).toBeGreaterThanOrEqual(4_900);
});

test("a parked run is asked again by resume, at once", { timeout: 60_000 }, async () => {
  const url = `http://127.0.0.1:${port}/401/v1`;
  await turnseal(url, "again", ["run", "ask", "--from", loops]);
  const again = await turnseal(url, "again", ["resume", "last"]);
  expect(again.code).toBe(EXIT_CODES.waiting);
  expect(again.out).toContain("turn 2 of at most");
  const { out } = await turnseal(url, "again", ["explain", "last"]);
  expect(out).toContain("said to ask the provider again");
});

test("what a turn did before its provider was away is done again only with --again", {
  timeout: 60_000,
}, async () => {
  const ledger = join(root, "ledger.txt");
  const order = join(root, "order.mjs");
  const open = { version: "1.0.0", inputSchema: true, outputSchema: true };
  const tool = { ...open, id: "pay", name: "pay", kind: "tool" };
  const steps = ["pay", "ask"].map((loopId) => ({ loopId, inputMapping: {} }));
  const composite = { ...open, id: "order", name: "order", kind: "composite" };
  writeFileSync(
    order,
    `import { appendFileSync } from "node:fs";
    export const pay = {
      definition: ${JSON.stringify({ ...tool, tool: { implementation: "local.pay" } })},
      run: () => { appendFileSync(${JSON.stringify(ledger)}, "paid\\n"); return {}; },
      declared: { effect: "once" },
    };
    export { ask } from ${JSON.stringify(loops)};
    export const order = { definition: ${JSON.stringify({ ...composite, composite: { steps } })} };
    `,
  );
  const paid = (): number => readFileSync(ledger, "utf8").trim().split("\n").length;
  const url = `http://127.0.0.1:${port}/401/v1`;
  const run = await turnseal(url, "order", [
    "run",
    "order",
    "--from",
    order,
    "--allow",
    "local.pay",
  ]);
  const resumed = await turnseal(url, "order", ["resume", "last"]);
  const shown = await turnseal(url, "order", ["show", "last"]);
  const explained = await turnseal(url, "order", ["explain", "last"]);
  for (const { out } of [run, resumed, shown, explained]) {
    expect(out.replaceAll(/\s+/g, " ")).toContain("local.pay: the turn starts anew");
    expect(out).toMatch(/turnseal resume \w+ --again/);
  }
  expect([run.code, resumed.code, paid()]).toEqual([EXIT_CODES.waiting, EXIT_CODES.waiting, 1]);
  const json = await turnseal(url, "order", ["resume", "last", "--json"]);
  expect(json.out).toContain('"repeats":["local.pay"]');
  expect(paid()).toBe(1);
  const again = await turnseal(url, "order", ["resume", "last", "--again"]);
  expect([again.code, paid()]).toEqual([EXIT_CODES.waiting, 2]);
});

test("a run whose model answered has no cause", async () => {
  const talker = new URL("./__fixtures__/talker.mjs", import.meta.url).pathname;
  const args = ["run", "talk", "--from", talker, "--input", '{"text":"hello"}'];
  const { code, out } = await turnseal("", "well", args);
  expect(code).toBe(EXIT_CODES.done);
  expect(out).not.toContain("cause");
});
