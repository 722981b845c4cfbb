import { StoreError } from "@turnseal/ports";
import { expect, test } from "vitest";
import { formatLine } from "./line.ts";
import { renderStray } from "./render-stray.ts";

const render = (error: unknown) =>
  renderStray(error).map((line) => formatLine(line, { isColoured: false }))[0];

test("what failed is found by its name and its place, and its words stay out", () => {
  const said = render(new TypeError("the secret of a tool"));
  expect(said).toMatch(/unhandled error: TypeError at \S+render-stray\.test\.ts:\d+:\d+$/);
  expect(said).not.toContain("secret");
});

test.each([
  ["text"],
  [null],
  [{ message: "secret" }],
  [Object.assign(new Error("secret"), { stack: "" })],
])("whatever it is", (error) => {
  const said = render(error);
  expect(said).toMatch(/unhandled error: (string|object|Error)$/);
});

test("our own failures say what they are", () => {
  const failure = new StoreError("STORE_FULL", "the store has no room left");
  expect(render(failure)).toBe("error: the store has no room left");
});
