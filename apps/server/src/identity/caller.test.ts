import { expect, test } from "vitest";
import { CALLER_NAME_LENGTH_MAX, parseCaller } from "./caller.ts";

test("a name of the longest length is one, and one unit more is not", () => {
  const id = "a".repeat(CALLER_NAME_LENGTH_MAX);
  expect(parseCaller({ tenant: "acme", id })).toEqual({ tenant: "acme", id, roles: [] });
  expect(parseCaller({ tenant: "acme", id: `${id}a` })).toBeUndefined();
});

test.each(["unknown", "", "a\0", "a\nb", "a\u001b[31m", "a\u0085", "\ud800"])(
  "the id %j is nobody's",
  (id) => {
    expect(parseCaller({ tenant: "acme", id })).toBeUndefined();
  },
);

test.each([["fin\0ance"], ["a\n"], [""]])("with the role %j somebody is nobody", (role) => {
  expect(parseCaller({ tenant: "acme", id: "ada", roles: [role] })).toBeUndefined();
});

test.each(["Unknown", "unknown-1", "ada@x.example", "Zoë 💡"])("the id %s is a person's", (id) => {
  expect(parseCaller({ tenant: "acme", id })?.id).toBe(id);
});
