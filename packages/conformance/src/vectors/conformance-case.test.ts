import { describe, expect, test } from "vitest";
import { parseConformanceCase } from "./conformance-case.ts";

const proper = {
  name: "topic/some-words",
  description: "A call works.",
  input: { documents: [{}], calls: [{ loop: "a", input: {} }] },
  expect: { calls: [{ status: "ok" }] },
};

function refusalOf(change: object): string {
  try {
    parseConformanceCase({ ...proper, ...change }, "file.json[0]");
  } catch (error) {
    return String(error);
  }
  return "accepted";
}

describe("parseConformanceCase", () => {
  test("reads a proper case", () => {
    expect(parseConformanceCase(proper, "file.json[0]")).toEqual(proper);
    expect(refusalOf({})).toBe("accepted");
  });

  test.each<[string, object, string]>([
    ["without a description", { description: undefined }, "description must be a string"],
    ["with a name that is no topic and words", { name: "Some words" }, "named topic/words"],
    ["without an expectation", { expect: {} }, "a case with an expectation"],
    ["with an empty expectation of a call", { expect: { calls: [{}] } }, "empty call expectations"],
    ["with a misspelt expectation", { expect: { cals: [] } }, "expect.cals must be left out"],
    [
      "with a misspelt expectation of a call",
      { expect: { calls: [{ statuss: "ok" }] } },
      "statuss must be left out",
    ],
    [
      "with an unknown rule",
      { expect: { calls: [{ rules: ["all-is-well"] }] } },
      "rules[0] must be one of",
    ],
    [
      "with fewer expectations than calls",
      { input: { documents: [], calls: [...proper.input.calls, ...proper.input.calls] } },
      "one expectation per call",
    ],
    [
      "with fewer expectations than documents",
      { expect: { documents: [] } },
      "one expectation per document",
    ],
    [
      "with an unexpected `get`",
      { input: { ...proper.input, get: [{ id: "a" }] } },
      "one `got` per",
    ],
  ])("refuses a case %s", (_, change, text) => {
    expect(refusalOf(change)).toContain(text);
  });
});
