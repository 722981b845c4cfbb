// Items that wait inside a fan-out, under an engine. Each has its own approval card and its own id.
// Answers arrive over HTTP or by the command, in any order.
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { findFreePort } from "@turnseal/runtime/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandWorld, openCommandWorld, type Running, until } from "./command-world.ts";

const LOOPS = fileURLToPath(new URL("../apps/cli/src/__fixtures__/parked.mjs", import.meta.url));
const ports = 29_000 + (process.pid % 400) * 5;
const KEY = "key-of-ada";
const ROLES = { TURNSEAL_ROLES: "support" };
let world: CommandWorld;
let dev: Running;
/**
 * Where the runs of the test are: under an engine that two servers serve, or in a folder of one.
 */
let place: readonly string[];
let servers: readonly string[];

beforeAll(async () => {
  world = openCommandWorld();
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  const keys = [{ sha256, tenant: "default", id: "ada", roles: ["support"] }];
  writeFileSync(join(world.folder, "keys.json"), JSON.stringify({ keys }));
  dev = world.start([
    ...["dev", "--from", LOOPS, "--postgres", world.databaseUrl, "--ports", String(ports)],
  ]);
  await until(() => (dev.out().includes("Press Ctrl-C to stop") ? true : undefined), 60_000);
});
afterAll(async () => {
  // Told to stop, it takes its engine with it.
  dev?.child.kill("SIGTERM");
  await dev?.ended;
  await world?.close();
});

const kinds = {
  "under an engine": () => ["--host", `http://127.0.0.1:${ports}`, "--postgres", world.databaseUrl],
  "in a folder": () => ["--store", "served"],
} as const;

async function startServer(): Promise<string> {
  const port = String(await findFreePort());
  const options = ["--from", LOOPS, "--keys", "keys.json", "--port", port, ...place];
  const server = world.start(["serve", ...options]);
  return until(() => /serving (\S+)/.exec(server.out())?.[1], 60_000);
}

/**
 * Says something by the command, in a process of its own. Under an engine the run goes on by
 * itself; in a folder the command says how it does, unless the server is at it.
 */
async function say(args: readonly string[]): Promise<void> {
  const { code, out, err } = await world.run([...args, ...place], ROLES);
  expect([code, err]).toEqual([0, ""]);
  const next = /turnseal (resume \S+)/.exec(out)?.[1]?.split(" ");
  if (next === undefined) return;
  expect(place).not.toContain("--host");
  const resumed = await world.run([...next, "--from", LOOPS, ...place]);
  expect([0, 1, 2], resumed.err).toContain(resumed.code);
}

