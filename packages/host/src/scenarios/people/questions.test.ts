// Questions from the asking to the receipt, through a real host.
import { OUTPUT_BYTES_MAX } from "@turnseal/kernel";
import { manualClock, memoryStores, type Stores, scriptedModel, seededIds } from "@turnseal/ports";
import { canonicalize, type Identity, type JsonObject, type LoopDef } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { verifyRun } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { ada, eve, signer, signingKey } from "../__fixtures__/refund-desk.ts";

const address: LoopDef = {
  ...{ id: "address", name: "address", version: "1.0.0", kind: "tool", inputSchema: true },
  outputSchema: {
    type: "object",
    properties: { street: { type: "string" } },
    required: ["street"],
    additionalProperties: false,
  },
};

/** A question by itself, or as the tool of a prompt. */
function createLoops(config: JsonObject): readonly Loop<never, unknown>[] {
  const question = { ...address, tool: { implementation: "turnseal.question", config } };
  const clerk: LoopDef = {
    ...{ id: "clerk", name: "clerk", version: "1.0.0", kind: "prompt" },
    ...{ inputSchema: true, outputSchema: true },
    prompt: { template: "Go", variables: [], tools: [{ loopId: "address" }] },
  };
  return [{ definition: question }, { definition: clerk }];
}

async function open(config: JsonObject, root: "address" | "clerk" = "address") {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const loops = createLoops(config);
  const script = [
    { toolCalls: [{ tool: "turnseal__question", input: { who: "you" } }] },
    "Thanks.",
  ];
  const models = { scripted: scriptedModel(script) };
  const host = createLocalHost({
    ...{ loops, stores, signer, clock, models },
    ids: seededIds("q"),
  });
  const loop = loops[root === "address" ? 0 : 1];
  if (loop === undefined) throw new Error("there is no such loop");
  const grant = { grantor: "ada", tools: ["turnseal.question"], budget: {} };
  const run = await host.start(loop, { who: "you" } as never, { grant });
  const drive = async (): Promise<string> => {
    const advanced = await host.advance(run);
    return "projection" in advanced
      ? (advanced.projection.stopped ?? advanced.dues.kind)
      : advanced.dues.why;
  };
  expect(await drive()).toBe("wait");
  const [request] = await host.requests(run);
  if (request === undefined) throw new Error("nothing is asked");
  let rows = 0;
  return {
    ...{ clock, stores, host, loop, run, drive, request },
    answer: (answer: JsonObject, by: Identity = ada) =>
      host.answer(run, request.id, { answer, by }),
    /** A row that somebody put there without asking the host. */
    put: (body: JsonObject) => {
      rows += 1;
      const to = { question: request.hash, by: { id: "ada", roles: ["finance"] } };
      return stores.inbox.put({
        run,
        kind: "answer",
        key: `row-${rows}`,
        body: { ...to, ...body },
      });
    },
    why: async () =>
      (await stores.log.read(run, 1)).flatMap(({ type, content }) =>
        type === "signal.received" && content.kind === "refused" ? [content.why] : [],
      ),
  };
}

async function expectSound(run: string, stores: Stores): Promise<void> {
  const events = await stores.log.read(run, 1);
  const sealed = await stores.receipts.list(run, 1);
  const receipts = sealed.map(({ envelope }) => canonicalize(envelope));
  expect((await verifyRun({ run, events, receipts }, { keys: [signingKey] })).findings).toEqual([]);
}

const street = { street: "High Street 1" };
const sized = (bytes: number) => ({
  street: "x".repeat(bytes - JSON.stringify({ street: "" }).length),
});

test("a question says what is asked, of whom and until when", async () => {
  const { request } = await open({ role: "finance", withinMs: 60_000 });
  expect(request).toMatchObject({
    ...{ kind: "question", name: "person", role: "finance", loop: "address" },
    request: { who: "you" },
    decideBy: "2026-01-01T00:01:00.000Z",
  });
});

test("a right answer continues the same turn, and is its output", async () => {
  const { answer, drive, host, loop, run, stores } = await open({});
  await answer(street);
  expect(await drive()).toBe("goal-reached");
  expect(await host.readOutput(loop, run)).toEqual(street);
  const events = await stores.log.read(run, 1);
  expect(events.filter((event) => event.type === "turn.started")).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain("High Street");
  await expectSound(run, stores);
});

