import { describe, expect, test } from "vitest";
import { parseStepCase } from "./step-case.ts";

const proper = {
  name: "topic/some-words",
  description: "A run ends.",
  steps: [{ ask: "advance", as: "end", expect: { answer: { due: "done" } } }],
};

function refusalOf(change: object): string {
  try {
    parseStepCase({ ...proper, ...change }, "file.json[0]");
  } catch (error) {
    return String(error);
  }
  return "accepted";
}

const look = { ask: "events", expect: { counts: { log: 1 } } };

describe("parseStepCase", () => {
  test("reads a proper case", () => {
    expect(parseStepCase(proper, "file.json[0]")).toEqual(proper);
    expect(refusalOf({ steps: [{ ask: "events" }], twice: true })).toBe("accepted");
    const again = { ask: "advance", expect: { same: "end" } };
    expect(refusalOf({ steps: [...proper.steps, again] })).toBe("accepted");
  });

  test.each<[string, object, string]>([
    ["with a name that is no topic and words", { name: "Some words" }, "named topic/words"],
    ["that could never fail", { steps: [{ ask: "advance" }] }, "a case that can fail"],
    ["with an unknown method", { steps: [{ ...look, ask: "dance" }] }, "ask must be one of"],
    ["with an unknown rule", { steps: [{ ...look, expect: { rules: ["all"] } }] }, "one of"],
    ["with an empty expectation", { steps: [{ ...look, expect: {} }] }, "empty expectations"],
    ["with a misspelt expectation", { steps: [{ ...look, expect: { count: {} } }] }, "left out"],
    ["that names a later step", { steps: [{ ...look, expect: { same: "x" } }] }, "unknown steps"],
    ["that edits a log", { steps: [{ ...look, edit: [{ dropEvent: 1 }] }] }, "not verified"],
    ["with an unknown edit", { steps: [{ ...look, edit: [{ burn: 1 }] }] }, "left out"],
  ])("refuses a case %s", (_, change, text) => {
    expect(refusalOf(change)).toContain(text);
  });
});
