/** Runs with a fan-out in them, and what drives them through crashes and answers. */
import type { FlowNode, ForEachNode, JsonValue, LoopEvent, Policy } from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import { expect } from "vitest";
import { compositeLoop, toolLoop } from "../../../call/sample-world.test.data.ts";
import { decide, pendingIn } from "../../../gate/asked-people.test.data.ts";
import { readPolicy } from "../../../policy/compile-policy.ts";
import {
  openRun,
  RUN,
  type SampleRun,
  type SampleRunOptions,
  sampleKey,
} from "../../../turn/sample-run.test.data.ts";
import { standInRun } from "../../../turn/stand-in-run.test.data.ts";

const ask: Policy["rules"][number] = { id: "ask", decision: "ask", role: "finance" };
/** Every action needs an approval. */
export const askAlways = { pinned: readPolicy({ name: "test", rules: [ask] }) };

/** Pays the item, or calls another loop with it. */
export const pay = (at = "$.item", loopId = "pay"): FlowNode => ({
  kind: "call",
  loopId,
  inputMapping: { at },
});

export const eachOf = (list: JsonValue, fields: Partial<ForEachNode> = {}): ForEachNode => ({
  kind: "forEach",
  items: { const: list },
  max: 50,
  body: pay(),
  ...fields,
});

export function flowLoop(flow: FlowNode, id = "whole") {
  const { composite: _, ...loop } = compositeLoop(id, []);
  return { ...loop, outputSchema: true, composite: { flow } };
}

type PayRun = SampleRun & {
  /** The payments, in their order. */
  readonly paid: unknown[];
};

export type Pay = (at: unknown, given: { readonly signal: AbortSignal }) => unknown;

export interface FanOutOptions extends Partial<SampleRunOptions> {
  readonly pay?: Pay;
  readonly effect?: "idempotent" | "once" | "read";
}

export function openFanOut(
  flow: FlowNode,
  { pay: act = (at) => at, effect = "idempotent", ...options }: FanOutOptions = {},
): PayRun {
  const paid: unknown[] = [];
  const keys = new Set<string>();
  const run = openRun({
    loops: [flowLoop(flow), toolLoop("pay", { outputSchema: true })],
    tools: {
      "local.pay": {
        effect,
        run: async (input, given) => {
          const { at } = input as { readonly at: unknown };
          const result = await act(at, given);
          if (!keys.has(given.key)) paid.push(at);
          keys.add(given.key);
          return result as JsonValue;
        },
      },
    },
    ...options,
  });
  return { ...run, paid };
}

/** Resumes, crashes included, until the turn closes, and approves one request at a time. */
export async function drive(
  run: SampleRun,
  pick: (count: number) => number = () => 0,
): Promise<string> {
  for (let attempt = 0; attempt < 80; attempt++) {
    const events = await run.events();
    const closed = events.find((event) => event.type === "turn.closed");
    if (closed !== undefined) return closed.content.outcome;
    const pending = pendingIn(events);
    const next = pending[pick(pending.length)];
    try {
      await run.turn(next === undefined ? {} : { said: [decide(next)] });
    } catch (error) {
      if ((error as Error).message !== "crash") throw error;
    }
  }
  return "endless";
}

/** How the items of a run ended, in the order of the log. */
export function endsOf(events: readonly LoopEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "item.closed" ? [`${event.content.index} ${event.content.status}`] : [],
  );
}

export async function expectSound(run: SampleRun): Promise<void> {
  const events = await run.events();
  const whole = standInRun(events);
  const { findings } = await verifyRun(
    { run: RUN, events: whole, receipts: [] },
    { keys: [sampleKey] },
  );
  // There is no receipt: of the rest nothing may be wrong.
  const known = ["RECEIPT_MISSING", "RUN_UNSEALED"];
  expect(findings.filter(({ code }) => !known.includes(code))).toEqual([]);
}
