// Finds the runs that hold copies of a run's content, in real runs that hand to each other.
import {
  createMemorySigner,
  type Model,
  manualClock,
  memoryStores,
  type Stores,
} from "@turnseal/ports";
import { type Grant, isClaimOf, type LoopDef } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { findCopies } from "../../read/run/find-copies.ts";
import { readEvents } from "../../state/load-projection.ts";

const signer = await createMemorySigner();

const loopOf = (id: string, fields: Partial<LoopDef>): LoopDef => ({
  ...{ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true },
  kind: "tool",
  ...fields,
});
const handTo = (id: string, loop: string): LoopDef =>
  loopOf(id, {
    tool: { implementation: "turnseal.handoff", config: { loop, grant: { tools: [] } } },
  });
const speaker = loopOf("speaker", {
  kind: "prompt",
  prompt: { template: "{{word}}", variables: ["word"] },
  backend: { id: "test" },
});
/** Hands to one run, and then to another. */
const both = loopOf("both", {
  kind: "composite",
  composite: { steps: ["first", "second"].map((loopId) => ({ loopId, inputMapping: {} })) },
});
const loops = [both, handTo("first", "speaker"), handTo("second", "speaker"), speaker];

const grant: Grant = {
  ...{ grantor: "ada", tools: [], budget: {} },
  ...{ handoffs: ["speaker"], depth: 2 },
};

function openDesk(reply: () => string) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const model: Model = {
    defaultModel: "small",
    generate: async () => ({
      content: [{ kind: "text", text: reply() }],
      ...{ finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } },
    }),
  };
  const host = createLocalHost({
    ...{ stores, clock, signer, models: { test: model } },
    loops: loops.map((definition) => ({ definition })),
  });
  const start = () => host.start({ definition: both }, { word: "secret" } as never, { grant });
  return { host, stores, start };
}

async function listHanded({ log }: Stores, run: string): Promise<string[]> {
  const children: string[] = [];
  for await (const event of readEvents(log, run, 1))
    if (isClaimOf("handoff", event)) children.push(event.content.child);
  return children;
}

const kindsOf = async (stores: Stores, run: string) =>
  (await findCopies(stores, run)).map(({ kind, run: copy }) => [kind, copy]);

test("whoever was given a result holds it, and so does what it handed to after", async () => {
  const { host, stores, start } = openDesk(() => "told");
  const run = await start();
  await host.drive(run);
  expect((await host.show(run))?.stopped).toBe("goal-reached");
  const [first = "", second = ""] = await listHanded(stores, run);
  expect(await kindsOf(stores, first)).toEqual([
    ["result", run],
    ["handoff", second],
  ]);
  // The run that it handed to before has no copy.
  expect(await kindsOf(stores, second)).toEqual([["result", run]]);
  expect(await kindsOf(stores, run)).toEqual([
    ["handoff", first],
    ["handoff", second],
  ]);
});

test("a run that failed gave nothing", async () => {
  const { host, stores, start } = openDesk(() => {
    throw new Error("away");
  });
  const run = await start();
  await host.drive(run);
  const [child = ""] = await listHanded(stores, run);
  expect((await host.show(child))?.stopped).toBe("failed");
  expect(await kindsOf(stores, child)).toEqual([]);
});

test("a run that nobody has carried yet was given something all the same", async () => {
  const { host, stores, start } = openDesk(() => "told");
  const run = await start();
  await host.advance(run);
  const [child = ""] = await listHanded(stores, run);
  expect(await stores.log.readHead(child)).toBeUndefined();
  expect(await kindsOf(stores, run)).toEqual([["handoff", child]]);
  await stores.blobs.erase(child);
  expect(await kindsOf(stores, run)).toEqual([]);
});
