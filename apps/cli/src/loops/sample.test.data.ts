/** A flow with every kind of node, and the loops that it calls. */
import type { FlowNode, LoopDef } from "@turnseal/protocol";

const call = (loopId: string): FlowNode => ({ kind: "call", loopId, inputMapping: {} });

export const sampleFlow: FlowNode = {
  kind: "sequence",
  nodes: [
    {
      ...{ kind: "call", loopId: "search", name: "found", inputMapping: {} },
      ...{ summary: "look it up", retry: { strategy: "exponential", max: 5 } },
      otherwise: call("archive"),
    },
    {
      ...{ kind: "parallel", join: { quorum: 1 }, concurrency: 2, name: "views" },
      branches: [call("legal"), { kind: "sequence", nodes: [call("cost"), call("audit")] }],
    },
    {
      kind: "branch",
      cases: [
        {
          when: "found.output.rows.size() > 10 && input.urgent",
          do: {
            ...{ kind: "forEach", items: "$.found.output.rows", as: "row", max: 50 },
            tolerate: { count: 2 },
            body: { ...call("digest"), onError: "skip", timeoutMs: 5_000 },
          },
        },
        {
          when: 'input.kind == "</text><script>"',
          do: {
            ...{ kind: "wait", for: { signal: "more" } },
            ...{ withinMs: 3_600_000, onTimeout: "continue" },
          },
        },
      ],
      else: { kind: "repeat", until: "last.ok", max: 5, body: call("fix") },
    },
    {
      ...{ kind: "machine", initial: "draft" },
      states: {
        done: { terminal: true },
        draft: {
          body: call("write"),
          transitions: [{ when: "result.status == 'ok'", next: "review" }, { next: "draft" }],
        },
        review: {
          onEntry: call("notify"),
          transitions: [{ when: "last == 'yes'", next: "done" }, { next: "draft" }],
        },
      },
    },
  ],
};

const header = { version: "1.0.0", inputSchema: true, outputSchema: true } as const;
const tools = "search archive legal cost audit digest fix write notify".split(" ");

export const sampleLoop: LoopDef = {
  ...{ ...header, id: "triage", name: "triage", kind: "composite" },
  composite: { flow: sampleFlow },
};

export const sampleLoops: readonly LoopDef[] = [
  sampleLoop,
  ...tools.map(
    (id): LoopDef => ({
      ...{ ...header, id, name: id, kind: "tool" },
      tool: { implementation: `local.${id}` },
    }),
  ),
];
