import { describe, expect, test } from "vitest";
import { flowOf, loopsOf, problemsOf } from "./workflow.test.data.ts";

const call = (loopId: string, inputMapping: object, more: object = {}): object => ({
  kind: "call",
  loopId,
  inputMapping,
  ...more,
});
const args = (...words: string[]): object => ({ args: { const: words } });

describe("steps", () => {
  test("are calls in order, with the inputs that they need", () => {
    const text = `[workflow]
name = "validate-fix"
version = "1.2.0"
description = "Mends a file"
cache = "ephemeral"
[workflow.limits]
timeout_seconds = 90
[[workflow.steps]]
action = "analyze --health"
[[workflow.steps]]
action = "edit {file} 'fix issues'"
[[workflow.steps]]
name = "verify"
action = "analyze --health"
`;
    const cache = { strategy: "ephemeral" };
    expect(loopsOf(text)).toEqual([
      {
        id: "validate-fix",
        name: "validate-fix",
        version: "1.2.0",
        description: "Mends a file",
        kind: "composite",
        inputSchema: {
          type: "object",
          properties: { file: {} },
          required: ["file"],
          additionalProperties: false,
        },
        outputSchema: true,
        composite: {
          flow: {
            kind: "sequence",
            nodes: [
              call("analyze", args("--health"), { name: "step1", cache }),
              call(
                "edit",
                { target: "$.input.file", ...args("fix issues") },
                { name: "step2", cache },
              ),
              call("analyze", args("--health"), { name: "verify", cache }),
            ],
          },
        },
        policy: { timeoutMs: 90_000 },
      },
    ]);
  });

  test("are the same at the top, with comments, and in another order of keys", () => {
    const one = '[[steps]]\nname = "a"\naction = "view ."\n';
    const other = '[workflow]\n[[workflow.steps]] # here\n  action = "view ."\n  name = "a" # a\n';
    expect(flowOf(other)).toEqual(flowOf(one));
  });

  test("read inputs, items and earlier steps, which never split a word", () => {
    const text = `[[steps]]
name = "look-up"
action = "view src/{dir}/{file}"
[[steps]]
action = "edit {look-up} --line={n} {look-up}"
`;
    expect(flowOf(text)).toMatchObject({
      nodes: [
        {
          inputMapping: {
            target: { cel: '"src/" + string(input.dir) + "/" + string(input.file)' },
          },
        },
        {
          inputMapping: {
            target: "$.look_up.output",
            args: { cel: '["--line=" + string(input.n), look_up.output]' },
          },
        },
      ],
    });
  });

  test("have conditions on the step before", () => {
    const text = `[[steps]]
action = "analyze"
[[steps]]
condition = "has_errors"
action = "edit {file}"
[[steps]]
condition = "success"
action = "view {file}"
[[steps]]
condition = "contains:later"
action = "edit {file}"
[[steps]]
condition = "cel:size(step1.output.errors) > input.most"
action = "view {file}"
`;
    expect(flowOf(text)).toMatchObject({
      nodes: [
        { name: "step1", onError: "continue" },
        { when: 'step1.status == "error" || size(step1.output.errors) > 0' },
        { when: 'step2 != null && (step2.status == "ok")' },
        { when: 'step3 != null && (step3.status == "ok" && step3.output.contains("later"))' },
        { when: "size(step1.output.errors) > input.most" },
      ],
    });
    expect(loopsOf(text)[0]?.inputSchema).toMatchObject({ required: ["file", "most"] });
  });

  test("ask a loop whether a file is there, before", () => {
    const text = '[[steps]]\ncondition = "file_exists"\naction = "edit {file}"\n';
    expect(flowOf(text)).toEqual({
      kind: "sequence",
      nodes: [
        call("file_exists", { target: "$.input.file", ...args() }, { name: "step1_exists" }),
        call(
          "edit",
          { target: "$.input.file", ...args() },
          {
            name: "step1",
            when: "step1_exists.output",
          },
        ),
      ],
    });
  });

  test("are skipped or tried again when they fail", () => {
    const text = `[workflow]
retry = "fixed"
[[steps]]
action = "view a"
on_error = "skip"
retry = "none"
[[steps]]
action = "view b"
on_error = "retry"
max_retries = 4
[[steps]]
action = "view c"
[[steps]]
action = "view d"
[steps.retry]
strategy = "exponential"
delay = 0.5
jitter = true
`;
    expect(flowOf(text)).toMatchObject({
      nodes: [
        { onError: "skip" },
        { retry: { strategy: "fixed", max: 5, delayMs: 1_000 } },
        { retry: { strategy: "fixed", max: 3, delayMs: 1_000 } },
        { retry: { strategy: "exponential", max: 5, delayMs: 500, capMs: 60_000, jitter: true } },
      ],
    });
    expect(JSON.stringify(flowOf(text)).match(/"retry"/g)).toHaveLength(3);
  });

  test("go through lists: written, given, computed, or of a loop", () => {
    const text = `[[steps]]
for_each = ["a.ts", "b.ts"]
action = "edit {item}"
[[steps]]
for_each = "{files}"
as = "file"
max_items = 5
on_error = "skip"
action = "edit {file}"
[[steps]]
for_each = "cel:input.more.filter(f, f != '')"
action = "edit {item}"
[[steps]]
name = "fixes"
plugin = "fanout"
source = "find-issues {dir}"
concurrency = 3
action = "edit {item}"
[[steps]]
plugin = "for-each"
source = "fixes"
action = "view {item}"
`;
    const body = (as: string): object => call("edit", { target: `$.${as}`, ...args() });
    expect(flowOf(text)).toEqual({
      kind: "sequence",
      nodes: [
        {
          ...{ kind: "forEach", name: "step1", items: { const: ["a.ts", "b.ts"] }, max: 100 },
          ...{ body: body("item"), concurrency: 1 },
        },
        {
          ...{ kind: "forEach", name: "step2", items: "$.input.files", max: 5, as: "file" },
          ...{ body: body("file"), concurrency: 1, onItemError: "continue" },
        },
        {
          ...{ kind: "forEach", name: "step3", items: { cel: "input.more.filter(f, f != '')" } },
          ...{ max: 100, body: body("item"), concurrency: 1 },
        },
        call("find-issues", { target: "$.input.dir", ...args() }, { name: "fixes_items" }),
        {
          ...{ kind: "forEach", name: "fixes", items: "$.fixes_items.output", max: 100 },
          ...{ body: body("item"), concurrency: 3 },
        },
        {
          ...{ kind: "forEach", name: "step5", items: "$.fixes.output", max: 100 },
          ...{ body: call("view", { target: "$.item", ...args() }), concurrency: 1 },
        },
      ],
    });
    expect(loopsOf(text)[0]?.inputSchema).toMatchObject({
      properties: { dir: {}, files: { type: "array" }, more: {} },
    });
  });

  test("name what is known: capture and transform need no node", () => {
    const text = `[[steps]]
name = "health"
action = "analyze"
[[steps]]
name = "first"
plugin = "transform"
source = "health"
field = "errors.0.file"
[[steps]]
name = "words"
plugin = "transform"
format = "fix {first} now"
[[steps]]
name = "all"
plugin = "capture"
source = "health"
[[steps]]
action = "edit {first} {words} {all}"
[[steps]]
name = "last-one"
plugin = "transform"
source = "health"
field = "errors"
`;
    expect(flowOf(text)).toEqual({
      kind: "sequence",
      nodes: [
        call("analyze", args(), { name: "health" }),
        call(
          "edit",
          {
            target: "$.health.output.errors[0].file",
            args: {
              cel: '["fix " + string(health.output.errors[0].file) + " now", health.output]',
            },
          },
          { name: "step5" },
        ),
      ],
      outputMapping: { last_one: "$.health.output.errors" },
    });
  });

  test("read the words of a model by the name of the step that asked it", () => {
    const text = `[workflow]
llm = "simple"
[[steps]]
name = "asked"
prompt = "Which file?"
[[steps]]
condition = "contains:.py"
action = "view src/{asked}"
`;
    expect(flowOf(text)).toMatchObject({
      nodes: [
        {},
        {
          when: 'asked.status == "ok" && asked.output.text.contains(".py")',
          inputMapping: { target: { cel: '"src/" + string(asked.output.text)' } },
        },
      ],
    });
  });

  test("have another workflow inside, given what it needs", () => {
    expect(flowOf('[[steps]]\nname = "all"\nworkflow = "inner.toml"\n')).toMatchObject({
      nodes: [
        {
          ...{ kind: "call", name: "all", loopId: "inner", loopVersion: "1.0.0" },
          inputMapping: { file: "$.input.file" },
        },
      ],
    });
  });

  test("run when a loop says so", () => {
    const text =
      '[[steps]]\nplugin = "condition"\nsource = "approve {file}"\naction = "edit {file}"\n';
    expect(flowOf(text)).toMatchObject({
      nodes: [{ name: "step1_holds", loopId: "approve" }, { when: "step1_holds.output.holds" }],
    });
  });
});

