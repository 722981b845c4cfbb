import { scriptedModel } from "@turnseal/ports";
import { describe, expect, test } from "vitest";
import { PARTS_MAX } from "./agent-notes.ts";
import { DID_MAX } from "./compile-agent.ts";
import { loadWorkflow } from "./load-workflow.ts";
import { runWorkflow, type TestTool } from "./run-workflow.test.data.ts";

const HEALTH = {
  type: "object",
  properties: { errors: { type: "array" } },
  required: ["errors"],
};
const TEXT = { type: "string" };

/** Finds one problem fewer each time that something was edited. */
function health(problems: number): Record<string, TestTool> {
  let left = problems;
  return {
    analyze: { run: () => ({ errors: Array.from({ length: left }, () => "e") }), output: HEALTH },
    edit: {
      run: ({ target }) => {
        left -= 1;
        return { changed: target ?? null };
      },
    },
  };
}

const echo: TestTool = { run: ({ target = "" }) => target, output: TEXT };
const failing: TestTool = {
  run: () => {
    throw new Error("broken");
  },
  output: TEXT,
};

describe("steps run", () => {
  test("in order, with what they are given", async () => {
    const look = '[[steps]]\naction = "analyze --health"\n';
    const text = `${look}[[steps]]\naction = "edit {file} 'fix issues'"\n${look}`;
    const input = { file: "my file.py; rm -rf 'x'" };
    expect(await runWorkflow(text, { input, tools: health(2) })).toMatchObject({
      result: { status: "ok", output: { errors: ["e"] } },
      actions: ["analyze --health", "edit my file.py; rm -rf 'x' fix issues", "analyze --health"],
    });
  });

  test("not at all without a variable that they need", async () => {
    const text = '[[steps]]\naction = "view ."\n[[steps]]\naction = "view {file}"\n';
    const { result, actions } = await runWorkflow(text, { tools: { view: echo } });
    expect(result).toMatchObject({ status: "error", error: { code: "INPUT_VALIDATION_FAILED" } });
    expect(actions).toEqual([]);
  });

  test("when their condition holds, and an output that reads like an error is none", async () => {
    const text = `[[steps]]
name = "first"
action = "view error"
[[steps]]
condition = "has_errors"
action = "view no"
[[steps]]
action = "view yes"
[[steps]]
condition = "contains:yes"
action = "view {first}"
`;
    expect(await runWorkflow(text, { tools: { view: echo } })).toMatchObject({
      result: { status: "ok", output: "error" },
      actions: ["view error", "view yes", "view error"],
    });
  });

  test("after one that failed, where they are there for that", async () => {
    const mend = '[[steps]]\ncondition = "has_errors"\naction = "view mended"\n';
    const text = `[[steps]]\naction = "analyze"\n${mend}`;
    expect(await runWorkflow(text, { tools: { analyze: failing, view: echo } })).toMatchObject({
      result: { status: "ok", output: "mended" },
    });
  });

  test("again, or not, when they fail", async () => {
    let tries = 0;
    const third: TestTool = {
      run: () => {
        tries += 1;
        if (tries < 3) throw new Error("not yet");
        return "third";
      },
    };
    const retried = '[[steps]]\naction = "view b"\non_error = "retry"\nmax_retries = 2\n';
    const text = `[[steps]]\naction = "edit a"\non_error = "skip"\n${retried}`;
    const tested = await runWorkflow(text, { tools: { edit: failing, view: third } });
    expect(tested.result).toMatchObject({ status: "ok", output: "third" });
    const once = '[[steps]]\naction = "edit a"\n[[steps]]\naction = "view b"\n';
    const failed = await runWorkflow(once, { tools: { edit: failing, view: echo } });
    expect(failed.result).toMatchObject({ status: "error", error: { code: "CHILD_FAILED" } });
    expect(failed.actions).not.toContain("view b");
  });

  test("for each item of a list that a tool gives, and name what they gave", async () => {
    const text = `[[steps]]
name = "issues"
plugin = "fanout"
source = "find"
action = "edit {item}"
[[steps]]
name = "first"
plugin = "transform"
source = "issues"
field = "0"
[[steps]]
action = "view 'first: {first}'"
[[steps]]
plugin = "transform"
name = "all"
source = "issues"
`;
    const find = { run: () => ["c", "a", "b"], output: { type: "array", items: TEXT } };
    const tested = await runWorkflow(text, { tools: { find, edit: echo, view: echo } });
    expect(tested.result).toMatchObject({ status: "ok", output: { all: ["c", "a", "b"] } });
    expect(tested.actions.at(-1)).toBe("view first: c");
  });

  test("where a file is there", async () => {
    const exists = { run: ({ target = "" }) => target === "a", output: { type: "boolean" } };
    const text = '[[steps]]\ncondition = "file_exists"\naction = "view {file}"\n';
    const tools = { file_exists: exists, view: echo };
    const there = await runWorkflow(text, { input: { file: "a" }, tools });
    expect(there.actions).toEqual(["file_exists a", "view a"]);
    const gone = await runWorkflow(text, { input: { file: "b" }, tools });
    expect(gone.actions).toEqual(["file_exists b"]);
  });

  test("of another file inside", async () => {
    const inner = '[workflow]\nname = "inner"\n[[steps]]\naction = "view {file}"\n';
    const text =
      '[[steps]]\nname = "looked"\nworkflow = "inner.toml"\n[[steps]]\naction = "view {looked}!"\n';
    const tested = await runWorkflow(text, {
      ...{ input: { file: "a" }, tools: { view: echo }, beside: { "inner.toml": inner } },
    });
    expect(tested.actions).toEqual(["view a", "view a!"]);
  });
});