/** Each request goes to the other server than the one before it. */
let turn = 0;
async function send(path: string, body?: object): Promise<{ status: number; json: unknown }> {
  turn += 1;
  const response = await fetch(`${servers[turn % servers.length]}/v1/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

async function read<Answer>(path: string): Promise<Answer> {
  return (await send(path)).json as Answer;
}

interface Asked {
  readonly run: string;
  readonly kind: "approval" | "question";
  readonly id: string;
  readonly request: { readonly to?: string };
}
interface Standing {
  readonly status: string;
  readonly stopped?: string;
  readonly requests: readonly Asked[];
}

async function start(agent: string, input: object): Promise<string> {
  const { status, json } = await send("runs", { agent, input: { ledger: world.ledger, ...input } });
  expect(status).toBe(201);
  return (json as { run: string }).run;
}

const standing = (run: string): Promise<Standing> => read(`runs/${run}`);
const stoppedOf = (run: string) => until(async () => (await standing(run)).stopped);

/** The open requests, once there are so many. */
const askedOf = (run: string, count: number): Promise<readonly Asked[]> =>
  until(async () => {
    const { requests } = await standing(run);
    return requests.length === count ? requests : undefined;
  });

const paymentTo = (asked: readonly Asked[], to: string): string =>
  asked.find(({ request }) => request.to === to)?.id ?? `no payment to ${to}`;

/** The session as it is told, each tool call by its latest card and how it ended. */
async function cardsOf(run: string): Promise<Record<string, string>> {
  const { events } = await read<{ events: EventEnvelope[] }>(`runs/${run}/events`);
  const cards: Record<string, string> = {};
  for (const { type, content } of events) {
    const id = String(Reflect.get(content, "toolCallId") ?? "");
    if (id !== "") cards[id] = type;
  }
  return cards;
}

const readPaid = (names: readonly string[]): string[] =>
  world
    .readLedger()
    .filter((line) => names.includes(line))
    .sort();

describe.each(["under an engine", "in a folder"] as const)("%s", (kind) => {
  beforeAll(async () => {
    place = kinds[kind]();
    rmSync(world.ledger, { force: true });
    servers = await Promise.all(
      Array.from({ length: kind === "in a folder" ? 1 : 2 }, startServer),
    );
  });

  test("people, a signal and times are waited for at once, each answered by its id", async () => {
    const soon = new Date(Date.now() + 3_000).toISOString();
    const run = await start("everything", { label: "a", until: soon });
    // Concurrency is one: what waits gives its place to the next.
    const asked = await askedOf(run, 4);
    expect(asked.map(({ kind }) => kind).sort()).toEqual([
      ...["approval", "approval", "question", "question"],
    ]);
    const inbox = await read<{ requests: Asked[] }>("inbox");
    expect(inbox.requests.map(({ id }) => id).sort()).toEqual(asked.map(({ id }) => id).sort());
    expect(Object.values(await cardsOf(run))).toEqual(asked.map(() => "tool-call"));

    // In the order that nobody wrote them: a signal, an approval of the second, a time, a question.
    const wrong = { name: "paid", payload: "not a number", key: "wrong" };
    expect((await send(`runs/${run}/signals`, wrong)).status).toBe(422);
    const signal = { name: "paid", payload: 5, key: "right" };
    expect((await send(`runs/${run}/signals`, signal)).status).toBe(202);
    await say(["approve", paymentTo(asked, "beta")]);
    // Two times run out by themselves, and what comes after one of them asks anew.
    const late = await until(async () => {
      const { requests } = await standing(run);
      return requests.find(({ request }) => request.to === "late") && requests;
    });
    expect(late).toHaveLength(3);
    const expired = asked.filter(({ id }) => !late.some((each) => each.id === id));
    const question = expired.find(({ kind }) => kind === "question")?.id ?? "";
    const tooLate = await send(`runs/${run}/answers`, { question, answer: { account: "x" } });
    expect(tooLate).toMatchObject({ status: 409, json: { error: { code: "REQUEST_UNKNOWN" } } });

    const open = late.find(({ kind }) => kind === "question")?.id ?? "";
    const unfit = await send(`runs/${run}/answers`, { question: open, answer: { account: 5 } });
    expect(unfit).toMatchObject({ status: 422, json: { error: { code: "ANSWER_REFUSED" } } });
    const value = ["--value", '{"account":"main"}'];
    const answer = ["answer", open, ...value, "--from", LOOPS];
    const noRole = await world.run([...answer, ...place]);
    expect([noRole.code, noRole.err]).toEqual([1, expect.stringContaining("ROLE_MISSING")]);
    await say(answer);
    for (const to of ["late", "alpha"]) {
      const decision = { approval: paymentTo(late, to), choice: "approve" };
      expect((await send(`runs/${run}/decisions`, decision)).status).toBe(202);
    }
    expect(await stoppedOf(run)).toBe("goal-reached");
    expect(readPaid(["alpha", "beta", "late"])).toEqual(["alpha", "beta", "late"]);
    const { out } = await world.run(["show", run, "--content", "--json", ...place]);
    expect(JSON.parse(out)).toMatchObject({
      content: {
        output: [
          ...[{ paid: "alpha" }, { paid: "beta" }, { account: "main" }],
          ...[5, null, { paid: "late" }, soon],
        ],
      },
    });
    const cards = await cardsOf(run);
    expect(cards[question]).not.toBe("tool-call");
    expect(new Set(Object.values(cards))).toEqual(new Set(["tool-result", "tool-error"]));
  });

  test("what has lost leaves every inbox, and cannot be decided any more", async () => {
    const to = ["lost-1", "won", "lost-2"];
    const run = await start("race", { to });
    const asked = await askedOf(run, 3);
    const decide = (name: string) =>
      send(`runs/${run}/decisions`, { approval: paymentTo(asked, name), choice: "approve" });
    expect((await decide("won")).status).toBe(202);
    expect(await askedOf(run, 0)).toEqual([]);
    for (const name of ["lost-1", "lost-2"])
      expect(await decide(name)).toMatchObject({
        ...{ status: 409, json: { error: { code: "REQUEST_UNKNOWN" } } },
      });
    const inbox = await read<{ requests: Asked[] }>("inbox");
    expect(inbox.requests.filter((each) => each.run === run)).toEqual([]);
    const cards = Object.values(await cardsOf(run));
    expect(cards.sort()).toEqual(["tool-error", "tool-error", "tool-result"]);
    await say(["signal", run, "close"]);
    expect(await stoppedOf(run)).toBe("goal-reached");
    expect(readPaid(to)).toEqual(["won"]);
  });

  test("a rejection ends all of them, and what was approved before it stays", async () => {
    const to = ["kept", "rejected", "never"];
    const run = await start("every", { to });
    const asked = await askedOf(run, 3);
    const kept = { approval: paymentTo(asked, "kept"), choice: "approve" };
    expect((await send(`runs/${run}/decisions`, kept)).status).toBe(202);
    await askedOf(run, 2);
    await say(["reject", paymentTo(asked, "rejected"), "--reason", "no"]);
    expect(await stoppedOf(run)).not.toBe("goal-reached");
    const never = { approval: paymentTo(asked, "never"), choice: "approve" };
    expect((await send(`runs/${run}/decisions`, never)).status).toBe(409);
    expect(readPaid(to)).toEqual(["kept"]);
    expect(Object.values(await cardsOf(run))).not.toContain("tool-call");
  });

  test("every one of these runs verifies", async () => {
    const { code, out } = await world.run(["verify", ...place]);
    expect([code, out]).toEqual([0, expect.stringContaining("3")]);
  });
});
