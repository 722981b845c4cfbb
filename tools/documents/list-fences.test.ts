import { expect, test } from "vitest";
import { listFences, readMark } from "./list-fences.ts";

const markdown = [
  "# A",
  "```ts no-run file=a/b.ts",
  "const a = 1;",
  "",
  "const b = 2;",
  "```",
  "prose with ```code``` inside",
  "````text",
  "```",
  "inner",
  "````",
  "```",
  "open",
].join("\n");

test("a fence has its place, its language, its marks and its text", () => {
  const [first] = listFences("a.md", markdown);
  expect(first).toEqual({
    document: "a.md",
    line: 2,
    language: "ts",
    marks: ["no-run", "file=a/b.ts"],
    text: "const a = 1;\n\nconst b = 2;",
  });
});

test("a fence ends at marks of its own length, and at the end of the document", () => {
  const [, second, third] = listFences("a.md", markdown);
  expect(second).toMatchObject({ line: 8, language: "text", text: "```\ninner" });
  expect(third).toMatchObject({ line: 12, language: "", text: "open" });
});

test("code inside a line is not a fence", () => {
  expect(listFences("a.md", "a ```b``` c\n```b```\n")).toEqual([]);
});

test("a mark is read by its name, and one of another name is not", () => {
  const [first] = listFences("a.md", markdown);
  if (first === undefined) throw new Error("there is no fence");
  expect(readMark(first, "file")).toBe("a/b.ts");
  expect(readMark(first, "from")).toBeUndefined();
  expect(readMark(first, "fil")).toBeUndefined();
});
