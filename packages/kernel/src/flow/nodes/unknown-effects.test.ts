import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import type { ToolBindings } from "../../actions/bind-tools.ts";
import { toolLoop } from "../../call/sample-world.test.data.ts";
import { crashAt, type SampleRunOptions } from "../../turn/sample-run.test.data.ts";
import {
  driveOn,
  type FlowRun,
  flowLoop,
  MOMENTS,
  openFlow,
  sampleLoops,
  sampleTools,
  say,
  sequence,
  wayOf,
} from "./sample-flow.test.data.ts";

const retry = { strategy: "immediate" } as const;
const pay: FlowNode = { kind: "call", loopId: "pay", inputMapping: {}, timeoutMs: 1_000 };
const borne = { retry, otherwise: say("instead"), onError: "continue" } as const;

/** A run whose payee does not answer. */
function openPaying(
  flow: FlowNode,
  options: Partial<SampleRunOptions> & { readonly effect?: "idempotent" | "read" } = {},
): FlowRun & { readonly paid: Set<string> } {
  const { effect = "idempotent", ...given } = options;
  const paid = new Set<string>();
  const tools: ToolBindings = {
    ...sampleTools().tools,
    "local.pay": {
      effect,
      run: (_, { key }) => {
        paid.add(key);
        return new Promise(() => {});
      },
    },
  };
  const inner = flowLoop(sequence(pay), { id: "inner", name: "inner" });
  const loops = [flowLoop(flow), inner, toolLoop("pay"), ...sampleLoops];
  return { ...openFlow(flow, { loops, tools, ...given }), paid };
}

const each: FlowNode = {
  kind: "forEach",
  items: { const: [1] },
  max: 2,
  body: pay,
  onItemError: "continue",
};

const flows: readonly [string, FlowNode][] = [
  ["a call", { ...pay, ...borne }],
  ["what stands around it", { ...sequence(pay, say("after")), ...borne }],
  ["a call that is not critical", { ...pay, critical: false }],
  ["a flow in a call", { kind: "call", loopId: "inner", inputMapping: {}, ...borne }],
  ["an item", { ...each, ...borne }],
  ["an item that tries", { ...each, body: { ...pay, ...borne } }],
  ["a branch", { kind: "parallel", branches: [pay, say("beside")], join: "any", concurrency: 1 }],
];

test.each(flows)("nothing makes up for an effect whose end nobody knows: %s", async (_, flow) => {
  const { run, paid } = openPaying(sequence(flow, say("next")));
  expect(await driveOn(run)).toMatchObject({ kind: "closed", outcome: "unknown" });
  expect(paid.size).toBe(1);
  expect(await run.contents("action.unknown")).toMatchObject([{ status: "timed-out" }]);
  const way = wayOf(await run.events());
  expect(way.filter((line) => /again|otherwise|skipped|nodes\/1$/u.test(line))).toEqual([]);
});

test.each(flows)("whoever goes on with it comes to the same: %s", async (_, flow) => {
  for (const moment of MOMENTS)
    for (let place = 1; ; place++) {
      let appends = 0;
      const crash = crashAt(place);
      const crashing = (): void => {
        appends += 1;
        crash();
      };
      const { run, paid } = openPaying(sequence(flow, say("next")), { [moment]: crashing });
      await driveOn(run);
      if (appends < place) break;
      const [closed] = await run.contents("turn.closed");
      expect(closed, `${moment} ${place}`).toMatchObject({ outcome: "unknown" });
      expect(paid.size, `${moment} ${place}`).toBe(1);
      expect(await run.types()).not.toContain("step.retried");
    }
});

test("what only reads is tried again", async () => {
  const { run, paid } = openPaying(sequence({ ...pay, retry }), { effect: "read" });
  expect(await driveOn(run)).toMatchObject({ outcome: "timed-out" });
  expect(paid.size).toBe(3);
});
