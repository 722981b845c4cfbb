import { expect, test } from "vitest";
import { isStorableText, toStorable } from "./names.ts";

test.each(["fin\0ance", "half \ud800", "\0"])("%j is listed as what the database keeps", (text) => {
  expect(isStorableText(text)).toBe(false);
  expect(isStorableText(toStorable(text))).toBe(true);
});

test("a text that the database keeps is listed as it is", () => {
  expect(toStorable("Finanzprüfung 💡")).toBe("Finanzprüfung 💡");
});
