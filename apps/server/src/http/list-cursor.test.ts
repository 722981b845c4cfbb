// The end of a page must not reveal whose runs were skipped, for any request of a client.
import { RUNS_LIST_MAX, type RunSnapshot } from "@turnseal/ports";
import { LIST_LOOKS_MAX } from "@turnseal/sessions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServer, type Server } from "../create-server.ts";
import { readFrames } from "../read-frames.test.data.ts";
import {
  authenticate,
  KEYS,
  openSampleServer,
  type Person,
  type SampleServer,
} from "../sample-server.test.data.ts";

/** Runs of others, before and after all runs of a caller. */
const others = Array.from({ length: 2 * LIST_LOOKS_MAX }, (_, index) => {
  const half = index < LIST_LOOKS_MAX ? "00000000" : "ffffffff";
  return `${half}-0000-4000-8000-${String(index).padStart(12, "0")}`;
});
let sample: SampleServer;
let own = "";
beforeAll(async () => {
  sample = await openSampleServer();
  own = await sample.start("bob", "desk", { text: "refund A-1 5" });
  const reader = await readFrames(sample, { person: "bob", run: own });
  await reader.until(({ event, data }) => event === "state" && data.status === "waiting");
  reader.leave();
});
afterAll(async () => {
  await sample.close();
});

/** A server of the same runs, among so many of others. */
function openCrowded({ hasKey = true } = {}): Server {
  const { stores: all, ...host } = sample.hosts.alpha;
  const { calls, ...stores } = all;
  const kept = hasKey && calls !== undefined ? { calls } : {};
  const list = async (after = ""): Promise<readonly RunSnapshot[]> => {
    const rows = [...others.map((run) => ({ run, sequence: 1, state: {} })), ...(await real())];
    return rows
      .toSorted((one, other) => (one.run < other.run ? -1 : 1))
      .filter(({ run }) => run > after)
      .slice(0, RUNS_LIST_MAX);
  };
  const real = () => stores.runs.list();
  const crowded = { ...host, stores: { ...stores, ...kept, runs: { ...stores.runs, list } } };
  const tenants = (tenant: string) => (tenant === "alpha" ? crowded : sample.hosts.beta);
  return createServer({ tenants, authenticate, agents: sample.agents });
}

async function ask(server: Server, person: Person, path: string) {
  const headers = { authorization: `Bearer ${KEYS[person]}` };
  const response = await server.fetch(new Request(`http://127.0.0.1${path}`, { headers }));
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect to be there.
  return { status: response.status, json: (await response.json()) as any };
}

const after = (cursor: string) => `?after=${encodeURIComponent(cursor)}`;
const refused = { status: 400, json: { error: { code: "CURSOR_REFUSED" } } };

describe.each(["runs", "inbox"])("a page of %s", (list) => {
  const field = list === "runs" ? "runs" : "requests";
  const person = list === "runs" ? "bob" : "ada";

  test("that ends among the runs of others names none, and leads to their own", async () => {
    const server = openCrowded();
    const [seen, cursors]: [string[], string[]] = [[], []];
    for (let cursor: string | null = ""; cursor !== null && cursors.length < 9; ) {
      const query: string = cursor === "" ? "" : after(cursor);
      const { json } = await ask(server, person, `/v1/${list}${query}`);
      seen.push(...json[field].map(({ run }: { run: string }) => run));
      cursor = json.next;
      if (cursor !== null) cursors.push(cursor);
    }
    expect(seen).toEqual([own]);
    expect(cursors).toHaveLength(2);
    for (const cursor of cursors) {
      expect(others).not.toContain(cursor);
      const bytes = Buffer.from(cursor, "base64url").toString("latin1");
      expect(`${cursor} ${bytes}`).not.toMatch(/-0000-4000-|ffffffff/);
    }
  });

  test("goes on for its caller and list alone, unchanged, and on every server", async () => {
    const server = openCrowded();
    const { next } = (await ask(server, person, `/v1/${list}`)).json as { next: string };
    expect((await ask(openCrowded(), person, `/v1/${list}${after(next)}`)).status).toBe(200);
    const otherList = list === "runs" ? "inbox" : "runs";
    expect(await ask(server, person, `/v1/${otherList}${after(next)}`)).toMatchObject(refused);
    for (const other of ["olga", "mallory"] as const)
      expect(await ask(server, other, `/v1/${list}${after(next)}`)).toMatchObject(refused);
    const changed = `${next.startsWith("A") ? "B" : "A"}${next.slice(1)}`;
    for (const made of [changed, next.slice(0, -4), "x", "", own, others[0] ?? ""])
      expect(await ask(server, person, `/v1/${list}${after(made)}`)).toMatchObject(refused);
  });

  test("without a stored key it goes on at the server that gave it", async () => {
    const [server, other] = [openCrowded({ hasKey: false }), openCrowded({ hasKey: false })];
    const { next } = (await ask(server, person, `/v1/${list}`)).json as { next: string };
    expect((await ask(server, person, `/v1/${list}${after(next)}`)).status).toBe(200);
    expect(await ask(other, person, `/v1/${list}${after(next)}`)).toMatchObject(refused);
  });
});
