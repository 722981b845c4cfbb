import { describe, expect, test } from "vitest";
import { parseGoal } from "./parse-goal.ts";

describe("a goal is read", () => {
  test.each([
    ["output.done=true", { path: "$.output.done", equals: true }],
    ["$.output.name=ada", { path: "$.output.name", equals: "ada" }],
    ['output.name="7"', { path: "$.output.name", equals: "7" }],
    ["output.name=", { path: "$.output.name", equals: "" }],
    ["output.score>=0.8", { path: "$.output.score", atLeast: 0.8 }],
    ["output=7", { path: "$.output", equals: 7 }],
    ["output.formula=a>=b", { path: "$.output.formula", equals: "a>=b" }],
  ])("%s", (text, goal) => {
    expect(parseGoal(text)).toEqual({ kind: "goal", goal });
  });
});

describe("anything else is refused with how to write it", () => {
  test.each([
    ["done", "path=value or path>=number"],
    ["=1", "path=value or path>=number"],
    ["done=true", "write output.done"],
    ["outputs.done=true", "a goal is about the output"],
    ["output.*=1", "--goal output.*: "],
    ["output.score>=many", "many is not a number"],
    ["output.score>=", "is not a number"],
  ])("%s", (text, message) => {
    const parsed = parseGoal(text);
    expect(parsed.kind).toBe("unusable");
    expect(parsed.kind === "unusable" ? parsed.message : "").toContain(message);
  });
});
