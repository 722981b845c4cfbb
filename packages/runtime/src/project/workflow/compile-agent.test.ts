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

const before = "(last == null ? [] : last.failed)";
const key = 'a.verb + " " + (has(a.target) ? a.target : "")';
const failed = 'has(a.status) && a.status == "error"';

const retry = { strategy: "exponential", max: 3, delayMs: 1_000, capMs: 60_000 };
const act = (loopId: string): object => ({
  when: `action.verb == "${loopId}"`,
  do: {
    ...{ kind: "call", loopId, retry },
    inputMapping: {
      target: "$.action.target",
      args: { cel: "has(action.args) ? action.args : []" },
    },
  },
});

describe("a workflow without steps and states", () => {
  test("is a model that decides, turn by turn", () => {
    expect(flowOf(DWIM)).toEqual({
      kind: "sequence",
      nodes: [
        {
          ...{
            kind: "repeat",
            name: "turns",
            scope: "shared",
            max: TURNS_DEFAULT,
            onMax: "continue",
          },
          until: "last.done || last.same >= 5 || last.stuck",
          body: {
            kind: "sequence",
            nodes: [
              {
                ...{ kind: "call", name: "decision", loopId: "dwim.decide" },
                inputMapping: {
                  results: { cel: "last == null ? [] : last.results" },
                  task: "$.input.task",
                },
              },
              {
                ...{ kind: "forEach", name: "acts", items: "$.decision.output.actions" },
                ...{ as: "action", max: 1, concurrency: 1 },
                body: {
                  kind: "sequence",
                  nodes: [
                    {
                      ...{ kind: "branch", name: "did", onError: "continue" },
                      cases: [act("analyze"), act("edit"), act("view")],
                    },
                  ],
                  outputMapping: {
                    ...{ verb: "$.action.verb", target: "$.action.target" },
                    ...{ status: "$.did.status", output: "$.did.output", error: "$.did.error" },
                  },
                },
              },
            ],
            outputMapping: {
              done: "$.decision.output.done",
              actions: "$.decision.output.actions",
              results: "$.acts.output",
              same: {
                cel: "last != null && last.actions == decision.output.actions ? last.same + 1 : 1",
              },
              failed: { cel: `${before} + acts.output.map(a, ${failed}, ${key})` },
              stuck: {
                cel: `acts.output.exists(a, ${failed} && ${before}.filter(f, f == ${key}).size() + 1 >= 3)`,
              },
            },
          },
        },
      ],
      outputMapping: {
        done: "$.turns.output.done",
        stopped: {
          cel: 'turns.output.done ? "done" : turns.output.same >= 5 ? "stalled" : turns.output.stuck ? "repeated-failure" : "max-turns"',
        },
        results: "$.turns.output.results",
      },
    });
  });

  test("asks with a thread, so that no cache answers for it", () => {
    expect(loopsOf(DWIM)[1]).toMatchObject({
      id: "dwim.decide",
      prompt: {
        systemPrompt: "...",
        thread: true,
        context: { strategy: "task-tree" },
        variables: ["results", "task"],
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
        actions: { maxItems: 5, items: { properties: { verb: { enum: ["find-issues"] } } } },
      },
      required: ["thinking", "actions", "done"],
    });
    const flow = JSON.stringify(loop?.composite?.flow);
    expect(flow).toContain('"max":3');
    expect(flow).not.toContain("concurrency");
  });

  test("reads plain text by its verbs", () => {
    const text = '[workflow.llm]\nformat = "text"\nmax_actions = 2\n';
    expect(loopsOf(text)[1]?.outputSchema).toMatchObject({ required: ["text"] });
    expect(flowOf(text)).toMatchObject({
      nodes: [
        {
          body: {
            nodes: [
              { name: "answer", loopId: "unnamed.decide" },
              {
                ...{ name: "decision", loopId: "workflow-intents", loopVersion: "1.0.0" },
                inputMapping: {
                  text: "$.answer.output.text",
                  verbs: {
                    const: {
                      ...{ analyze: ["analyze", "check"], edit: ["edit", "fix"] },
                      view: ["show", "view"],
                    },
                  },
                  max: { const: 2 },
                },
              },
              { name: "acts" },
            ],
          },
        },
      ],
    });
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
      "no model",
      '[workflow]\nllm = "none"\n',
      "1:1 field-missing: the workflow has neither states nor steps, nor a model that decides; add [[steps]], [[states]] or [workflow.llm]",
    ],
  ])("%s", (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});
