import { expect, test } from "vitest";
import { nameOfError, placeOfError } from "./error-place.ts";

test("an error has the place where it was made", () => {
  expect(placeOfError(new Error("broken"))).toMatch(/error-place\.test\.ts:\d+:\d+$/);
  expect(placeOfError(new TypeError(""))).toMatch(/error-place\.test\.ts:\d+:\d+$/);
});

test.each([
  "said:\n    at /patients/jane:1:1",
  "\n    at /patients/jane:1:1",
  "a\n    at f (/patients/jane:1:1)\n",
])("what a message says is no place: %j", (message) => {
  expect(placeOfError(new Error(message)) ?? "").not.toContain("patients");
});

test("a message that was changed, a long place and no error at all have none", () => {
  const changed = new Error("after");
  changed.stack = "Error: before\n    at /a.js:1:1";
  expect(placeOfError(changed)).toBeUndefined();
  const long = new Error("long");
  long.stack = `Error: long\n    at /${"x".repeat(400)}:1:1`;
  expect(placeOfError(long)).toBeUndefined();
  const none = Object.assign(new Error("none"), { stack: "" });
  for (const odd of [none, "text", null]) expect(placeOfError(odd)).toBeUndefined();
});

test("a name is a word, or is not told", () => {
  const card = Object.assign(new TypeError("x"), { code: "card 4111" });
  expect(nameOfError(card)).toBe("TypeError");
  expect(nameOfError(Object.assign(new Error("x"), { code: "ECONNRESET" }))).toBe("ECONNRESET");
  expect(nameOfError(Object.assign(new Error("x"), { name: "card 4111" }))).toBe("Error");
  expect(nameOfError("card 4111")).toBe("string");
});
