import { describe, expect, test } from "vitest";
import { flowOf, loopsOf, problemsOf } from "./workflow.test.data.ts";

const LLM = "[workflow.llm]\n";
const VIEW = 'action = "view ."\n';

describe("a key without effect is refused", () => {
  test.each<[string, string]>([
    ["prompt", `${LLM}[[steps]]\n${VIEW}prompt = "why"\n`],
    ["plugin", '[[steps]]\nworkflow = "inner.toml"\nplugin = "approve"\n'],
    [
      "condition",
      `[[steps]]\nname = "a"\n${VIEW}[[steps]]\nplugin = "transform"\nsource = "a"\ncondition = "success"\n`,
    ],
    [
      "condition",
      `[[steps]]\nname = "a"\n${VIEW}[[steps]]\nplugin = "capture"\nsource = "a"\ncondition = "success"\n`,
    ],
    [
      "transitions",
      `[[states]]\nname = "a"\nterminal = true\n${VIEW}[[states.transitions]]\nnext = "a"\n`,
    ],
    ["on_error", `[[states]]\nname = "a"\nterminal = true\non_error = "skip"\n${VIEW}`],
    [
      "on_error",
      `[[states]]\nname = "a"\nparallel = ["b"]\njoin = "c"\non_error = "retry"\n` +
        `[[states]]\nname = "b"\nterminal = true\n${VIEW}[[states]]\nname = "c"\nterminal = true\n`,
    ],
    ["delay", `[workflow.retry]\nstrategy = "immediate"\ndelay = 1\n[[steps]]\n${VIEW}`],
    ["cap", `[[steps]]\n${VIEW}retry = { strategy = "immediate", cap = 1 }\n`],
    ["jitter", `[[steps]]\n${VIEW}retry = { strategy = "immediate", jitter = true }\n`],
  ])("%s: %j", (key, text) => {
    expect(problemsOf(text)).toEqual([
      expect.stringContaining(`setting-unfit: \`${key}\` has no effect`),
    ]);
  });
});

describe("retry is of the whole", () => {
  const retry = { strategy: "immediate", max: 3 };

  test("of a scope", () => {
    const text = `[[steps]]\non_error = "retry"\nmax_retries = 2\n[[steps.steps]]\n${VIEW}`;
    expect(flowOf(text)).toMatchObject({ nodes: [{ kind: "sequence", retry }] });
  });

  test("of a round", () => {
    const text = `${LLM}[[steps]]\nplugin = "llm-decide"\nprompt = "a"\non_error = "retry"\n`;
    expect(flowOf(text)).toMatchObject({ nodes: [{ kind: "sequence", retry }] });
  });

  test("of a state that decides", () => {
    const text = `${LLM}[[states]]\nname = "a"\nplugin = "llm-decide"\non_error = "retry"\n`;
    expect(flowOf(text)).toMatchObject({ states: { a: { body: { kind: "call", retry } } } });
  });
});

test("a verb may not be called as what every object has", () => {
  const text = '[workflow.llm]\nformat = "text"\n[workflow.verbs]\nconstructor = ["make"]\n';
  expect(() => flowOf(text)).toThrow("unsafe property");
});

test("a terminal state has what its list comes from", () => {
  const each = 'for_each = "find-issues src"\naction = "edit {item}"\n';
  expect(flowOf(`[[states]]\nname = "a"\nterminal = true\n${each}`)).toMatchObject({
    states: { a: { body: { nodes: [{ loopId: "find-issues" }, { kind: "forEach" }] } } },
  });
});

test("steps of one name in two scopes have prompts of their own", () => {
  const scope = (name: string): string =>
    `[[steps]]\nname = "${name}"\n[[steps.steps]]\nname = "ask"\nprompt = "why"\n`;
  const ids = loopsOf(`${LLM}${scope("a")}${scope("b")}`).map(({ id }) => id);
  expect(ids.slice(1)).toEqual(["unnamed.a.ask", "unnamed.b.ask"]);
});

describe("inputs that are declared", () => {
  const declared = '[workflow.inputs]\nfield = "a field"\n';
  const step = (condition: string): string =>
    `${declared}[[steps]]\n${VIEW}condition = '${condition}'\n`;

  test("are those of expressions, too", () => {
    expect(problemsOf(step("cel:input.field == 1"))).toEqual([]);
    expect(problemsOf(step('cel:input.field == "input.fiel"'))).toEqual([]);
    expect(problemsOf(step("cel:input.fiel == 1"))).toEqual([
      "5:1 mapping-root: `input.fiel` is not among workflow.inputs; write input.field",
    ]);
  });

  test("are those of lists, too", () => {
    const text = `${declared}[[steps]]\nfor_each = "cel:input.fiel"\naction = "view {item}"\n`;
    expect(problemsOf(text)).toEqual([expect.stringContaining("4:1 mapping-root")]);
  });
});
