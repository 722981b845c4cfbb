// Lists and views: each beside somebody who may not see it, and gets nothing of it.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { LIST_PAGE_MAX } from "../limits.ts";
import { readFrames } from "../read-frames.test.data.ts";
import { openSampleServer, type Person, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
let [chat, desk, foreign] = ["", "", ""];

async function settle(person: Person, run: string): Promise<void> {
  const reader = await readFrames(sample, { person, run });
  await reader.until(({ event, data }) => event === "state" && data.status === "waiting");
  reader.leave();
}

beforeAll(async () => {
  sample = await openSampleServer();
  chat = await sample.start("ada", "chat", { text: "hello" });
  desk = await sample.start("bob", "desk", { text: "refund A-1 5" });
  foreign = await sample.start("mallory", "desk", { text: "refund M-1 5" });
  await settle("ada", chat);
  await settle("bob", desk);
  await settle("mallory", foreign);
});
afterAll(async () => {
  await sample.close();
});

const runsOf = async (person: Person, query = ""): Promise<string[]> => {
  const { json } = await sample.ask(person, `/v1/runs${query}`);
  return json.runs.map(({ run }: { run: string }) => run).toSorted();
};

describe("the runs of a tenant", () => {
  test("a person sees their own, an operator all, and nobody another tenant's", async () => {
    expect(await runsOf("ada")).toEqual([chat]);
    expect(await runsOf("bob")).toEqual([desk]);
    expect(await runsOf("olga")).toEqual([chat, desk].toSorted());
    expect(await runsOf("mallory")).toEqual([foreign]);
  });

  test("another person's are asked for by operators only", async () => {
    expect(await runsOf("olga", "?by=bob")).toEqual([desk]);
    expect(await runsOf("ada", "?by=ada")).toEqual([chat]);
    const { status, json } = await sample.ask("ada", "/v1/runs?by=bob");
    expect([status, json.error.code]).toEqual([403, "ROLE_MISSING"]);
  });

  test("by state, loop and time", async () => {
    expect(await runsOf("olga", "?state=waiting")).toEqual([chat, desk].toSorted());
    expect(await runsOf("olga", "?state=done")).toEqual([]);
    expect(await runsOf("olga", "?loop=desk")).toEqual([chat, desk].toSorted());
    expect(await runsOf("olga", "?loop=other")).toEqual([]);
    expect(await runsOf("olga", "?since=2020-01-01T00:00:00Z")).toHaveLength(2);
    expect(await runsOf("olga", "?since=2999-01-01T00:00:00Z")).toEqual([]);
  });

  test("page by page, each once", async () => {
    const seen: string[] = [];
    let next: string | null = "";
    for (let pages = 0; next !== null && pages < 5; pages += 1) {
      const after: string = next === "" ? "" : `&after=${next}`;
      const { json } = await sample.ask("olga", `/v1/runs?limit=1${after}`);
      seen.push(...json.runs.map(({ run }: { run: string }) => run));
      ({ next } = json);
    }
    expect(seen.toSorted()).toEqual([chat, desk].toSorted());
  });

  test.each([
    `?limit=${LIST_PAGE_MAX + 1}`,
    "?limit=0",
    "?state=dead",
    "?since=yesterday",
    `?after=${"x".repeat(201)}`,
    "?tenant=beta",
  ])("%s is refused", async (query) => {
    const { status, json } = await sample.ask("olga", `/v1/runs${query}`);
    expect([status, json.error.code]).toEqual([400, "BODY_REFUSED"]);
  });

  test("a row says how the run stands, and nothing of what was said", async () => {
    const { json, text } = await sample.ask("bob", "/v1/runs");
    expect(json.runs[0]).toMatchObject({
      ...{ run: desk, loop: "desk", version: "1.0.0", status: "waiting" },
      ...{ startedBy: "bob", turns: 0, requests: 1 },
    });
    expect(text).not.toContain("A-1");
  });
});

describe("the inbox of a person", () => {
  const inboxOf = async (person: Person) => (await sample.ask(person, "/v1/inbox")).json.requests;

  test("has what they may decide, with what is asked", async () => {
    expect(await inboxOf("ada")).toMatchObject([
      {
        ...{ run: desk, loop: "refund", kind: "approval", name: "local.refund", role: "finance" },
        request: { order: "A-1", cents: 5 },
      },
    ]);
  });

  test("without the role it is empty, also for whoever started the run", async () => {
    expect(await inboxOf("bob")).toEqual([]);
    expect(await inboxOf("olga")).toEqual([]);
  });

  test("reads no content of requests that they may not decide", async () => {
    const { blobs } = sample.hosts.alpha.stores;
    const read = vi.spyOn(blobs, "read");
    await inboxOf("bob");
    expect(read).not.toHaveBeenCalled();
    await inboxOf("ada");
    expect(read).toHaveBeenCalled();
    read.mockRestore();
  });

  test("the same role of another tenant sees its own", async () => {
    expect(await inboxOf("mallory")).toMatchObject([{ run: foreign }]);
  });
});

describe("one run", () => {
  test("its state", async () => {
    const { json } = await sample.ask("ada", `/v1/runs/${chat}`);
    expect(json).toMatchObject({ run: chat, status: "waiting", turns: 1, requests: [] });
    const { json: asked } = await sample.ask("bob", `/v1/runs/${desk}`);
    expect(asked).toMatchObject({ status: "waiting", requests: [{ name: "local.refund" }] });
  });

  test("its receipts, which are those of the store", async () => {
    const { json } = await sample.ask("ada", `/v1/runs/${chat}/receipts`);
    const stored = await sample.hosts.alpha.allStores.receipts.read(chat, 1);
    expect(json).toEqual({
      receipts: [{ turn: 1, id: stored?.id, envelope: stored?.envelope }],
      next: null,
    });
    const { json: page } = await sample.ask("ada", `/v1/runs/${chat}/receipts?limit=1`);
    expect(page.next).toBe(1);
    const { json: last } = await sample.ask("ada", `/v1/runs/${chat}/receipts?after=1`);
    expect(last).toEqual({ receipts: [], next: null });
  });

  test("its cost", async () => {
    const { json } = await sample.ask("ada", `/v1/runs/${chat}/cost`);
    expect(json.spent).toMatchObject({ turns: 1, modelCalls: 1 });
    expect(json.budget).toMatchObject({ turns: 100 });
  });

  test("what its model was sent, for operators", async () => {
    const { json } = await sample.ask("olga", `/v1/runs/${chat}/context`);
    expect(json).toMatchObject({ turn: 1, round: 1, backend: "desk", model: "desk-1" });
    expect(json.entries.at(-1).message).toMatchObject({ role: "user", text: "hello" });
    const { status, json: no } = await sample.ask("ada", `/v1/runs/${chat}/context`);
    expect([status, no.error.code]).toEqual([403, "ROLE_MISSING"]);
    const { status: none, json: far } = await sample.ask("olga", `/v1/runs/${chat}/context?turn=9`);
    expect([none, far.error.code]).toEqual([404, "CONTEXT_UNKNOWN"]);
  });

  test.each(["", "/cost", "/receipts", "/context", "/transcript"])(
    "of another tenant it is no run: %s",
    async (view) => {
      for (const person of ["mallory", "olga"] as const) {
        const run = person === "mallory" ? chat : foreign;
        const { status, json } = await sample.ask(person, `/v1/runs/${run}${view}`);
        expect([status, json.error.code]).toEqual([404, "RUN_UNKNOWN"]);
      }
    },
  );

  test("for nobody there is nothing", async () => {
    const views = ["/v1/runs", "/v1/inbox", "/v1/agents", "/v1/loops", `/v1/runs/${chat}`];
    for (const path of views) expect((await sample.ask(undefined, path)).status, path).toBe(401);
  });
});

test("agents with their schemas for everybody, loops for operators", async () => {
  const { json } = await sample.ask("bob", "/v1/agents");
  expect(json.agents).toMatchObject([
    { name: "desk", loop: "desk", awaits: [], inputSchema: { type: "object" } },
    { name: "chat", loop: "desk", awaits: ["message"] },
    { name: "asking", loop: "desk", awaits: ["message"] },
    { name: "hearing", loop: "desk", awaits: ["note"] },
  ]);
  expect(JSON.stringify(json)).not.toContain("grantor");
  const { json: known } = await sample.ask("olga", "/v1/loops");
  expect(known.loops.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(["refund", "desk"]),
  );
  expect((await sample.ask("ada", "/v1/loops")).status).toBe(403);
});
