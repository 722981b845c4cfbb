/** A cancel that comes while a run is waited for, in a flow that would wait next. */
import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { openSpreadDesk } from "../__fixtures__/spread-desk.ts";

const hand: FlowNode = { kind: "call", loopId: "hand", inputMapping: { at: { const: "a" } } };

test.each<[string, FlowNode]>([
  ["signal", { kind: "wait", for: { signal: "go" } }],
  ["time", { kind: "wait", for: { until: { const: "2100-01-01T00:00:00Z" } }, withinMs: 1 }],
  ["call", hand],
])("the turn ends before what follows, a %s, and replays", async (_, next) => {
  const desk = await openSpreadDesk({ kind: "sequence", nodes: [hand, next] });
  const host = desk.open();
  await host.advance(desk.run);
  const [child = ""] = await desk.children();
  await host.drive(child);
  await host.cancel(desk.run, { key: "cancel", by: "ada" });
  expect(await desk.drive()).toBe("cancelled");
  expect(desk.paid).toEqual(["a"]);
  const { codes, replays } = await desk.judge();
  expect(codes).toEqual([]);
  expect(new Set(replays)).toEqual(new Set(["identical"]));
});
