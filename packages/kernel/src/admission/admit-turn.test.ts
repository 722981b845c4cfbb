import type { Amounts, Grant, JsonObject, LoopEvent, Spending } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { compositeLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { pinReferences } from "../registry/pin-references.ts";
import { registerAll } from "../turn/sample-run.test.data.ts";
import { admitTurn } from "./admit-turn.ts";

const at = "2026-01-01T00:00:00.000Z";
const registry = registerAll([compositeLoop("flow", [step("look")]), toolLoop("look")]);
const [root] = registry.list();
const pinned = root === undefined ? {} : pinReferences(registry, root);

function started(spending: Spending): LoopEvent {
  return {
    id: "i",
    run: "r",
    sequence: 1,
    epoch: 1,
    type: "turn.started",
    at,
    actor: { kind: "kernel", id: "kernel" },
    turn: 1,
    content: { spending: spending as unknown as JsonObject },
    previous: "",
    hash: "",
  };
}

function admit(grant: Partial<Grant> = {}, settled: Amounts = {}) {
  return admitTurn(
    {
      loop: "flow",
      version: "1.0.0",
      pinned,
      grant: { grantor: "me", tools: [], budget: {}, ...grant },
    },
    { registry, started: started({ settled, assumed: {}, open: {} }) },
  );
}

test("a turn is admitted with the loops that were pinned, and no others", () => {
  const admission = admit();
  if (admission.kind !== "admitted") throw new Error(admission.kind);
  const { root: loop, loops } = admission.loops;
  expect(loop.definition.id).toBe("flow");
  expect(loops("look", undefined)?.definition.id).toBe("look");
  expect(loops("look", "1.0.0")).toBeUndefined();
  expect(loops("toString", undefined)).toBeUndefined();
});

test("a grant that expires a moment later still admits, one that has expired does not", () => {
  expect(admit({ expiresAt: "2026-01-01T00:00:00.001Z" }).kind).toBe("admitted");
  expect(admit({ expiresAt: at })).toEqual({ kind: "denied", reason: "grant-expired" });
  expect(admit({ expiresAt: "no time at all" })).toEqual({
    kind: "denied",
    reason: "grant-expired",
  });
});

test("the turn itself counts against the budget: the last one is admitted, one more is not", () => {
  expect(admit({ budget: { turns: 3 } }, { turns: 2 }).kind).toBe("admitted");
  expect(admit({ budget: { turns: 3 } }, { turns: 3 })).toEqual({
    kind: "denied",
    reason: "budget-exhausted",
  });
  expect(admit({ budget: { effects: 1 } }, { effects: 2 })).toMatchObject({ kind: "denied" });
});

test("a loop that is gone, or is not what was pinned, is drift", () => {
  const changed = registerAll([
    compositeLoop("flow", [step("look")]),
    toolLoop("look", { description: "another" }),
  ]);
  const request = {
    loop: "flow",
    version: "1.0.0",
    pinned,
    grant: { grantor: "me", tools: [], budget: {} },
  };
  const facts = { started: started({ settled: {}, assumed: {}, open: {} }) };
  expect(admitTurn(request, { ...facts, registry: changed })).toMatchObject({ kind: "drifted" });
  expect(admitTurn(request, { ...facts, registry: registerAll([]) })).toMatchObject({
    kind: "drifted",
  });
  expect(admitTurn({ ...request, pinned: {} }, { ...facts, registry })).toMatchObject({
    kind: "drifted",
  });
});
