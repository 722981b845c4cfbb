// Values of models, tools and people may be nested to any depth, and must never keep a run from its
// end.
import { manualClock, memoryStores, scriptedModel, seededIds } from "@turnseal/ports";
import {
  type Grant,
  isSettledOf,
  type JsonValue,
  type RunBounds,
  VALUE_DEPTH_MAX,
} from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { signer } from "../__fixtures__/refund-desk.ts";

const anything = jsonSchema<JsonValue>(true);
const grant: Grant = {
  grantor: "ada",
  tools: ["local.deep"],
  handoffs: ["worker"],
  budget: { effects: 5, toolCalls: 20, turns: 20, handoffs: 5 },
};
const budget = { effects: 2, toolCalls: 4, turns: 2, handoffs: 0 };
const slice = { tools: ["local.deep"], budget };

function nest(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

interface Depths {
  /** Of what the model hands to the other run. */
  readonly asked?: number;
  /** Of what that run gives. */
  readonly given?: number;
  /** Of the model's own answer. */
  readonly answered?: number;
  readonly bounds?: Partial<RunBounds>;
}

function openDesk({ asked, given = 1, answered = 1, bounds = {} }: Depths) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const worker = defineTool({
    ...{ id: "worker", version: "1.0.0", implementation: "local.deep" },
    ...{ effect: "idempotent", build: "test", input: anything, output: anything },
    run: () => nest(given),
  });
  const delegate = defineTool({
    ...{ id: "delegate", version: "1.0.0", implementation: "turnseal.handoff" },
    ...{ config: { loop: "worker", grant: slice }, input: anything, output: anything },
    run: () => null,
  });
  const chat = definePrompt({
    ...{ id: "chat", version: "1.0.0", input: anything, output: anything, template: "go" },
    tools: [delegate],
  });
  const answer = { text: JSON.stringify(nest(answered)) };
  const call = { toolCalls: [{ tool: "turnseal__handoff", input: nest(asked ?? 1) }] };
  const host = createLocalHost({
    ...{ loops: [worker, delegate, chat], stores, signer, clock, ids: seededIds("desk") },
    models: { scripted: scriptedModel(asked === undefined ? [answer] : [call, answer]) },
  });
  return { host, stores, start: () => host.start(chat, {}, { key: "run", grant, bounds }) };
}

const settled = async ({ stores }: ReturnType<typeof openDesk>, run: string) =>
  (await stores.log.read(run, 1))
    .filter((event) => isSettledOf("handoff", event))
    .map(({ content }) => content.status);

test("a run hands on a value of VALUE_DEPTH_MAX levels, and takes one back", async () => {
  const desk = openDesk({ asked: VALUE_DEPTH_MAX, given: VALUE_DEPTH_MAX });
  const run = await desk.start();
  const { dues } = await desk.host.drive(run);
  expect(dues).toEqual({ kind: "done" });
  expect(await settled(desk, run)).toEqual(["ok"]);
});

test.each([VALUE_DEPTH_MAX + 1, 127, 128])(
  "what nests %d deep is not handed on: the model is told so",
  async (asked) => {
    const desk = openDesk({ asked });
    const run = await desk.start();
    const { dues } = await desk.host.drive(run);
    expect(dues).toEqual({ kind: "done" });
    expect(await settled(desk, run)).toEqual([]);
  },
);

test.each([VALUE_DEPTH_MAX + 1, 127, 128])(
  "an output that nests %d deep is no output of the run that was handed to",
  async (given) => {
    const desk = openDesk({ asked: 1, given });
    const run = await desk.start();
    const { dues } = await desk.host.drive(run);
    expect(dues).toEqual({ kind: "done" });
    expect(await settled(desk, run)).toEqual(["failed"]);
  },
);

test.each([VALUE_DEPTH_MAX, VALUE_DEPTH_MAX + 1, 127, 128])(
  "an answer that nests %d deep never keeps the next turn from its end",
  async (answered) => {
    const goal = { path: "$.output.done", equals: true };
    const bounds = { turnsMax: 3, goal, nextInput: { previous: "$.output" } };
    const desk = openDesk({ answered, bounds });
    const run = await desk.start();
    const { dues } = await desk.host.drive(run);
    expect(dues).toEqual({ kind: "done" });
    const closed = (await desk.stores.log.read(run, 1)).findLast(
      (event) => event.type === "turn.closed",
    );
    // At the limit the answer is one, and the input that is built around it is refused.
    const outcome = answered === VALUE_DEPTH_MAX ? "refused" : "failed";
    expect(closed?.content.outcome).toBe(outcome);
  },
);

test("a signal without a key, or whose payload nests too deep, is refused", async () => {
  const desk = openDesk({ bounds: { awaits: ["message"] } });
  const run = await desk.start();
  await desk.host.drive(run);
  const signal = { name: "message", payload: nest(VALUE_DEPTH_MAX + 1), key: "1", by: "ada" };
  const refusal = { code: "SIGNAL_REFUSED" };
  await expect(desk.host.signal(run, signal)).rejects.toMatchObject(refusal);
  await expect(desk.host.signal(run, { ...signal, payload: 1, name: "" })).rejects.toMatchObject(
    refusal,
  );
  for (const key of [undefined, "", "k".repeat(1_001), 7])
    await expect(
      desk.host.signal(run, { ...signal, payload: 1, key: key as string }),
    ).rejects.toMatchObject(refusal);
  const body = { name: "message", payload: signal.payload, by: "ada" };
  await desk.stores.inbox.put({ run, key: "signal:2", kind: "signal", body });
  const { dues } = await desk.host.drive(run);
  expect(dues).toEqual({ kind: "wait" });
  const last = (await desk.stores.log.read(run, 1)).findLast(
    (event) => event.type === "signal.received",
  );
  expect(last?.content).toMatchObject({ kind: "refused", why: "signal-unreadable" });
});