describe("states run", () => {
  const MACHINE = `[workflow.limits]
max_turns = 6
[[states]]
name = "analyzing"
action = "analyze"
[[states.transitions]]
condition = "has_errors"
next = "fixing"
[[states.transitions]]
condition = "success"
next = "done"
[[states]]
name = "fixing"
action = "edit {file}"
[[states.transitions]]
next = "analyzing"
`;

  test.each([
    [0, 1],
    [1, 3],
    [2, 5],
  ])("until %i problems are gone, which takes %i actions", async (problems, count) => {
    const tested = await runWorkflow(MACHINE, { input: { file: "a" }, tools: health(problems) });
    expect(tested.result).toMatchObject({ status: "ok", output: { errors: [] } });
    expect(tested.actions).toHaveLength(count);
  });

  test("no further than they may", async () => {
    const tested = await runWorkflow(MACHINE, { input: { file: "a" }, tools: health(99) });
    expect(tested.result).toMatchObject({ status: "error", error: { code: "CHILD_FAILED" } });
    expect(tested.actions).toHaveLength(7);
  });

  test("from a failure to the state that is there for it", async () => {
    const tools = { ...health(0), analyze: { ...failing, output: HEALTH } };
    const tested = await runWorkflow(MACHINE, { input: { file: "a" }, tools });
    expect(tested.actions.slice(0, 3)).toEqual(["analyze", "edit a", "analyze"]);
  });

  test("on the way in and out, in order; a state after itself is not entered again", async () => {
    const text = `[[states]]
name = "a"
action = "view a"
on_entry = "view in-a"
on_exit = "view out-a"
[[states.transitions]]
next = "b"
[[states]]
name = "b"
action = "count"
on_entry = "view in-b"
on_exit = "view out-b"
[[states.transitions]]
condition = "contains:2"
next = "end"
[[states.transitions]]
next = "b"
[[states]]
name = "end"
terminal = true
action = "view {a}{b}"
`;
    let count = 0;
    const counting = { run: () => String(++count), output: TEXT };
    const tested = await runWorkflow(text, { tools: { view: echo, count: counting } });
    expect(tested.actions).toEqual([
      ...["view a", "view out-a", "view in-b", "count", "count", "view out-b", "view a2"],
    ]);
    expect(tested.result).toMatchObject({ status: "ok", output: "a2" });
  });

  test("at once, and join in the order in which they are written", async () => {
    const text = `[[states]]
name = "both"
parallel = ["slow", "fast"]
join = "end"
[[states]]
name = "slow"
action = "wait 20"
[[states]]
name = "fast"
action = "wait 0"
[[states]]
name = "end"
terminal = true
action = "join {both}"
`;
    const wait: TestTool = {
      run: async ({ target = "" }) => {
        await new Promise((resolve) => setTimeout(resolve, Number(target)));
        return target;
      },
    };
    const join: TestTool = { run: ({ target }) => target };
    const { result } = await runWorkflow(text, { tools: { wait, join } });
    expect(result).toMatchObject({ status: "ok", output: ["20", "0"] });
  });

  test("where a model leads them, from what it is shown", async () => {
    const text = `[workflow]
llm = { provider = "script" }
[[states]]
name = "work"
action = "view news"
llm_select = true
[[states.transitions]]
next = "work"
[[states.transitions]]
next = "report"
[[states]]
name = "report"
terminal = true
action = "view done"
`;
    const model = scriptedModel([{ json: { next: "work" } }, { json: { next: "report" } }]);
    const { actions } = await runWorkflow(text, { tools: { view: echo }, model });
    expect(actions).toEqual(["view news", "view news", "view done"]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain("What it gave:\\nnews");
  });
});

describe("an agent runs", () => {
  const AGENT = '[workflow]\nllm = { provider = "script", max_actions = 3 }\n';
  const act = (verb: string, target: string): object => ({ verb, target });
  const say = (done: boolean, ...actions: object[]): { json: object } => ({
    json: { actions, done },
  });
  const tools = { view: echo, edit: failing, analyze: echo };
  const input = { task: "look around" };

  test("until it is done; the actions beside done are carried out first", async () => {
    const model = scriptedModel([
      say(false, act("view", "a"), act("analyze", "b")),
      say(true, act("view", "c")),
    ]);
    const { result, actions } = await runWorkflow(AGENT, { input, tools, model });
    expect(actions).toEqual(["view a", "analyze b", "view c"]);
    expect(result).toMatchObject({
      output: {
        ...{ done: true, stopped: "done" },
        results: [{ verb: "view", target: "c", status: "ok", output: "c" }],
      },
    });
    const [first, second] = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(first).toContain("look around");
    expect(second).toMatch(/What the actions before gave.*\\"target\\":\\"b\\"/);
  });

  test("and is told what failed", async () => {
    const model = scriptedModel([say(false, act("edit", "a")), say(true)]);
    const { result } = await runWorkflow(AGENT, { input, tools, model });
    expect(result).toMatchObject({ status: "ok", output: { stopped: "done" } });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("TOOL_FAILED");
  });

  test.each<[string, string, number, string, number]>([
    ["the same five times", "view", 9, "stalled", 5],
    ["a failure on one target three times", "edit", 9, "repeated-failure", 3],
    ["all turns", "turn", 9, "max-turns", 9],
  ])("no longer than %s", async (_, verb, max, stopped, count) => {
    const text = `${AGENT}[workflow.limits]\nmax_turns = ${max}\n`;
    const replies = Array.from({ length: 20 }, (__, turn) =>
      verb === "turn" ? say(false, act("view", `${turn}`)) : say(false, act(verb, "x")),
    );
    const { result, actions } = await runWorkflow(text, {
      ...{ input, tools, model: scriptedModel(replies) },
    });
    expect(result).toMatchObject({ status: "ok", output: { done: false, stopped } });
    expect(actions).toHaveLength(count);
  });

  test.each(["skip", "alternative"])("and leaves out what failed often: %s", async (fallback) => {
    const text = `${AGENT}[workflow.stall]\nsame_failure = 2\nfallback = "${fallback}"\n`;
    const replies = ["1", "2", "3"].map((turn) => say(false, act("edit", "x"), act("view", turn)));
    const model = scriptedModel([...replies, say(true)]);
    const { result, actions } = await runWorkflow(text, { input, tools, model });
    expect(actions).toEqual(["edit x", "view 1", "edit x", "view 2", "view 3"]);
    expect(result).toMatchObject({ output: { stopped: "done" } });
    const told = JSON.stringify(model.requests[3]?.messages).includes("What failed so far");
    expect(told).toBe(fallback === "alternative");
  });

  test.each<[string, readonly object[], object, readonly string[]]>([
    ["done is a success", [say(true, act("view", "a"))], { status: "ok" }, ["view a", "analyze"]],
    [
      "that stopped short is a failure, and is not tried again",
      [say(false, act("view", "a")), say(false, act("view", "b"))],
      { status: "error", error: { code: "CHILD_FAILED" } },
      ["view a", "view b"],
    ],
  ])("as a step of another file: one %s", async (_, replies, expected, carriedOut) => {
    const beside = { "agent.toml": `${AGENT}[workflow.limits]\nmax_turns = 2\n` };
    const text =
      '[workflow]\nretry = "immediate"\n[[steps]]\nworkflow = "agent.toml"\n' +
      'prompt = "look around"\n[[steps]]\naction = "analyze"\n';
    const model = scriptedModel(replies as never);
    const { result, actions } = await runWorkflow(text, { tools, model, beside });
    expect(result).toMatchObject(expected);
    expect(actions).toEqual(carriedOut);
  });

  test.each([
    ['on_error = "skip"', "analyze"],
    ['on_error = "retry"', undefined],
    ["", undefined],
  ])("as a step with %j, where it stopped short", async (rule, next) => {
    const beside = { "agent.toml": `${AGENT}[workflow.limits]\nmax_turns = 1\n` };
    const text =
      `[[steps]]\nworkflow = "agent.toml"\nprompt = "look"\n${rule}\n` +
      '[[steps]]\naction = "analyze"\n';
    const model = scriptedModel([say(false, act("view", "a"))]);
    const { actions } = await runWorkflow(text, { tools, model, beside });
    expect(actions.slice(1)).toEqual(next === undefined ? [] : [next]);
  });

  test("and lists an action that was repeated by its last success", async () => {
    const model = scriptedModel([
      say(false, act("view", "test")),
      say(false, act("view", "a")),
      say(false, act("view", "test"), act("edit", "b")),
      say(true),
    ]);
    const { result } = await runWorkflow(AGENT, { input, tools, model });
    expect(result).toMatchObject({ output: { did: ["view a", "view test"] } });
  });

  test("and lists a bounded number of actions that it carried out", async () => {
    const text = AGENT.replace("= 3", "= 32");
    const turn = (from: number, count: number) =>
      say(false, ...Array.from({ length: count }, (_, at) => act("view", `${from + at}`)));
    const turns = [turn(0, 32), turn(32, 32), turn(64, 32), turn(96, DID_MAX - 96)];
    for (const [more, wanted] of [
      [say(true), DID_MAX],
      [turn(DID_MAX, 1), DID_MAX],
    ] as const) {
      const model = scriptedModel([...turns, more, say(true)]);
      const { result } = await runWorkflow(text, { input, tools, model });
      expect(result).toMatchObject({ output: { did: { length: wanted } } });
    }
  });

  test.each([
    [PARTS_MAX, PARTS_MAX],
    [PARTS_MAX + 1, 0],
  ])("and has %i parts open at once, of which %i are taken", async (count, taken) => {
    const [target = "", ...args] = Array.from({ length: count }, (_, at) => `part ${at}`);
    const model = scriptedModel([say(false, { verb: "breakdown", target, args }), say(true)]);
    const { result } = await runWorkflow(AGENT, { input, tools, model });
    expect(result).toMatchObject({ output: { left: { length: taken } } });
  });

  test("in plain text, where a line is an action by its first word", async () => {
    const text = '[workflow]\nllm = { provider = "script", format = "text", max_actions = 2 }\n';
    const model = scriptedModel(["I look first.\nshow a.py\ncheck b.py --all", "All well.\ndone"]);
    const { result, actions } = await runWorkflow(text, { input, tools, model });
    expect(actions).toEqual(["view a.py", "analyze b.py --all"]);
    expect(result).toMatchObject({ output: { done: true, stopped: "done" } });
  });

  test("not with a verb that there is not", async () => {
    const bad = say(false, act("delete", "a"));
    const model = scriptedModel([bad, bad]);
    const { result, actions } = await runWorkflow(AGENT, { input, tools, model });
    expect(result).toMatchObject({ status: "error" });
    expect(actions).toEqual([]);
  });

  test.each([
    ["in plain words", "I will look around first."],
    ["in a fence with words around it", 'So:\n```json\n{"actions":[],"done":false}\n```'],
    ["with a verb that there is not", JSON.stringify(say(false, act("delete", "a")).json)],
  ])("and is asked again once for a decision that was %s", async (_, unfit) => {
    const again = scriptedModel([unfit, say(true, act("view", "a"))]);
    const { result, actions } = await runWorkflow(AGENT, { input, tools, model: again });
    expect(result).toMatchObject({ status: "ok", output: { stopped: "done" } });
    expect(actions).toEqual(["view a"]);
    expect(JSON.stringify(again.requests[1]?.messages)).toContain("does not match the schema");

    const never = scriptedModel([unfit, unfit, say(true)]);
    const ended = await runWorkflow(AGENT, { input, tools, model: never });
    expect(ended.result).toMatchObject({ error: { code: "CHILD_FAILED" } });
    expect(never.requests).toHaveLength(2);
  });
});

test("a file with a mistake is no loop, and says what is wrong", async () => {
  expect(await loadWorkflow("nowhere.toml", [])).toMatchObject({
    kind: "refused",
    problems: [{ rule: "file-unreadable", file: "nowhere.toml" }],
  });
});
