import { describe, expect, test } from "vitest";
import { flowOf, loopsOf, problemsOf } from "./workflow.test.data.ts";

const MACHINE = `[[states]]
name = "analyzing"
action = "analyze --health"

[[states.transitions]]
condition = "has_errors"
next = "fixing"

[[states.transitions]]
condition = "success"
next = "done"

[[states]]
name = "fixing"
action = "edit {file} 'fix issues'"

[[states.transitions]]
next = "analyzing"  # always loop back
`;

describe("states", () => {
  test("are a machine; done is an end that needs no state", () => {
    expect(flowOf(MACHINE)).toEqual({
      kind: "machine",
      initial: "analyzing",
      states: {
        analyzing: {
          body: {
            ...{ kind: "call", loopId: "analyze", inputMapping: { args: { const: ["--health"] } } },
            onError: "continue",
          },
          transitions: [
            { when: 'result.status == "error" || size(result.output.errors) > 0', next: "fixing" },
            {
              when: 'result.status == "ok" && !(size(result.output.errors) > 0)',
              next: "done",
            },
          ],
        },
        fixing: {
          body: {
            ...{ kind: "call", loopId: "edit" },
            inputMapping: { target: "$.input.file", args: { const: ["fix issues"] } },
          },
          transitions: [{ next: "analyzing" }],
        },
        done: { terminal: true },
      },
      maxTransitions: 50,
    });
  });

  test("are no steps, and steps come before a model that decides", () => {
    const steps = '[[steps]]\nprompt = "Go"\n[workflow.llm]\nprovider = "openai"\n';
    expect(flowOf(steps)).toMatchObject({ kind: "sequence", nodes: [{ kind: "call" }] });
    expect(loopsOf('[workflow.llm]\nprovider = "openai"\n')).toHaveLength(3);
  });

  test("begin where it is said, and do something on the way in and out", () => {
    const text = `[workflow]
initial_state = "b"
[workflow.limits]
max_turns = 7
[[states]]
name = "a"
terminal = true
action = "view {b} {missing}"
on_entry = "view a.log"
[[states]]
name = "b"
action = "find-issues"
on_exit = "edit {file} clean"
[[states.transitions]]
condition = "empty"
next = "a"
[[states.transitions]]
condition = "contains:x"
next = "a"
[[states.transitions]]
condition = "cel:input.again"
next = "b"
`;
    expect(flowOf(text)).toMatchObject({
      initial: "b",
      maxTransitions: 7,
      states: {
        a: {
          terminal: true,
          body: {
            inputMapping: { target: '$.states["b"]', args: { cel: "[input.missing]" } },
          },
          onEntry: { loopId: "view", inputMapping: { target: { const: "a.log" } } },
        },
        b: {
          onExit: { loopId: "edit", inputMapping: { target: "$.input.file" } },
          transitions: [
            {
              when: 'result.status == "ok" && (result.output == null || result.output == "" || result.output == [])',
            },
            { when: 'result.status == "ok" && "x" in result.output' },
            { when: "input.again" },
          ],
        },
      },
    });
  });

  test("work at once and come together in another", () => {
    const text = `[[states]]
name = "both"
parallel = ["look", "check"]
join = "end"
concurrency = 2
[[states]]
name = "look"
action = "view a"
[[states]]
name = "check"
action = "analyze"
[[states]]
name = "end"
terminal = true
`;
    expect(flowOf(text)).toEqual({
      kind: "machine",
      initial: "both",
      states: {
        both: {
          body: {
            kind: "parallel",
            branches: [
              {
                ...{ kind: "call", loopId: "view" },
                inputMapping: { target: { const: "a" }, args: { const: [] } },
              },
              { kind: "call", loopId: "analyze", inputMapping: { args: { const: [] } } },
            ],
            join: "all",
            concurrency: 2,
          },
          transitions: [{ next: "end" }],
        },
        end: { terminal: true },
      },
      maxTransitions: 50,
    });
  });

  test("ask a loop for a file after their work", () => {
    const text = `[[states]]
name = "a"
action = "analyze"
[[states.transitions]]
condition = "file_exists:{file}"
next = "done"
[[states.transitions]]
condition = "has_errors"
next = "a"
`;
    expect(flowOf(text)).toMatchObject({
      states: {
        a: {
          body: {
            kind: "sequence",
            nodes: [
              { name: "did", loopId: "analyze", onError: "continue" },
              { name: "exists1", loopId: "file_exists" },
            ],
            outputMapping: {
              ...{ status: "$.did.status", output: "$.did.output", error: "$.did.error" },
              exists1: "$.exists1.output",
            },
          },
          transitions: [
            { when: "result.output.exists1", next: "done" },
            {
              when: 'result.output.status == "error" || size(result.output.output.errors) > 0',
              next: "a",
            },
          ],
        },
      },
    });
  });

  test("are chosen by a model where they say so", () => {
    const text = `[workflow]
name = "w"
llm = { provider = "openai" }
[[states]]
name = "deciding"
plugin = "llm-decide"
prompt = "Given {context}, what should we do next?"
[[states]]
name = "work"
action = "view ."
llm_select = true
[[states.transitions]]
next = "deciding"
[[states.transitions]]
next = "done"
`;
    const [loop, decide, select] = loopsOf(text);
    expect(decide).toMatchObject({
      id: "w.deciding",
      outputSchema: { properties: { next: { enum: ["work", "done"] } }, required: ["next"] },
      prompt: {
        template: "Given {{context}}, what should we do next?\n\nAnswer with one of: work, done.",
      },
    });
    expect(select).toMatchObject({
      id: "w.work_select",
      outputSchema: { properties: { next: { enum: ["deciding", "done"] } } },
    });
    expect(loop?.composite?.flow).toMatchObject({
      states: {
        deciding: {
          body: { loopId: "w.deciding", inputMapping: { context: "$.states" } },
          transitions: [
            { when: 'result.output.next == "work"', next: "work" },
            { when: 'result.output.next == "done"', next: "done" },
            { next: "work" },
          ],
        },
        work: {
          body: {
            nodes: [
              { name: "did", loopId: "view" },
              { name: "chosen", loopId: "w.work_select", inputMapping: { gave: "$.did.output" } },
            ],
            outputMapping: { next: "$.chosen.output.next" },
          },
          transitions: [
            { when: 'result.output.next == "deciding"', next: "deciding" },
            { when: 'result.output.next == "done"', next: "done" },
            { next: "deciding" },
          ],
        },
        done: { terminal: true },
      },
    });
  });
});

