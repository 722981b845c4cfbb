import { describe, expect, test } from "vitest";
import { TURNS_DEFAULT } from "./compile-agent.ts";
import { flowOf, loopsOf, problemsOf } from "./workflow.test.data.ts";

const DWIM = `[workflow]
name = "dwim"

[workflow.context]
strategy = "task_tree"

[workflow.cache]
strategy = "in_memory"
preview_length = 500

[workflow.retry]
strategy = "exponential"
max_attempts = 3

[workflow.llm]
strategy = "simple"
provider = "anthropic"
model = "claude-3-haiku"
system_prompt = "..." # or reference a file
`;

const retry = { strategy: "exponential", max: 3, delayMs: 1_000, capMs: 60_000 };
const cached = { cache: { strategy: "ephemeral" }, preview: 500 };
const act = (loopId: string): object => ({
  when: `action.verb == "${loopId}"`,
  do: {
    ...{ kind: "call", loopId, retry, ...cached },
    inputMapping: {
      target: "$.action.target",
      args: { cel: "has(action.args) ? action.args : []" },
    },
  },
});
const fetch = {
  when: 'action.verb == "fetch"',
  do: {
    ...{ kind: "call", loopId: "workflow-fetch", loopVersion: "1.0.0" },
    inputMapping: {
      handle: "$.action.target",
      from: { cel: "has(action.from) ? action.from : 0" },
    },
  },
};

interface AgentFlow {
  readonly nodes: readonly [
    { readonly until: string; readonly body: { readonly nodes: unknown[] } },
  ];
  readonly outputMapping: object;
}
const agentOf = (text: string): AgentFlow => flowOf(text) as AgentFlow;
/** The decision, and its actions. */
const turnOf = (text: string): unknown =>
  (agentOf(text).nodes[0].body.nodes as { nodes: unknown }[])[0]?.nodes;

