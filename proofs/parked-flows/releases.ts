/**
 * Three releases of one flow. Their actions, in words that are counted outside, are data: a run
 * must do what its own release says, after any later release.
 */
import type { FlowNode, LoopDef, Policy } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";

export interface Deed {
  readonly label: string;
  /** Begins with "pay" where a person approves first. */
  readonly what: string;
}

export interface FlowRelease {
  readonly number: number;
  readonly version: string;
  readonly flow: FlowNode;
  /** Everything that a run of it does, each once, in no order. */
  readonly deeds: readonly string[];
}

const act = (what: string): FlowNode => ({
  ...{ kind: "call", loopId: "act", inputMapping: { label: "$.input.label", what } },
});
const say = (what: string): FlowNode => act(`literal:${what}`);

/** The requests of every release: in another order, and in other places of the flow. */
export const PAYMENTS = ["pay a", "pay b", "pay c"] as const;

export const RELEASES: readonly FlowRelease[] = [
  {
    ...{ number: 1, version: "1.0.0" },
    flow: {
      kind: "sequence",
      nodes: [
        { ...{ kind: "forEach", items: { const: PAYMENTS }, max: 3 }, body: act("$.item") },
        say("close"),
      ],
    },
    deeds: ["pay a", "pay b", "pay c", "close"],
  },
  {
    // A node before the fan-out, a node in each item, and the items in another order.
    ...{ number: 2, version: "2.0.0" },
    flow: {
      kind: "sequence",
      nodes: [
        say("open"),
        {
          kind: "forEach",
          items: {
            const: [
              { note: "note c", pay: "pay c" },
              { note: "note a", pay: "pay a" },
              { note: "note b", pay: "pay b" },
            ],
          },
          ...{ max: 3, concurrency: 1 },
          body: { kind: "sequence", nodes: [act("$.item.note"), act("$.item.pay")] },
        },
        say("close"),
      ],
    },
    deeds: ["open", "note a", "note b", "note c", "pay a", "pay b", "pay c", "close"],
  },
  {
    // Nodes are gone, items are branches, and nobody raised the version.
    ...{ number: 3, version: "2.0.0" },
    flow: {
      kind: "parallel",
      branches: [
        { kind: "sequence", nodes: [say("pay b"), say("note b")] },
        say("pay c"),
        say("pay a"),
      ],
    },
    deeds: ["pay a", "pay b", "pay c", "note b"],
  },
];

export type Do = (deed: Deed, release: number) => Promise<void>;

/** The loops of a release; a process that only starts runs passes no function. */
export function createLoops(
  { number, version, flow }: FlowRelease,
  perform: Do = async () => {},
): { readonly settle: Loop<Deed>; readonly loops: readonly Loop<never, unknown>[] } {
  const anything = { inputSchema: true, outputSchema: true } as const;
  const definition: LoopDef = {
    ...{ ...anything, id: "settle", name: "settle", version },
    ...{ kind: "composite", composite: { flow } },
  };
  const settle: Loop<Deed> = { definition };
  const tool = defineTool({
    ...{ id: "act", version: "1.0.0", effect: "once", build: `release ${number}` },
    input: jsonSchema<Deed>({
      type: "object",
      properties: { label: { type: "string" }, what: { type: "string" } },
      required: ["label", "what"],
    }),
    output: jsonSchema<object>(true),
    run: async (deed: Deed) => {
      await perform(deed, number);
      return { did: deed.what };
    },
  });
  return { settle, loops: [settle, tool] };
}

export const policy: Policy = {
  name: "payments",
  rules: [
    { id: "pay", decision: "ask", tools: ["local.act"], when: "args.what.startsWith('pay')" },
    { id: "rest", decision: "allow" },
  ],
};

export const grant = {
  ...{ grantor: "proof", tools: ["local.act"] },
  budget: { turns: 1, toolCalls: 8, effects: 8 },
};