describe("scopes", () => {
  const ask = (more: string): string => `[workflow]
llm = { provider = "openai" }
context = "flat"
[[steps]]
name = "one"
action = "view a"
[[steps]]
name = "inner"
type = "scope"
${more}
[[steps.scope.steps]]
name = "two"
action = "view b"
[[steps.scope.steps]]
name = "asked"
prompt = "Look at {context}"
[[steps]]
name = "after"
prompt = "Now at {context}"
`;
  const shown = (more: string): unknown => {
    const flow = flowOf(ask(more)) as { nodes: { nodes: object[] }[] };
    const contexts = [flow.nodes[1]?.nodes[1], flow.nodes[2]] as {
      inputMapping: { context: { cel: string } };
    }[];
    return contexts.map(({ inputMapping }) => inputMapping.context.cel);
  };

  test.each<[string, [string, string]]>([
    ["", ["[two.output]", "[one.output]"]],
    ["summarize = true", ["[two.output]", "[one.output, inner.output]"]],
    ['context_mode = "inherited"', ["[one.output, two.output]", "[one.output]"]],
    ['context_mode = "shared"', ["[one.output, two.output]", "[one.output, inner.output]"]],
    ['context = "task_tree"', ["[one.output, two.output]", "[one.output]"]],
    ['context = "task_list"', ["[two.output]", "[one.output]"]],
    ['context = "none"', ["[]", "[one.output]"]],
    [
      'context_mode = "inherited"\ncontext = { strategy = "flat", last = 1 }',
      ["[two.output]", "[one.output]"],
    ],
  ])("%j: what is inside sees %j", (more, contexts) => {
    expect(shown(more)).toEqual(contexts);
  });

  test("a group is done as a whole: nothing in it inherits a retry", () => {
    const text = `[workflow]
retry = "immediate"
[[steps]]
name = "both"
group = true
[[steps.steps]]
name = "seat"
action = "edit {train}"
[[steps.steps]]
name = "pay"
action = "edit {card}"
[[steps]]
name = "after"
action = "edit {card}"
`;
    const nodes = [
      call("edit", { target: "$.input.train", ...args() }, { name: "seat" }),
      call("edit", { target: "$.input.card", ...args() }, { name: "pay" }),
    ];
    const both = { kind: "sequence", name: "both", group: true, nodes };
    expect(flowOf(text)).toMatchObject({ kind: "sequence", nodes: [both, { name: "after" }] });
    expect(flowOf(text.replace("group = true", "group = false"))).toMatchObject({
      nodes: [{ nodes: [{ retry: { strategy: "immediate" } }, { name: "pay" }] }, {}],
    });
  });

  test("two variables that come to one name stay two values", () => {
    const text = `
[workflow.llm]
provider = "scripted"
[[steps]]
prompt = "Pay {order.total} to {order_total}, {order-total}"
`;
    const [whole, asked] = loopsOf(text);
    expect(asked?.prompt).toMatchObject({
      template: "Pay {{order_total}} to {{order_total_2}}, {{order_total_2}}",
      variables: ["order_total", "order_total_2"],
    });
    const inputMapping = {
      order_total: "$.input.order.total",
      order_total_2: "$.input.order_total",
    };
    expect(whole?.composite).toMatchObject({ flow: { nodes: [{ inputMapping }] } });
  });

  test("inherit cache and retry, and what they say themselves ends with them", () => {
    const text = `[workflow]
cache = { strategy = "persistent", ttl_seconds = 60 }
retry = "immediate"
llm = { provider = "openai", model = "m", system_prompt = "file:words.md" }
[[steps]]
type = "scope"
retry = "none"
[[steps.steps]]
prompt = "a"
[[steps.steps]]
prompt = "b"
cache = "none"
[[steps]]
action = "view a"
`;
    const [, ...prompts] = loopsOf(text);
    expect(prompts).toEqual([
      {
        ...{
          id: "unnamed.step1.step1_1",
          name: "unnamed: step1.step1_1",
          version: "0.0.0-dev",
          kind: "prompt",
        },
        inputSchema: { type: "object", properties: {}, additionalProperties: false },
        outputSchema: {
          ...{ type: "object", properties: { text: { type: "string" } } },
          ...{ required: ["text"], additionalProperties: false },
        },
        prompt: { template: "a", variables: [], systemPrompt: "from a file" },
        backend: { id: "openai", model: "m" },
        policy: { cache: { strategy: "persistent", ttlMs: 60_000 } },
      },
      expect.not.objectContaining({ policy: expect.anything() }),
    ]);
    expect(JSON.stringify(flowOf(text)).match(/"retry"/g)).toHaveLength(1);
    expect(flowOf(text)).toMatchObject({
      nodes: [{}, { retry: { strategy: "immediate", max: 3 } }],
    });
  });
});

