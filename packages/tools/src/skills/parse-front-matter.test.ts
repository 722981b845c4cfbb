import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseFrontMatter } from "./parse-front-matter.ts";

const fence = (yaml: string) => `---\n${yaml}\n---\n\n# Steps\n`;

test.each([
  ["plain", "name: review\ndescription: Reviews a change, at 10:30, of C# and `x`"],
  ["in quotes", 'name: "review"\ndescription: "Says \\"no\\": often # here"'],
  ["in single quotes", "name: 'review'\ndescription: 'It''s short: yes'"],
  ["a folded block", "name: review\ndescription: >-\n  Reviews a change,\n  and says why."],
  ["a literal block", "description: |-\n  one\n  two\nname: review"],
  ["other keys", "name: review\nlicense: MIT\nmetadata:\n  a: [1, 2]\ndescription: Short"],
  ["a comment and a blank line", "# made by hand\nname: review\n\ndescription: Short"],
])("%s: a library for YAML reads the same", (_, yaml) => {
  const { rest, ...read } = parseFrontMatter(fence(yaml));
  expect(parse(yaml)).toMatchObject(read);
  expect(rest).toBe("# Steps");
});

test("line ends of Windows and a mark of the byte order are no difference", () => {
  const text = fence("name: review\ndescription: Short");
  expect(parseFrontMatter(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(
    parseFrontMatter(text),
  );
});

test.each([
  ["no front matter", "# Steps", "does not begin with front matter"],
  ["front matter without an end", "---\nname: review\n", "does not begin with front matter"],
  ["no name", fence("description: Short"), "has no `name`"],
  ["no description", fence("name: review"), "has no `description`"],
  ["a name twice", fence("name: a\nname: b\ndescription: Short"), "has `name` twice"],
  ["a line without a key", fence("name: a\nhello\ndescription: x"), "line 3 of SKILL.md"],
  ["a colon in plain text", fence("name: a\ndescription: never: ever"), "in quotes"],
  ["a comment behind plain text", fence("name: a\ndescription: b # c"), "in quotes"],
  ["a list", fence("name: a\ndescription: [b]"), "in quotes"],
  ["an anchor", fence("name: a\ndescription: &b c"), "in quotes"],
  ["an escape of YAML", fence('name: a\ndescription: "\\x41"'), "in quotes"],
  ["a value on two lines", fence("name: a\ndescription: b\n  c"), "in quotes"],
  ["no value", fence("name: a\ndescription:"), "in quotes"],
])("%s is refused", (_, text, message) => {
  expect(() => parseFrontMatter(text)).toThrow(message);
});
