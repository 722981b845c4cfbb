// One flow as a workflow file, in TypeScript and as a document: three ways to write one loop.
import { digestOf, type JsonSchema } from "@turnseal/protocol";
import {
  cel,
  defineComposite,
  defineTool,
  jsonSchema,
  present,
} from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { loopsOf } from "./workflow.test.data.ts";

const action = jsonSchema<{ target?: unknown; args: string[] }>(true);
const tool = <Output>(id: string, output: Output) =>
  defineTool({ id, input: action, output: jsonSchema<Output>(true), run: () => output });
const analyze = tool("analyze", { errors: [{}] });
const edit = tool("edit", {});

const inputSchema: JsonSchema = {
  type: "object",
  properties: { file: {} },
  required: ["file"],
  additionalProperties: false,
};
const header = {
  ...{ version: "1.0.0", input: jsonSchema<{ file: string }>(inputSchema) },
  output: jsonSchema<unknown>(true),
};
const loose = { pinned: false } as const;
const retry = { strategy: "exponential", max: 5, delayMs: 1_000, capMs: 60_000 } as const;

const call = { kind: "call", inputMapping: { target: "$.input.file", args: { const: [] } } };
/** The flow with a list, by hand. */
const document = {
  ...{ id: "tidy", name: "tidy", version: "1.0.0", kind: "composite" },
  ...{ inputSchema, outputSchema: true },
  composite: {
    flow: {
      kind: "sequence",
      nodes: [
        { ...call, loopId: "analyze", name: "before", onError: "continue", retry },
        {
          ...{ kind: "forEach", name: "mended", items: "$.before.output.errors", max: 100 },
          ...{ concurrency: 1 },
          when: 'before.status == "error" || size(before.output.errors) > 0',
          body: {
            ...{ kind: "call", loopId: "edit" },
            inputMapping: { target: "$.item", args: { const: ["fix it"] } },
          },
        },
        {
          ...{ kind: "sequence", name: "after" },
          nodes: [{ ...call, loopId: "analyze", name: "again" }],
        },
      ],
    },
  },
};

test("steps with a list, a condition, tries and a scope have one digest", () => {
  const [fromFile] = loopsOf(`
[workflow]
name = "tidy"
version = "1.0.0"

[[workflow.steps]]
name = "before" # what is wrong
action = "analyze {file}"
retry = "exponential"

[[workflow.steps]]
name = "mended"
condition = "has_errors"
for_each = "{before.errors}"
action = "edit {item} 'fix it'"

[[workflow.steps]]
name = "after"
type = "scope"
[[workflow.steps.scope.steps]]
name = "again"
action = "analyze {file}"
`);
  const { definition } = defineComposite({
    ...{ ...header, id: "tidy" },
    flow: (flow) =>
      flow
        .call("before", analyze, ({ input }) => ({ target: input.file, args: [] }), {
          ...{ ...loose, onError: "continue", retry },
        })
        .forEach(
          "mended",
          // The file reads a value here: if it is missing, the call fails.
          ({ before }) => present(before.output).errors,
          {
            ...{ max: 100, concurrency: 1 },
            when: ({ before }) =>
              cel`${before.status} == "error" || size(${present(before.output).errors}) > 0`,
          },
          (each) =>
            each.call("fixed", edit, ({ item }) => ({ target: item, args: ["fix it"] }), loose),
        )
        .sequence("after", (scope) =>
          scope.call("again", analyze, ({ input }) => ({ target: input.file, args: [] }), loose),
        ),
  });
  expect(fromFile).toEqual(document);
  expect(definition).toEqual(document);
  const digests = [fromFile, definition, document].map(digestOf);
  expect(new Set(digests).size).toBe(1);
});

test("states have one digest", () => {
  const [fromFile] = loopsOf(`
[workflow]
name = "until-fixed"
version = "1.0.0"
initial_state = "analyzing"

[[states]]
name = "analyzing"
action = "analyze {file}"
[[states.transitions]]
condition = "has_errors"
next = "fixing"
[[states.transitions]]
next = "done"

[[states]]
name = "fixing"
action = "edit {file} 'fix it'"
[[states.transitions]]
next = "analyzing"

[[states]]
name = "done"
terminal = true
`);
  const { definition } = defineComposite({
    ...{ ...header, id: "until-fixed" },
    flow: (flow) =>
      flow.machine(
        "fixed",
        (machine) =>
          machine
            .state(
              "analyzing",
              (body) =>
                body.call("seen", analyze, ({ input }) => ({ target: input.file, args: [] }), {
                  ...{ ...loose, onError: "continue" },
                }),
              {
                transitions: [
                  {
                    when: ({ result: { status, output } }) =>
                      cel`${status} == "error" || size(${present(output).errors}) > 0`,
                    next: "fixing",
                  },
                  { next: "done" },
                ],
              },
            )
            .state(
              "fixing",
              (body) =>
                body.call(
                  "mended",
                  edit,
                  ({ input }) => ({ target: input.file, args: ["fix it"] }),
                  loose,
                ),
              { transitions: [{ next: "analyzing" }] },
            )
            .state("done", { terminal: true })
            .initial("analyzing"),
        { maxTransitions: 50 },
      ),
  });
  expect(definition).toEqual(fromFile);
  expect(digestOf(definition)).toBe(digestOf(fromFile));
});

test("a text that is written out, in a step by itself, has one digest", () => {
  const [fromFile] = loopsOf(`
[workflow]
name = "look"
version = "1.0.0"

[[workflow.steps]]
name = "seen"
action = "analyze a.log"
`);
  const { definition } = defineComposite({
    ...{ version: "1.0.0", id: "look", output: jsonSchema<unknown>(true) },
    input: jsonSchema<object>({
      ...{ type: "object", properties: {}, required: [] },
      additionalProperties: false,
    }),
    // The steps of a file are a sequence, and be it of one.
    flow: (flow) =>
      flow.sequence("all", (steps) =>
        steps.call("seen", analyze, () => ({ target: "a.log", args: [] }), loose),
      ),
  });
  const inputMapping = { target: { const: "a.log" }, args: { const: [] } };
  const step = { kind: "call", name: "seen", loopId: "analyze", inputMapping };
  expect(fromFile?.composite).toEqual({ flow: { kind: "sequence", nodes: [step] } });
  expect(definition).toEqual(fromFile);
  const digests = [fromFile, definition, JSON.parse(JSON.stringify(definition))].map(digestOf);
  expect(new Set(digests).size).toBe(1);
});