describe("mistakes in steps have a place and a way out", () => {
  const tool = (id: string): string =>
    `export defineTool({ id: "${id}", … }) from a module beside this file: it is given { target, args }`;
  test.each<[string, string, string]>([
    [
      "a verb that is not registered",
      '[[steps]]\naction = "deploy {file}"\n',
      `2:1 reference-unknown: no loop \`deploy\` is registered; ${tool("deploy")}`,
    ],
    [
      "a verb with a slip",
      '[[steps]]\naction = "analyse ."\n',
      `2:1 reference-unknown: no loop \`analyse\` is registered; write analyze, or ${tool("analyse")}`,
    ],
    [
      "an open quote",
      '[[steps]]\naction = "edit {file} \'fix"\n',
      "2:1 field-type: a quote is not closed; close it, or remove it",
    ],
    [
      "no verb",
      '[[steps]]\naction = "{file} view"\n',
      "2:1 field-type: an action begins with a verb, not with `{file}`; write the name of a tool first, such as view {file}",
    ],
    [
      "nothing to do",
      '\n[[steps]]\nname = "a"\n',
      "2:1 field-missing: a does nothing; add an action, a prompt, a workflow, a plugin or steps",
    ],
    [
      "an item where there is no list",
      '[[steps]]\naction = "view {item}"\n',
      "2:1 mapping-root: `{item}` is known where a step has `for_each`; add item to workflow.inputs",
    ],
    [
      "a variable that is not declared",
      '[workflow.inputs]\nfile = "what to mend"\n[[steps]]\naction = "view {fiel}"\n',
      "4:1 mapping-root: `{fiel}` is not known here; write {file}",
    ],
    [
      "a step that comes later",
      '[workflow.inputs]\n[[steps]]\naction = "view {b}"\n[[steps]]\nname = "b"\naction = "view ."\n',
      "3:1 mapping-root: `{b}` is not known here; add b to workflow.inputs",
    ],
    [
      "a list inside a text",
      '[[steps]]\nname = "a"\naction = "find-issues"\n[[steps]]\naction = "view src/{a}"\n',
      "5:1 mapping-expression: `{a}` is no text, so that it cannot stand inside one; let {a} be a word of its own, or name a field of it",
    ],
    [
      "an unknown condition",
      '[[steps]]\naction = "view ."\n[[steps]]\ncondition = "has_error"\naction = "view ."\n',
      "4:1 mapping-expression: the condition `has_error` is not known; write has_errors",
    ],
    [
      "a condition of the first step",
      '[[steps]]\ncondition = "success"\naction = "view ."\n',
      "2:1 mapping-root: `success` is about the step before, and there is none; remove it, or write cel: and a condition of the inputs",
    ],
    [
      "a condition that looks into an object",
      '[[steps]]\naction = "analyze"\n[[steps]]\ncondition = "contains:x"\naction = "view ."\n',
      "4:1 mapping-expression: `contains:` looks into a text or a list, and the output before is neither; give the tool an output of type string or array, or one with a field `text`",
    ],
    [
      "a file that is not named",
      '[[steps]]\ncondition = "file_exists"\naction = "analyze --health"\n',
      "2:1 mapping-expression: `file_exists` does not say which file; write file_exists:{file}",
    ],
    [
      "code in a condition",
      '[[steps]]\naction = "analyze"\n[[steps]]\naction = "view ."\ncondition = "python:len(context.errors) > 0 and not done"\n',
      '5:1 mapping-expression: a workflow file has no code; write condition = "cel:size(context.errors) > 0 && !done", with the names of inputs and steps',
    ],
    [
      "code in a list",
      '[[steps]]\nfor_each = "python:find_issues()"\naction = "fix {item}"\n',
      '2:1 mapping-expression: a workflow file has no code; register a loop find-issues that gives it, and write for_each = "find-issues"',
    ],
    [
      "a list from nowhere",
      '[[steps]]\nplugin = "for-each"\naction = "fix {item}"\n',
      "1:1 field-missing: there is no list to go through; add for_each, or the source that gives it",
    ],
    [
      "a prompt without a model",
      '[[steps]]\nprompt = "Look"\n',
      "2:1 field-missing: a prompt needs a model; add [workflow.llm] with a provider",
    ],
    [
      "a prompt where no model may be asked",
      '[workflow]\nllm = "none"\n[[steps]]\nprompt = "Look"\n',
      '4:1 field-missing: a prompt needs a model, and llm is "none"; add [workflow.llm] with a provider',
    ],
    [
      "a name twice",
      '[[steps]]\nname = "a"\naction = "view ."\n[[steps]]\nname = "a"\naction = "view ."\n',
      "5:1 binding-repeated: `a` is the name of a step before; choose another name",
    ],
    [
      "a name that is taken",
      '[[steps]]\nname = "input"\naction = "view ."\n',
      "2:1 binding-name: `input` means something else in a workflow; choose another name",
    ],
    [
      "a name of a prototype",
      '[[steps]]\nname = "__proto__"\naction = "view ."\n',
      "2:1 binding-name: `__proto__` means something else in a workflow; choose another name",
    ],
    [
      "a name with spaces",
      '[[steps]]\nname = "a b"\naction = "view ."\n',
      "2:1 binding-name: `a b` is not made of letters, digits, - and _; choose another name",
    ],
    [
      "tries without a retry",
      '[[steps]]\naction = "view ."\nmax_retries = 2\n',
      '3:1 setting-unfit: `max_retries` has no effect without on_error = "retry"; remove it, or add on_error = "retry"',
    ],
    [
      "two things to do",
      '[[steps]]\naction = "view ."\nworkflow = "inner.toml"\n',
      "3:1 setting-unfit: `action` and `workflow` both say what is done; remove one of them, or make two of it",
    ],
    [
      "a group of nothing",
      '[[steps]]\naction = "view ."\ngroup = true\n',
      '3:1 setting-unfit: `group` has no effect without type = "scope"; remove it, or add type = "scope"',
    ],
    [
      "a scope without steps",
      '[[steps]]\ntype = "scope"\nsteps = []\n',
      "1:1 field-missing: the scope step1 has no steps; add [[….scope.steps]]",
    ],
    [
      "two lists of steps",
      '[[steps]]\naction = "view ."\n[[workflow.steps]]\naction = "view ."\n',
      "1:1 setting-unfit: `steps` stand at the top and in the workflow; move them into one list, [[steps]] or [[workflow.steps]]",
    ],
    [
      "a plugin that is not registered",
      '[[steps]]\nplugin = "weather"\n',
      `2:1 reference-unknown: no loop \`weather\` is registered; ${tool("weather")}`,
    ],
    [
      "nothing at all",
      '[workflow]\nname = "w"\n',
      "1:1 field-missing: the workflow has neither states nor steps, nor a model that decides; add [[steps]], [[states]] or [workflow.llm]",
    ],
  ])("%s", (_, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });
});