test("an answer of OUTPUT_BYTES_MAX bytes is taken", async () => {
  const { answer, drive, host, loop, run } = await open({});
  await answer(sized(OUTPUT_BYTES_MAX));
  expect(await drive()).toBe("goal-reached");
  expect(await host.readOutput(loop, run)).toEqual(sized(OUTPUT_BYTES_MAX));
});

test("an answer to the tool of a prompt is told to its model", async () => {
  const { answer, drive, run, stores } = await open({}, "clerk");
  await answer(street);
  expect(await drive()).toBe("goal-reached");
  await expectSound(run, stores);
});

describe("a wrong answer leaves it waiting, and a right one after it is taken", () => {
  test.each<[string, JsonObject, string]>([
    ["of another shape", { answer: { street: 7 } }, "answer-wrong"],
    ["with a field too many", { answer: { ...street, door: 3 } }, "answer-wrong"],
    ["that is missing", {}, "answer-wrong"],
    ["too large for an output", { answer: sized(OUTPUT_BYTES_MAX + 1) }, "answer-wrong"],
    [
      "of the wrong role",
      { answer: street, by: { id: "eve", roles: ["support"] } },
      "role-missing",
    ],
    ["of nobody", { answer: street, by: {} }, "identity-missing"],
    ["to another question", { answer: street, question: "0".repeat(64) }, "not-asked"],
  ])("%s", async (_, body, why) => {
    const place = await open({ role: "finance" });
    await place.put(body);
    expect(await place.drive()).toBe("wait");
    expect(await place.why()).toEqual([why]);
    expect(await place.host.requests(place.run)).toHaveLength(1);
    await place.answer(street);
    expect(await place.drive()).toBe("goal-reached");
    await expectSound(place.run, place.stores);
  });
});

test("whoever asks the host is told at once what is wrong", async () => {
  const { answer } = await open({ role: "finance" });
  await expect(answer({ street: 7 })).rejects.toMatchObject({ code: "ANSWER_REFUSED" });
  await expect(answer(sized(OUTPUT_BYTES_MAX + 1))).rejects.toMatchObject({
    code: "ANSWER_REFUSED",
    message: expect.stringContaining(`at most ${OUTPUT_BYTES_MAX} bytes`),
  });
  await expect(answer(street, eve)).rejects.toMatchObject({ code: "ROLE_MISSING" });
  await expect(answer(street, { id: "", roles: [] })).rejects.toMatchObject({
    code: "IDENTITY_MISSING",
  });
});

test("of two right answers the first is taken", async () => {
  const { answer, drive, host, loop, run, why } = await open({});
  await answer(street);
  await answer({ street: "Low Street 2" }, eve);
  expect(await drive()).toBe("goal-reached");
  expect(await host.readOutput(loop, run)).toEqual(street);
  expect(await why()).toEqual(["not-asked"]);
});

test("a question that nobody answers in time ends the turn", async () => {
  const late = await open({ withinMs: 60_000 });
  late.clock.advance(60_001);
  await late.answer(street);
  expect(await late.drive()).toBe("approval-expired");
  expect(await late.why()).toEqual(["too-late"]);
  await expectSound(late.run, late.stores);

  const early = await open({ withinMs: 60_000 });
  await early.answer(street);
  early.clock.advance(120_000);
  expect(await early.drive()).toBe("goal-reached");
});

test("an agent outside answers what was given to it, under its own name", async () => {
  const { answer, drive, request, run, stores } = await open({ to: "agent" });
  expect(request.name).toBe("agent");
  await answer(street, { id: "courier", roles: [] });
  expect(await drive()).toBe("goal-reached");
  const answered = (await stores.log.read(run, 1)).find(
    (event) => event.type === "question.answered",
  );
  expect(answered?.actor).toEqual({ kind: "agent", id: "courier" });
  await expectSound(run, stores);
});

test("a decision is no answer", async () => {
  const { drive, request, run, stores, why } = await open({});
  const body = { approval: request.hash, choice: "approve", by: { id: "ada", roles: [] } };
  await stores.inbox.put({ run, kind: "decide", key: "decide", body });
  expect(await drive()).toBe("wait");
  expect(await why()).toEqual(["not-asked"]);
});
