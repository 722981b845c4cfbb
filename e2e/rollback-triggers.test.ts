// A run that stops for a cause that it names asks for its rollback, on a real engine and database.
import { listRollbacks } from "@turnseal/host";
import { defineComposite, defineTool, jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld, type Worker } from "./durable-world.ts";

interface Given {
  readonly at: string;
}

/** The effects in the world, and the gate of the second tool. */
const world = new Set<string>();
let hold: Promise<void> | undefined;

const input = jsonSchema<Given>({ type: "object" });
const open = { version: "1.0.0", build: "test", input, output: jsonSchema<Given>(true) };
const put = defineTool({
  ...{ ...open, id: "put", effect: "idempotent" },
  run: ({ at }) => {
    world.add(at);
    return { at };
  },
  compensate: {
    ...{ effect: "idempotent", build: "undo-1" },
    run: ({ at }) => void world.delete(at),
  },
});
const look = defineTool({
  ...{ ...open, id: "look", effect: "read" },
  run: async () => {
    await hold;
    throw notDone("no room");
  },
});
const lose = defineTool({
  ...{ ...open, id: "lose", effect: "once" },
  run: () => Promise.reject(new Error("the line is dead")),
});
const both = (id: string, second: typeof look) =>
  defineComposite({
    ...{ id, version: "1.0.0", input, output: jsonSchema<unknown>(true) },
    policy: { rollbackOn: ["failed", "cancelled"] },
    flow: (flow) =>
      flow
        .call("first", put, ({ input: { at } }) => ({ at }))
        .call("second", second, ({ input: { at } }) => ({ at })),
  });
const [failing, losing] = [both("failing", look), both("losing", lose)];
const grant = {
  grantor: "ada",
  tools: ["local.put", "local.look", "local.lose"],
  budget: { effects: 9, toolCalls: 9, turns: 1 },
};
const bea = { id: "bea", roles: [] };

describe.each([
  ["as it is", {}],
  ["replaying at every step", { inactivityMs: 0 }],
])("the durable host, %s", (name, timing) => {
  let durable: DurableWorld;
  let worker: Worker;
  beforeAll(async () => {
    durable = await openDurableWorld({ loops: [failing, losing] });
    worker = await durable.startWorker(timing);
  });
  afterAll(() => durable.close());

  const start = (loop: typeof failing, at: string) =>
    durable.host.start(loop, { at }, { grant, by: "ada", key: at });
  /** The one rollback of a run, when it waits for people. */
  const askedOf = async (run: string): Promise<string> => {
    const asked = await durable.until(async () => {
      const [first] = await listRollbacks(run, durable.stores);
      const requests = first === undefined ? [] : await durable.host.requests(first.run);
      return requests.length === 0 ? undefined : first?.run;
    });
    expect(await listRollbacks(run, durable.stores)).toHaveLength(1);
    return asked;
  };
  const approve = async (run: string): Promise<void> => {
    const [request] = await durable.host.requests(run);
    await durable.host.decide(run, request?.id ?? "", { choice: "approve", by: bea });
  };

  test("a run that fails, also by the next worker, asks for one rollback", async () => {
    const at = `${name}, fails`;
    let go = () => {};
    hold = new Promise((resolve) => {
      go = resolve;
    });
    const run = await start(failing, at);
    await durable.until(async () => (world.has(at) ? true : undefined));
    // Work that the engine began with this worker continues at the same address.
    const port = Number(new URL(worker.uri).port);
    await worker.cut();
    worker = await durable.startWorker({ ...timing, port, isDeployed: false });
    go();
    expect(await durable.stoppedOf(run)).toBe("failed");
    const rollback = await askedOf(run);
    expect(world.has(at)).toBe(true);
    expect(await durable.host.rollback(run, { by: "eve" })).toMatchObject({
      ...{ kind: "known", rollback: { run: rollback } },
    });
    await approve(rollback);
    expect(await durable.stoppedOf(rollback)).toBe("goal-reached");
    expect(world.has(at)).toBe(false);
    // However often the engine looks at the run, that was it.
    await durable.ingress.look(run);
    expect(await listRollbacks(run, durable.stores)).toHaveLength(1);
  });

  test("what is not known is said first, and then the engine asks by itself", async () => {
    const at = `${name}, loses`;
    const run = await start(losing, at);
    const { key } = await durable.until(async () => {
      const open = (await durable.host.show(run))?.openTurn?.open ?? [];
      return open.find(({ isUnknown }) => isUnknown);
    });
    await durable.host.cancel(run, { key: "no", by: "ada" });
    expect(await durable.stoppedOf(run)).toBe("cancelled");
    expect(await listRollbacks(run, durable.stores)).toEqual([]);
    expect(await durable.host.triggered(run)).toMatchObject({
      ...{ cause: "cancelled", kind: "refused" },
    });
    await durable.host.resolve(run, { key, resolution: "never", by: bea });
    const rollback = await askedOf(run);
    await approve(rollback);
    expect(await durable.stoppedOf(rollback)).toBe("goal-reached");
    expect(world.has(at)).toBe(false);
  });
});
