// A store that is away just after a tool has acted, and what comes next.
import { manualClock, memoryStores, type Signer, StoreError, seededIds } from "@turnseal/ports";
import { defineComposite, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { advance } from "../../advance.ts";
import { bindHost } from "../../bind-host.ts";
import { createLocalHost } from "../../local/local-host.ts";

const any = jsonSchema<object>(true);
const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const AWAY_MS = 20_000;

test("what comes after a result that was kept begins with the whole of its time", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const seen = { backMs: 0, paid: 0, mailed: [] as number[] };
  const declared = { input: any, output: any, build: "1" };
  const pay = defineTool({
    ...{ ...declared, id: "pay", version: "1.0.0", effect: "idempotent" },
    policy: { timeoutMs: 60_000 },
    run: () => {
      seen.paid += 1;
      if (seen.backMs === 0) seen.backMs = clock.now() + AWAY_MS;
      return {};
    },
  });
  const mail = defineTool({
    ...{ ...declared, id: "mail", version: "1.0.0", effect: "once" },
    policy: { timeoutMs: 17_000 },
    run: (_: object, { deadlineAt }) => {
      seen.mailed.push(Date.parse(deadlineAt) - clock.now());
      return {};
    },
  });
  const both = defineComposite({
    ...{ id: "both", version: "1.0.0", input: any, output: any },
    steps: (steps) => steps.call("paid", pay, () => ({})).call("mailed", mail, () => ({})),
  });
  const append: typeof stores.log.append = async (asked) => {
    if (clock.now() < seen.backMs) throw new StoreError("STORE_UNREACHABLE", "away");
    return stores.log.append(asked);
  };
  const gated = { ...stores, log: { ...stores.log, append } };
  const parts = { loops: [both], signer, clock, ids: seededIds("kept"), stores: gated };
  const grant = { grantor: "ada", tools: ["local.pay", "local.mail"], budget: {} };
  const run = await createLocalHost(parts).start(both, {}, { grant });
  const state = { isOver: false };
  const carry = async (): Promise<void> => {
    for (let attempts = 0; attempts < 20 && !state.isOver; attempts++) {
      const dues = await advance(run, bindHost(parts), { keepsResults: true }).then(
        (advanced) => advanced.dues.kind,
        () => "failed",
      );
      state.isOver = dues === "done";
      if (dues === "failed") await new Promise<void>((resume) => clock.after(1_000, resume));
    }
    state.isOver = true;
  };
  const carrying = carry();
  for (let tick = 0; !state.isOver && tick < 100_000; tick++) {
    await new Promise((resume) => setImmediate(resume));
    clock.advance(50);
  }
  await carrying;
  expect(await createLocalHost(parts).show(run)).toMatchObject({ stopped: "goal-reached" });
  expect(seen.paid).toBe(1);
  expect(seen.mailed).toEqual([17_000]);
});
