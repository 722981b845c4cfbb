import { parseTomlText } from "@turnseal/documents";
import { describe, expect, test } from "vitest";
import { checkTables } from "./check-tables.ts";
import { ATTEMPTS_MAX, ITEMS_MAX, SECONDS_MAX, TURNS_MAX } from "./tables.ts";

function check(text: string): string[] {
  const parsed = parseTomlText(text);
  if (parsed.kind === "refused") return [parsed.problem.message];
  return checkTables(parsed.value).map(({ rule, path, message, mend }) => {
    const { line, column } = parsed.locate(path);
    return `${line}:${column} ${rule}: ${message}; ${mend}`;
  });
}

describe("a workflow file has keys that are known", () => {
  test.each<[string, string]>([
    ["steps at the top", '[[steps]]\nname = "analyze"\naction = "view ."\n'],
    ["steps of the workflow", '[workflow]\nname = "w"\n[[workflow.steps]]\naction = "a"\n'],
    [
      "a scope",
      '[[workflow.steps]]\ntype = "scope"\ncontext = "task_list"\n[[workflow.steps.scope.steps]]\naction = "a"\n',
    ],
    [
      "strategies as texts and tables",
      '[workflow]\ncontext = "flat"\ncache = "ephemeral"\n[workflow.retry]\nstrategy = "exponential"\nmax_attempts = 3\n',
    ],
    [
      "a model",
      '[workflow.llm]\nstrategy = "simple"\nthinking = true\nmax_actions = 5\nparallel = true\n',
    ],
    [
      "states",
      '[[states]]\nname = "a"\n[[states.transitions]]\ncondition = "success"\nnext = "b"\n',
    ],
    ["a list of values", '[[steps]]\nfor_each = ["a", 1]\naction = "a {item}"\n'],
    ["the longest time", "[workflow.limits]\ntimeout_seconds = 86400\nmax_turns = 1000\n"],
  ])("%s", (_, text) => {
    expect(check(text)).toEqual([]);
  });

  test.each<[string, string, string]>([
    [
      "a key with a slip",
      '[workflow]\nnmae = "w"\n',
      "2:1 field-unknown: `nmae` is not a key of workflow; write name",
    ],
    [
      "a key like no other",
      "[workflow.limits]\n  colour = 1\n",
      "2:3 field-unknown: `colour` is not a key of limits; known here: max_turns, timeout_seconds",
    ],
    [
      "a key in braces",
      '[workflow]\nretry = { strategy = "fixed", max_attempt = 2 }\n',
      "2:31 field-unknown: `max_attempt` is not a key of retry; write max_attempts",
    ],
    [
      "a key of an inner step",
      '[[steps]]\ntype = "scope"\n[[steps.scope.steps]]\nactoin = "a"\n',
      "4:1 field-unknown: `actoin` is not a key of step; write action",
    ],
    [
      "a key of a transition",
      '[[states]]\nname = "a"\n[[states.transitions]]\nnext = "a"\nwhen = "x"\n',
      "5:1 field-unknown: `when` is not a key of transition; known here: condition, next",
    ],
    [
      "a strategy that there is not",
      '[workflow]\ncontext = "task_treee"\n',
      "2:1 field-type: `task_treee` is not known here; there are flat, task_list, task_tree, none; write task_tree",
    ],
    [
      "a strategy of another kind",
      "[workflow]\ncache = 3\n",
      "2:1 field-type: workflow/cache must be one of none, ephemeral, in_memory, persistent, or a table; write one of none, ephemeral, in_memory, persistent, or a table",
    ],
    [
      "a number too large",
      "[workflow.limits]\nmax_turns = 1001\n",
      "2:1 field-type: workflow/limits/max_turns must be a whole number from 1 to 1000; write a whole number from 1 to 1000",
    ],
    [
      "a time too long",
      "[workflow.limits]\ntimeout_seconds = 86401\n",
      "2:1 field-type: workflow/limits/timeout_seconds must be seconds, from 0 to 86400; write seconds, from 0 to 86400",
    ],
    [
      "a flag in quotes",
      '[workflow.llm]\nthinking = "yes"\n',
      "2:1 field-type: workflow/llm/thinking must be true or false; write true or false",
    ],
    [
      "steps as one table",
      '[workflow.steps]\naction = "a"\n',
      "1:1 field-type: workflow/steps must be a list of tables; write a list of tables",
    ],
    [
      "a state without a name",
      '\n[[states]]\naction = "a"\n',
      "2:1 field-missing: `name` is missing: what transitions call it; add name = …",
    ],
    [
      "a transition to nowhere",
      '[[states]]\nname = "a"\n[[states.transitions]]\ncondition = "success"\n',
      "3:1 field-missing: `next` is missing: the state that follows; add next = …",
    ],
    [
      "an empty action",
      '[[steps]]\naction = ""\n',
      "2:1 field-empty: the text is empty; write one, or remove the key",
    ],
    [
      "verbs that are no lists",
      '[workflow.verbs]\nview = "show"\n',
      "2:1 field-type: workflow/verbs/view must be a list; write a list",
    ],
  ])("not %s", (_, text, problem) => {
    expect(check(text)).toEqual([problem]);
  });

  test.each<[string, number]>([
    ["[workflow.limits]\nmax_turns", TURNS_MAX],
    ["[workflow.limits]\ntimeout_seconds", SECONDS_MAX],
    ['[[steps]]\nfor_each = "{files}"\nmax_items', ITEMS_MAX],
    ['[workflow.retry]\nstrategy = "fixed"\nmax_attempts', ATTEMPTS_MAX],
  ])("within limits: %j is at most %i", (key, limit) => {
    expect(check(`${key} = ${limit}\n`)).toEqual([]);
    expect(check(`${key} = ${limit + 1}\n`)).toEqual([
      expect.stringContaining(`to ${limit}; write`),
    ]);
  });

  test("of which every problem is told", () => {
    expect(check("[workflow]\na = 1\nb = 2\n")).toHaveLength(2);
  });
});
