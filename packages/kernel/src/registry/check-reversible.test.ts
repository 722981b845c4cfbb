import type { LoopDef } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { checkReversible, type FindDeclared } from "./check-reversible.ts";
import { createRegistry } from "./registry.ts";

const tool = (id: string, implementation: string, more: Partial<LoopDef> = {}): LoopDef => ({
  ...{ id, name: id, version: "1.0.0", kind: "tool", inputSchema: true, outputSchema: true },
  tool: { implementation },
  ...more,
});
const undo = { loop: "pay.undo", version: "1.0.0", build: "1", effect: "once" } as const;
const reversible = { policy: { reversible: true } };
const hand = (loop: string) =>
  tool("hand", "turnseal.handoff", {
    ...reversible,
    tool: { implementation: "turnseal.handoff", config: { loop } },
  });

function check(
  id: string,
  loops: readonly LoopDef[],
  declared: Readonly<Record<string, ReturnType<FindDeclared>>>,
): string[] {
  const registry = createRegistry();
  for (const loop of loops) expect(registry.register(loop).kind).toBe("registered");
  const loop = registry.resolve(id);
  if (loop === undefined) throw new Error(`${id} is not there`);
  const problems = checkReversible(loop, registry.resolve, (name) => declared[name]);
  return problems.map(({ rule, message }) => `${rule}: ${message}`);
}

const pay = tool("pay", "local.pay");
const payment = { effect: "once", compensation: undo } as const;

test("what takes back is there, or it is not: another loop in its place is refused", () => {
  const real = tool("pay.undo", "local.pay.undo");
  const back = { effect: "once", takesBack: true } as const;
  expect(check("pay", [pay, real], { "local.pay": payment, "local.pay.undo": back })).toEqual([]);
  expect(check("pay", [pay], { "local.pay": payment })).toEqual([]);
  const shadowed = ["name-reserved: pay.undo is what takes back pay, and is something else here"];
  const other = { effect: "once" } as const;
  expect(check("pay", [pay, real], { "local.pay": payment, "local.pay.undo": other })).toEqual(
    shadowed,
  );
  const words = tool("pay.undo", "local.other");
  expect(check("pay", [pay, words], { "local.pay": payment, "local.other": other })).toEqual(
    shadowed,
  );
});

test("a loop that is to be reversible hands to none that is not", () => {
  const mail = tool("mail", "local.mail");
  expect(check("hand", [hand("pay"), pay], { "local.pay": payment })).toEqual([]);
  expect(check("hand", [hand("mail"), mail], { "local.mail": { effect: "once" } })).toEqual([
    "irreversible: mail acts, and declares no compensation",
  ]);
  const final = { effect: "once", irreversible: "sent" } as const;
  const further = tool("further", "turnseal.handoff", {
    tool: { implementation: "turnseal.handoff", config: { loop: "mail" } },
  });
  expect(check("hand", [hand("further"), further, mail], { "local.mail": final })).toEqual([
    "irreversible: mail acts, and says that it is final",
  ]);
  expect(check("hand", [hand("elsewhere")], {})).toEqual([
    "irreversible: hand hands to elsewhere, which is not here",
  ]);
});
