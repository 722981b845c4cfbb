import { describe, expect, test } from "vitest";
import { listTomlPlaces, PLACES_LENGTH_MAX } from "./list-toml-places.ts";
import { parseTomlText } from "./parse-toml-text.ts";

const text = `# a workflow
[workflow]
name = "w" # [[steps]]
limits.max_turns = 3
llm = { provider = "x",
  "system_prompt" = 'a ] } = b', thinking = true }

[[workflow.steps]]
action = "a"
  [[workflow.steps.scope.steps]]
  action = "inner"
  [[workflow.steps.scope.steps]]
  action = """
[[states]]
"""
[[workflow.steps]]
for_each = ["a", "b", # ]
  "c", { deep = [1, 2] }]

[[ states ]]
name = 'one'
[[states.transitions]]
next = "two"
[[states]]
[states.retry]
strategy = "fixed"
[[states.transitions]]
"a/b" = 1
`;

function placeOf(pointer: string, source = text): string {
  const parsed = parseTomlText(source);
  if (parsed.kind === "refused") return parsed.problem.message;
  const { line, column } = parsed.locate(pointer);
  return `${line}:${column}`;
}

describe("places in TOML", () => {
  test.each<[string, string]>([
    ["", "1:1"],
    ["/workflow", "2:1"],
    ["/workflow/name", "3:1"],
    ["/workflow/limits", "4:1"],
    ["/workflow/limits/max_turns", "4:8"],
    ["/workflow/llm/provider", "5:9"],
    ["/workflow/llm/system_prompt", "6:3"],
    ["/workflow/llm/thinking", "6:34"],
    ["/workflow/steps/0", "8:1"],
    ["/workflow/steps/0/scope/steps/0", "10:3"],
    ["/workflow/steps/0/scope/steps/0/action", "11:3"],
    ["/workflow/steps/0/scope/steps/1/action", "13:3"],
    ["/workflow/steps/1", "16:1"],
    ["/workflow/steps/1/for_each/1", "17:18"],
    ["/workflow/steps/1/for_each/2", "18:3"],
    ["/workflow/steps/1/for_each/3/deep/1", "18:21"],
    ["/states/0/name", "21:1"],
    ["/states/0/transitions/0/next", "23:1"],
    ["/states/1", "24:1"],
    ["/states/1/retry/strategy", "26:1"],
    ["/states/1/transitions/0/a~1b", "28:1"],
    ["/states/1/missing", "24:1"],
    ["/nowhere", "1:1"],
  ])("%s is at %s", (pointer, place) => {
    expect(placeOf(pointer)).toBe(place);
  });

  test("are those of the same text with carriage returns", () => {
    const pointer = "/workflow/steps/1/for_each/2";
    expect(placeOf(pointer, text.replaceAll("\n", "\r\n"))).toBe("18:3");
  });

  test("are found in a text of nothing but brackets and quotes", () => {
    expect(placeOf("/a/1/0", "a = [[], [''], \"\"]\n'b' = {}\n")).toBe("1:11");
    expect(placeOf("/b", "a = [[], [''], \"\"]\n'b' = {}\n")).toBe("2:1");
  });
});

describe("a hostile text", () => {
  test("with a long key above many others keeps at most PLACES_LENGTH_MAX units of places", () => {
    const fields = Array.from({ length: 100_000 }, (_, index) => `b${index}=1`);
    const places = listTomlPlaces(`[${"k".repeat(1_000_000)}]\n${fields.join("\n")}`);
    const length = [...places.keys()].reduce((sum, pointer) => sum + pointer.length, 0);
    expect(length).toBeLessThanOrEqual(PLACES_LENGTH_MAX);
    expect(length).toBeGreaterThan(PLACES_LENGTH_MAX - 2_000_000);
  });

  test("with a key of a million parts is refused, and its places stay small", () => {
    const text = `${Array(1_000_000).fill("a").join(".")} = 1`;
    expect(listTomlPlaces(text).size).toBeLessThan(1_000);
    expect(parseTomlText(text).kind).toBe("refused");
  });
});
