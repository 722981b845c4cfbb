/** A run that is left begins nothing more, and what acts ends and is written down. */
import { type Model, manualClock, memoryStores, type Stores, scriptedModel } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { signer } from "../scenarios/__fixtures__/refund-desk.ts";
import { createLocalHost } from "./local-host.ts";

const any = jsonSchema<object>(true);
const left = { code: "LOG_FENCED" };

interface Till {
  /** The begun payments, each by its key. */
  readonly paid: string[];
  /** Lets the begun payments end. */
  readonly release: () => void;
}

function header(id: string, kind: LoopDef["kind"]) {
  return { id, name: id, version: "1.0.0", kind, inputSchema: true, outputSchema: true } as const;
}

/** Three payments one after the other. */
const three: Loop<object, object> = {
  definition: {
    ...header("three", "composite"),
    composite: { steps: Array.from({ length: 3 }, () => ({ loopId: "pay", inputMapping: {} })) },
  },
};

const both: Loop<object, object> = {
  definition: {
    ...header("both", "prompt"),
    prompt: { template: "Pay", variables: [], tools: [{ loopId: "pay", independent: true }] },
    backend: { id: "clerk" },
  },
};

const handed: Loop<object, object> = {
  definition: {
    ...header("handed", "tool"),
    tool: {
      implementation: "turnseal.handoff",
      config: { loop: "three", grant: { tools: ["local.pay"] } },
    },
  },
};

const clock = manualClock();

function openTill(stores: Stores = memoryStores(clock), model: Model = scriptedModel()) {
  const paid: string[] = [];
  let isOpen = false;
  let releases: (() => void)[] = [];
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", input: any, output: any, effect: "once" },
    run: async (_, { key }) => {
      paid.push(key);
      if (!isOpen) await new Promise<void>((resume) => releases.push(resume));
      return {};
    },
  });
  const loops = [pay, three, both, handed];
  const host = createLocalHost({ loops, stores, signer, clock, models: { clerk: model } });
  const till: Till & { readonly open: () => void } = {
    paid,
    release: () => {
      const now = releases;
      releases = [];
      for (const resume of now) resume();
    },
    open: () => {
      isOpen = true;
    },
  };
  const start = (loop: Loop<object, object>): Promise<string> =>
    host.start(
      loop,
      {},
      {
        grant: { grantor: "ada", tools: ["local.pay"], handoffs: ["three"], budget: {} },
        bounds: { turnsMax: 3 },
      },
    );
  return { ...till, host, stores, start };
}

const settle = (): Promise<void> => new Promise((resume) => setTimeout(resume, 5));

/** How a promise stands now. */
async function standing(promise: Promise<unknown>): Promise<"open" | "over"> {
  await settle();
  const over = promise.then(
    () => "over" as const,
    () => "over" as const,
  );
  return Promise.race([over, settle().then(() => "open" as const)]);
}

test("what acts is let end, nothing follows it, and the run goes on from there", async () => {
  const { host, stores, start, paid, release } = openTill();
  const run = await start(three);
  const leave = new AbortController();
  const driven = host.drive(run, { leave: leave.signal });
  driven.catch(() => {});
  await settle();
  leave.abort();
  expect(await standing(driven)).toBe("open");
  release();
  await expect(driven).rejects.toMatchObject(left);
  expect(paid).toHaveLength(1);
  // It is known what became of it.
  expect((await host.show(run))?.openTurn?.open).toEqual([]);
  const next = openTill(stores);
  next.open();
  expect((await next.host.drive(run)).dues).toEqual({ kind: "done" });
  expect(new Set([...paid, ...next.paid]).size).toBe(paid.length + next.paid.length);
});

test("whatever acts at once is waited for, and a model that answers later is not", async () => {
  const calls = { toolCalls: ["1", "2"].map(() => ({ tool: "local__pay", input: {} })) };
  const scripted = scriptedModel([calls]);
  let asked = 0;
  const model: Model = {
    ...scripted,
    generate: (request) => {
      asked += 1;
      return asked === 1 ? scripted.generate(request) : new Promise(() => {});
    },
  };
  const { host, start, paid, release } = openTill(undefined, model);
  const run = await start(both);
  const first = new AbortController();
  const paying = host.drive(run, { leave: first.signal });
  paying.catch(() => {});
  await settle();
  expect(paid).toHaveLength(2);
  first.abort();
  expect(await standing(paying)).toBe("open");
  release();
  await expect(paying).rejects.toMatchObject(left);
  expect(asked).toBe(1);
  const second = new AbortController();
  const thinking = host.drive(run, { leave: second.signal });
  thinking.catch(() => {});
  await settle();
  expect(asked).toBe(2);
  second.abort();
  await expect(thinking).rejects.toMatchObject(left);
  expect(paid).toHaveLength(2);
});

test("nothing is begun in a run that is left before it", async () => {
  const { host, start, paid } = openTill();
  const run = await start(three);
  const leave = AbortSignal.abort();
  await expect(host.drive(run, { leave })).rejects.toMatchObject(left);
  expect(paid).toEqual([]);
  expect(await host.show(run)).toMatchObject({ turns: 0, openTurn: null, stopped: null });
});

test("a run that was handed to is left with it", async () => {
  const { host, start, paid, release } = openTill();
  const run = await start(handed);
  const leave = new AbortController();
  const driven = host.drive(run, { leave: leave.signal });
  driven.catch(() => {});
  await settle();
  expect(paid).toHaveLength(1);
  leave.abort();
  expect(await standing(driven)).toBe("open");
  release();
  await expect(driven).rejects.toMatchObject(left);
  expect(paid).toHaveLength(1);
});

test("a turn that ends while the run is left is sealed, and no other is begun", async () => {
  const { host, start, paid, open, release } = openTill();
  const run = await start(three);
  const leave = new AbortController();
  const driven = host.drive(run, { leave: leave.signal, onProgress: () => leave.abort() });
  driven.catch(() => {});
  await settle();
  open();
  release();
  await expect(driven).rejects.toMatchObject(left);
  expect(await host.show(run)).toMatchObject({ turns: 1, openTurn: null, stopped: null });
  expect(paid).toHaveLength(3);
});