test("steps beside states, and a model that nothing asks, are refused", () => {
  const steps = '[[steps]]\naction = "view ."\n';
  expect(problemsOf(`${MACHINE}${steps}`)).toMatchObject([
    expect.stringContaining("a file with states is a machine, and its steps have no effect"),
  ]);
  expect(problemsOf(`[workflow.llm]\nprovider = "openai"\n${steps}`)).toMatchObject([
    expect.stringContaining("setting-unfit: `provider` has no effect here"),
  ]);
});

describe("mistakes in states have a place and a way out", () => {
  const state = (more: string): string => `[[states]]\nname = "first"\n${more}`;
  test.each<[string, string, string]>([
    [
      "a target that there is not",
      state('action = "view ."\n[[states.transitions]]\nnext = "frist"\n'),
      "5:1 reference-unknown: there is no state `frist`; write first",
    ],
    [
      "a beginning that there is not",
      `[workflow]\ninitial_state = "zero"\n${state('terminal = true\naction = "view ."\n')}`,
      "2:1 reference-unknown: there is no state `zero`; write one of first",
    ],
    [
      "a state that leads nowhere",
      state('action = "view ."\n'),
      "1:1 field-missing: nothing leads on from the state `first`; add terminal = true, or [[states.transitions]]",
    ],
    [
      "two states of one name",
      state(`terminal = true\naction = "view ."\n${state('terminal = true\naction = "view ."\n')}`),
      "6:1 binding-repeated: there are two states `first`; choose another name",
    ],
    [
      "a state that does nothing",
      state('[[states.transitions]]\nnext = "done"\n'),
      "1:1 field-missing: first does nothing; add an action, a prompt, a workflow, a plugin or steps",
    ],
    [
      "parallel states without a join",
      state('parallel = ["other"]\n[[states]]\nname = "other"\naction = "view ."\n'),
      "1:1 field-missing: `join` is missing: parallel states come together somewhere; add join with the state that follows",
    ],
    [
      "a join in a state that there is not",
      state('parallel = ["other"]\njoin = "othr"\n[[states]]\nname = "other"\naction = "view ."\n'),
      "4:1 reference-unknown: there is no state `othr`; write other",
    ],
    [
      "a join of one",
      state('action = "view ."\njoin = "all"\n[[states.transitions]]\nnext = "done"\n'),
      "4:1 setting-unfit: `join` has no effect without parallel; remove it, or add parallel",
    ],
    [
      "a part that there is not",
      state(
        'parallel = ["a", "othr"]\njoin = "a"\n[[states]]\nname = "a"\nterminal = true\naction = "view ."\n[[states]]\nname = "other"\nterminal = true\naction = "view ."\n',
      ),
      "3:18 reference-unknown: `othr` is not another state; write other",
    ],
    [
      "a choice with a condition",
      `[workflow]\nllm = "simple"\n${state('action = "view ."\nllm_select = true\n[[states.transitions]]\nnext = "done"\ncondition = "success"\n')}`,
      "9:1 setting-unfit: where a model chooses, a transition has no condition; remove the condition, or llm_select",
    ],
    [
      "a choice without a model",
      state('action = "view ."\nllm_select = true\n[[states.transitions]]\nnext = "done"\n'),
      "4:1 field-missing: a prompt needs a model; add [workflow.llm] with a provider",
    ],
    [
      "an unknown verb on the way in",
      state('action = "view ."\non_entry = "open {file}"\nterminal = true\n'),
      '4:1 reference-unknown: no loop `open` is registered; export defineTool({ id: "open", … }) from a module beside this file: it is given { target, args }',
    ],
    [
      "a condition of another kind",
      state('action = "view ."\n[[states.transitions]]\nnext = "done"\ncondition = "failed"\n'),
      "6:1 mapping-expression: the condition `failed` is not known; write one of has_errors, success, empty, contains:, file_exists, or cel: and an expression",
    ],
  ])("%s", (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});
