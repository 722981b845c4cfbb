import { describe, expect, test } from "vitest";
import { parseTomlText } from "./parse-toml-text.ts";

const text = `# a policy
name = "p" # [[rules]]
note = """
[[rules]]
quotes "" and \\""" inside
id = "not-a-rule"
"""

[[rules]]
id = "a"
tools = [
  "local.pay", # ]
  "local.refund",
]
"when" = 'args.text == "[[rules]]"'

  [[ "rules" ]]  # the second
id = '''
b'''
decision = { kind = [1,
2] }
[other]
when = "x"
[[rules]]
id = "c"
`;

function lineOf(pointer: string, source = text): number | string {
  const parsed = parseTomlText(source);
  return parsed.kind === "parsed" ? parsed.locate(pointer).line : parsed.problem.message;
}

describe("lines of TOML", () => {
  test.each<[string, number]>([
    ["", 1],
    ["/name", 2],
    ["/note", 3],
    ["/rules", 9],
    ["/rules/0", 9],
    ["/rules/0/id", 10],
    ["/rules/0/tools", 11],
    ["/rules/0/tools/1", 13],
    ["/rules/0/when", 15],
    ["/rules/0/missing", 9],
    ["/rules/1", 17],
    ["/rules/1/id", 18],
    ["/rules/1/decision", 20],
    ["/rules/2", 24],
    ["/rules/2/id", 25],
    ["/rules/3", 9],
    ["/unknown", 1],
  ])("%s is at %i", (pointer, line) => {
    expect(lineOf(pointer)).toBe(line);
  });

  test("are counted in texts with carriage returns, too", () => {
    expect(lineOf("/rules/2/id", text.replaceAll("\n", "\r\n"))).toBe(25);
  });

  test("are found beside a very long text", () => {
    const long = `a = """\n${"x \\\\ ".repeat(600_000)}"""\n[[rules]]\nid = "a"\n`;
    expect(lineOf("/rules/0/id", long)).toBe(4);
  });
});

test("gives plain JSON", () => {
  const parsed = parseTomlText('a = 1\nb = { c = [true, "x", 0.5] }\n');
  expect(parsed).toMatchObject({ value: { a: 1, b: { c: [true, "x", 0.5] } } });
  expect(parsed.kind === "parsed" && Object.getPrototypeOf(parsed.value)).toBe(Object.prototype);
});

describe("refuses, with the place", () => {
  test.each<[string, string, number]>([
    ["a value that is missing", "a = 1\nb =\n", 2],
    ["a key that stands twice", "a = 1\na = 2\n", 2],
    ["a text that does not end", 'a = "x\n', 1],
    ["a table that stands twice", "[a]\n[a]\n", 2],
    ["a date", "a = 1\nb = 2030-01-31\n", 2],
    ["an infinity", "\na = inf\n", 2],
    ["a number that is not exact", "a = 9007199254740993\n", 1],
    ["a lone surrogate", '\n\na = "\ud800"\n', 3],
    ["the prototype as a key", "\n__proto__ = 1\n", 2],
    ["the constructor as a key", "[a]\nconstructor = 1\n", 2],
    ["lists in lists", `a = ${"[".repeat(200)}${"]".repeat(200)}\n`, 1],
    ["JSON", '{"name": "p"}', 1],
  ])("%s", (_, source, line) => {
    const parsed = parseTomlText(source);
    expect(parsed).toMatchObject({
      kind: "refused",
      problem: { rule: "toml" },
      position: { line },
    });
    expect(parsed.kind === "refused" && parsed.problem.message).not.toContain("\n");
  });
});
