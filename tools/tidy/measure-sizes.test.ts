import { expect, test } from "vitest";
import { measureSizes } from "./measure-sizes.ts";

function sizesOf(text: string, path = "x.ts") {
  return measureSizes(new Map([[path, text]]));
}

const body = "{\n  stop();\n  return 1;\n}";

test("a file has as many lines as an editor shows", () => {
  expect(sizesOf("a();\nb();\n").sourceLines.get("x.ts")).toBe(2);
  expect(sizesOf("a();\nb();").sourceLines.get("x.ts")).toBe(2);
});

test("tests are measured apart from sources", () => {
  const sizes = sizesOf("a();\n", "x.test.ts");
  expect(sizes.testLines.get("x.test.ts")).toBe(1);
  expect(sizes.sourceLines.size).toBe(0);
});

test("functions, arrows and methods are measured by their name", () => {
  const sizes = sizesOf(
    `function first() ${body}\nconst second = () => ${body};\nconst o = { third() ${body} };`,
  );
  expect(Object.fromEntries(sizes.functionLines)).toEqual({
    "x.ts#first": 4,
    "x.ts#second": 4,
    "x.ts#third": 4,
  });
});

test("a comment above a function does not count, a signature over several lines does", () => {
  const sizes = sizesOf(`/**\n * Why.\n */\nfunction first(\n  one: string,\n) ${body}`);
  expect(sizes.functionLines.get("x.ts#first")).toBe(6);
});

test("a callback is named after what it is given to, and the longest counts", () => {
  const sizes = sizesOf(`test("a", () => ${body});\ntest("b", () => 1);`);
  expect(sizes.functionLines.get("x.ts#test()")).toBe(4);
});

test("a group of tests is not measured, the tests in it are", () => {
  const sizes = sizesOf(`describe("a", () => {\n  test("b", () => ${body});\n});`);
  expect([...sizes.functionLines.keys()]).toEqual(["x.ts#test()"]);
});

test("a line of 100 columns is short enough, one of 101 is not", () => {
  expect(sizesOf("x".repeat(100)).longLines.get("x.ts")).toBe(0);
  expect(sizesOf(`${"x".repeat(101)}\n${"💡".repeat(60)}`).longLines.get("x.ts")).toBe(1);
});

test("a string that stands alone may be longer, code around one may not", () => {
  const text = "x".repeat(100);
  expect(sizesOf(`const list = [\n  "${text}",\n];`).longLines.get("x.ts")).toBe(0);
  expect(sizesOf(`const item = {\n  find: '${text}',\n};`).longLines.get("x.ts")).toBe(0);
  expect(sizesOf(`run("${text}");`).longLines.get("x.ts")).toBe(1);
  expect(sizesOf(`const item = "${text}";`).longLines.get("x.ts")).toBe(1);
});
