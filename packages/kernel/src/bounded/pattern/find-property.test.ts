import { expect, test } from "vitest";
import { findProperty } from "./find-property.ts";

// Each is scattered, at a border that the search treats apart, or absent from whole planes.
test.each(["{L}", "{Noncharacter_Code_Point}", "{Cs}", "{Script_Extensions=Han}", "{DI}"])(
  "finds the code points of %s that the engine finds, and no others",
  (name) => {
    const member = new RegExp(`^\\p${name}$`, "u");
    const differing: number[] = [];
    const ranges = findProperty(name);
    let index = 0;
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      while ((ranges[index]?.[1] ?? Number.POSITIVE_INFINITY) < codePoint) index += 1;
      const isFound = (ranges[index]?.[0] ?? Number.POSITIVE_INFINITY) <= codePoint;
      if (isFound !== member.test(String.fromCodePoint(codePoint))) differing.push(codePoint);
    }
    expect(differing).toEqual([]);
  },
);

test("searches a property once", () => {
  expect(findProperty("{Lu}")).toBe(findProperty("{Lu}"));
});
