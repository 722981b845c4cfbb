/** Workflow documents and flows that are valid to begin with. */
import type { FlowNode, LoopDef } from "@turnseal/protocol";

export const workflows: readonly string[] = [
  `# Validates a file, and mends it until nothing is wrong.
[workflow]
name = "validate-fix"
version = "1.0.0"
description = "Validates a file and mends it"

[workflow.limits]
max_turns = 6

[[steps]]
name = "check"
action = "analyze {file}"
max_retries = 2

[[steps]]
name = "mend"
action = "edit {file}"
condition = "has_errors"
on_error = "skip"
`,
  `[workflow]
name = "machine"

[[states]]
name = "look"
action = "analyze {file}"
[[states.transitions]]
condition = "has_errors"
next = "mend"
[[states.transitions]]
next = "done"

[[states]]
name = "mend"
action = "edit {file}"
[[states.transitions]]
next = "look"

[[states]]
name = "done"
terminal = true
`,
  `[workflow]
name = "each"

[[steps]]
name = "list"
action = "find-issues"

[[steps]]
name = "fix"
for_each = "list"
action = "edit {item}"

[[steps]]
name = "inner"
type = "scope"
[[steps.steps]]
name = "view"
action = "view {file}"
`,
  `[workflow]
name = "agent"

[workflow.llm]
strategy = "simple"
provider = "scripted"
model = "any"
max_actions = 4
parallel = true
`,
];

/** The loops that they name. */
export const actions: readonly LoopDef[] = ["analyze", "edit", "view", "find-issues"].map((id) => ({
  ...{ id, name: id, version: "1.0.0", kind: "tool", inputSchema: true },
  outputSchema:
    id === "find-issues"
      ? { type: "array", items: { type: "string" } }
      : { type: "object", properties: { errors: { type: "array" } }, required: ["errors"] },
  tool: { implementation: `local.${id}` },
}));

const call = (name: string): FlowNode => ({
  ...{ kind: "call", name, loopId: "echo" },
  inputMapping: { a: "$.input.name", b: { cel: "size(input.tags)" } },
});

export const flows: readonly FlowNode[] = [
  {
    kind: "sequence",
    name: "all",
    nodes: [
      { ...call("one"), retry: { strategy: "exponential", max: 3, delayMs: 10, jitter: true } },
      {
        ...call("two"),
        when: "one.output.a == 'x'",
        onError: "continue",
        otherwise: call("three"),
      },
      { kind: "branch", name: "which", cases: [{ when: "one.status == 'ok'", do: call("four") }] },
    ],
    outputMapping: { one: "$.one.output" },
  },
  {
    kind: "parallel",
    name: "beside",
    ...{ join: { quorum: 2 }, onItemError: "continue", concurrency: 2 },
    branches: [call("a"), call("b"), { ...call("c"), critical: false, timeoutMs: 1_000 }],
  },
  {
    kind: "forEach",
    name: "each",
    ...{ items: "$.input.tags", max: 20, as: "tag", tolerate: { percent: 30 }, spread: "turn" },
    body: { kind: "call", loopId: "echo", inputMapping: { tag: "$.tag", at: "$.tagIndex" } },
  },
  {
    kind: "repeat",
    name: "again",
    ...{ until: "round >= 2 || last.a == 'x'", max: 5, onMax: "continue", scope: "shared" },
    body: call("inner"),
  },
  {
    kind: "machine",
    name: "states",
    ...{ initial: "red", maxTransitions: 9 },
    states: {
      red: {
        body: call("r"),
        onExit: call("out"),
        transitions: [{ when: "result.status == 'ok'", next: "green" }, { next: "red" }],
      },
      green: { terminal: true, onEntry: call("in") },
    },
  },
  {
    kind: "sequence",
    name: "waits",
    nodes: [
      {
        kind: "wait",
        name: "until",
        for: { until: { const: "2030-01-01T00:00:00Z" } },
        withinMs: 1_000,
        onTimeout: "continue",
      },
      {
        kind: "wait",
        name: "heard",
        for: { signal: "go", schema: { type: "object" } },
        withinMs: 5_000,
      },
      { kind: "wait", name: "asked", for: { question: { loopId: "ask", inputMapping: {} } } },
    ],
  },
];