describe("a workflow without steps and states", () => {
  test("is a model that decides, turn by turn", () => {
    const { nodes, outputMapping } = agentOf(DWIM);
    expect(nodes[0]).toMatchObject({
      ...{ kind: "repeat", name: "turns", scope: "shared", max: TURNS_DEFAULT, onMax: "continue" },
      until: "last.done || last.same >= 5 || last.stuck",
    });
    expect(turnOf(DWIM)).toEqual([
      {
        ...{ kind: "call", name: "decision", loopId: "dwim.decide" },
        inputMapping: {
          begun: { cel: "last == null ? [input.task] : last.begun" },
          ended: { cel: "last == null ? [] : last.ended" },
          left: { cel: "last == null ? [] : last.left" },
          noted: { cel: "last == null ? [] : last.noted" },
          results: { cel: "last == null ? [] : last.results" },
          task: "$.input.task",
        },
      },
      {
        ...{ kind: "forEach", name: "acts", as: "action", max: 1, concurrency: 1 },
        items: {
          cel: 'decision.output.actions.filter(a, !(a.verb in ["note","breakdown","done"]))',
        },
        body: {
          kind: "sequence",
          nodes: [
            {
              ...{ kind: "branch", name: "did", onError: "continue" },
              cases: [act("analyze"), act("edit"), act("view"), fetch],
            },
          ],
          outputMapping: {
            ...{ verb: "$.action.verb", target: "$.action.target" },
            ...{ status: "$.did.status", output: "$.did.output", error: "$.did.error" },
          },
        },
      },
    ]);
    expect(Object.keys(outputMapping)).toEqual([
      ...["text", "done", "stopped", "did", "left", "results"],
    ]);
  });

  test("has its end for a goal, so that a run is not over where it was only stopped", () => {
    expect(loopsOf(DWIM)[0]?.policy).toEqual({ goal: { path: "$.output.done", equals: true } });
  });

  test.each<[string, object, string[]]>([
    ["task_tree", { strategy: "task-tree" }, ["begun", "ended", "left", "noted"]],
    ["task_list", { strategy: "task-list" }, ["begun", "ended", "named", "noted"]],
    ["flat", { strategy: "flat", last: 10 }, ["begun", "ended", "noted"]],
  ])("notes what it does by its strategy: %s", (strategy, context, fields) => {
    const decide = loopsOf(`[workflow]\ncontext = "${strategy}"\nllm = "simple"\n`)[1];
    const notesFrom = { done: "ended", note: "noted", start: "begun", task: "named" };
    expect(decide?.prompt).toMatchObject({ context, notesFrom });
    const variables = decide?.prompt?.variables ?? [];
    expect(variables.filter((name) => name !== "results" && name !== "task")).toEqual(fields);
  });

  test("keeps no notes without a strategy, and has no verbs for them", () => {
    const text = '[workflow]\ncontext = "none"\nllm = "simple"\n';
    const decide = loopsOf(text)[1];
    expect(decide?.prompt).not.toHaveProperty("notesFrom");
    expect(decide?.prompt?.template).not.toContain("breakdown");
    expect(JSON.stringify(turnOf(text))).not.toMatch(/begun|noted/);
  });

  test("previews as much as every model is shown, where the file does not say", () => {
    const text = '[workflow]\ncache = "none"\nllm = "simple"\n';
    expect(JSON.stringify(turnOf(text))).toContain('"preview":16384');
    expect(JSON.stringify(turnOf(text))).not.toContain('"cache"');
  });

  test("asks with a thread, so that no cache answers for it", () => {
    expect(loopsOf(DWIM)[1]).toMatchObject({
      id: "dwim.decide",
      prompt: {
        systemPrompt: "...",
        thread: true,
        context: { strategy: "task-tree" },
        variables: ["begun", "ended", "left", "noted", "results", "task"],
      },
      backend: { id: "anthropic", model: "claude-3-haiku" },
    });
    expect(loopsOf(DWIM)[1]).not.toHaveProperty("policy");
    const none = loopsOf('[workflow]\ncontext = "none"\nllm = "simple"\n')[1];
    expect(none?.prompt).not.toHaveProperty("thread");
  });

  test("thinks, plans several actions and runs them at once, where it may", () => {
    const text = `[workflow.llm]
thinking = true
max_actions = 5
parallel = true
[workflow.verbs]
find-issues = ["find", "search"]
[workflow.limits]
max_turns = 3
`;
    const [loop, decide] = loopsOf(text);
    expect(decide?.outputSchema).toMatchObject({
      properties: {
        thinking: { type: "string" },
        actions: {
          maxItems: 5,
          items: {
            properties: { verb: { enum: ["find-issues", "fetch", "note", "breakdown", "done"] } },
          },
        },
      },
      required: ["thinking", "actions", "done"],
    });
    const flow = JSON.stringify(loop?.composite?.flow);
    expect(flow).toContain('"max":3');
    expect(flow).not.toContain("concurrency");
  });

  test.each([
    [1, { max: 1, concurrency: 1 }],
    [2, { max: 2, concurrency: 1, scope: "shared" }],
  ])("carries out up to %i actions in order, each after those before it", (max_actions, order) => {
    const [loop] = loopsOf(`[workflow.llm]\nmax_actions = ${max_actions}\n`);
    const flow = JSON.stringify(loop?.composite?.flow);
    const {
      body: _,
      items: __,
      ...acts
    } = JSON.parse(
      /\{"kind":"forEach"[\s\S]*/.exec(flow)?.[0].replace(/,"body"[\s\S]*/, "}") ?? "{}",
    );
    expect(acts).toEqual({ kind: "forEach", name: "acts", as: "action", ...order });
  });

  test("reads plain text by its verbs", () => {
    const text = '[workflow.llm]\nformat = "text"\nmax_actions = 2\n';
    expect(loopsOf(text)[1]?.outputSchema).toMatchObject({ required: ["text"] });
    expect(turnOf(text)).toMatchObject([
      { name: "answer", loopId: "unnamed.decide" },
      {
        ...{ name: "decision", loopId: "workflow-intents", loopVersion: "1.0.0" },
        inputMapping: {
          text: "$.answer.output.text",
          verbs: {
            const: {
              ...{ analyze: ["analyze", "check"], edit: ["edit", "fix"], view: ["show", "view"] },
              ...{ fetch: ["fetch"], note: ["note"], breakdown: ["breakdown"], done: ["done"] },
            },
          },
          max: { const: 2 },
        },
      },
      { name: "acts" },
    ]);
  });

  test.each<[string, object]>([
    ["skip", { until: "last.done || last.same >= 2", tells: false }],
    ["alternative", { until: "last.done || last.same >= 2", tells: true }],
  ])("leaves out what failed often: %s", (fallback, wanted) => {
    const stall = `{ same_action = 2, same_failure = 1, fallback = "${fallback}" }`;
    const text = `[workflow]\nllm = "simple"\nstall = ${stall}\n`;
    const flow = flowOf(text) as { nodes: { until: string }[] };
    const words = JSON.stringify(flow);
    expect({
      until: flow.nodes[0]?.until,
      tells: words.includes('"failed":{"cel":"(last == null ? [] : last.failed)"}'),
    }).toEqual(wanted);
    expect(words).toContain('.size() < 1"');
  });
});

describe("mistakes of agents have a place and a way out", () => {
  test.each<[string, string, string]>([
    [
      "a verb without a loop",
      '[workflow]\nllm = "simple"\n[workflow.verbs]\ndeploy = ["ship"]\n',
      '2:1 reference-unknown: no loop `deploy` is registered; export defineTool({ id: "deploy", … }) from a module beside this file: it is given { target, args }',
    ],
    [
      "a verb that ends it",
      '[workflow]\nllm = "simple"\n[workflow.verbs]\nview = ["look", "finished"]\n',
      "4:1 binding-name: `finished` says that nothing is left to do, and is no verb; choose another word",
    ],
    [
      "a verb of the agent itself",
      '[workflow]\nllm = "simple"\n[workflow.verbs]\nview = ["look", "fetch"]\n',
      "4:1 binding-name: `fetch` is a verb of the agent itself; choose another word, and another id for the loop",
    ],
    [
      "no model",
      '[workflow]\nllm = "none"\n',
      "1:1 field-missing: the workflow has neither states nor steps, nor a model that decides; add [[steps]], [[states]] or [workflow.llm]",
    ],
  ])("%s", (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});
