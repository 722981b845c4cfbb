import { describe, expect, test } from "vitest";
import { readIntents } from "./intents-loop.ts";
import { parseAction } from "./parse-action.ts";
import { parseDecision, parseIntent, VERBS_DEFAULT } from "./parse-intents.ts";

describe("an intent", () => {
  test.each<[string, object]>([
    ["view main.py", { verb: "view", target: "main.py", args: [] }],
    ["show main.py", { verb: "view", target: "main.py", args: [] }],
    ["Analyze --health src", { verb: "analyze", target: "src", args: ["--health"] }],
    ["check", { verb: "analyze", args: [] }],
    ["edit a.py 'add logging'", { verb: "edit", target: "a.py", args: ["add logging"] }],
    ["fix it's broken", { verb: "edit", target: "it's", args: ["broken"] }],
    ["done", { verb: "done", args: [] }],
    ["finished now", { verb: "done", target: "now", args: [] }],
    ["delete a.py", { verb: "unknown", target: "delete a.py", args: [] }],
    ["", { verb: "unknown", target: "", args: [] }],
    ["constructor x", { verb: "unknown", target: "constructor x", args: [] }],
  ])("%j", (line, intent) => {
    expect(parseIntent(line, VERBS_DEFAULT)).toEqual(intent);
  });
});

describe("a decision in plain text", () => {
  test("has actions and prose, and actions stand beside done", () => {
    const text = "I look first.\nview a.py\n\nThen I mend it.\nfix a.py 'types'\ndone\n";
    expect(parseDecision(text, VERBS_DEFAULT)).toEqual({
      thinking: "I look first.\nThen I mend it.",
      actions: [
        { verb: "view", target: "a.py", args: [] },
        { verb: "edit", target: "a.py", args: ["types"] },
      ],
      done: true,
    });
  });

  test("takes its verbs from data", () => {
    const verbs = { search: ["search", "look"] };
    expect(parseDecision("look here\nview there", verbs)).toEqual({
      thinking: "view there",
      actions: [{ verb: "search", target: "here", args: [] }],
      done: false,
    });
  });

  test("is not done where actions were left over", () => {
    const text = "view a\nview b\ndone";
    expect(readIntents({ text, verbs: VERBS_DEFAULT, max: 1 })).toMatchObject({
      actions: [{ target: "a" }],
      done: false,
    });
    expect(readIntents({ text, verbs: VERBS_DEFAULT, max: 2 })).toMatchObject({ done: true });
  });
});

describe("an action", () => {
  test.each<[string, object]>([
    ["view .", { verb: "view", target: ".", args: [] }],
    ["analyze --health", { verb: "analyze", target: undefined, args: ["--health"] }],
    [
      `edit {file} 'fix issues' "say \\"hi\\""`,
      { verb: "edit", target: "{file}", args: ["fix issues", 'say "hi"'] },
    ],
    ["edit a'b c'd", { verb: "edit", target: "ab cd", args: [] }],
    ["  view   a  ", { verb: "view", target: "a", args: [] }],
    ["view ''", { verb: "view", target: "", args: [] }],
  ])("%j", (text, action) => {
    expect(parseAction(text)).toEqual({ kind: "parsed", action });
  });

  test.each(["", "'open", 'view "a', "-x view", "{file}"])("is not %j", (text) => {
    expect(parseAction(text)).toMatchObject({ kind: "refused" });
  });
});
