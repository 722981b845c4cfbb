import { describe, expect, test } from "vitest";
import {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  ASK_REASONS,
  DESCRIPTION_LENGTH_MAX,
  decideGate,
  type GateAnswer,
  RUN_REASONS,
} from "./tool-gate.ts";

const tool = (policy: ApprovalPolicy, readOnly = false) => ({ name: "write", readOnly, policy });
const ask = (why: string, description: string) => ({ kind: "ask", why, description });
const run = (why: string) => ({ kind: "run", why });

describe("whether a tool asks first", () => {
  test.each<[string, GateAnswer, object]>([
    ["a text asks with it", decideGate(tool("ask"), () => "Write?"), ask("tool-asks", "Write?")],
    ["null needs no asking", decideGate(tool("ask"), () => null), run("not-needed")],
    ["null counts for a reader, too", decideGate(tool("ask", true), () => null), run("not-needed")],
    [
      "a reader may ask as well",
      decideGate(tool("ask", true), () => "Read?"),
      ask("tool-asks", "Read?"),
    ],
    [
      "whoever says nothing and only reads, runs",
      decideGate(tool("ask", true), undefined),
      run("read-only"),
    ],
    [
      "whoever says nothing and acts, asks by its name",
      decideGate(tool("ask"), undefined),
      ask("by-default", "Run write?"),
    ],
    [
      "an empty text asks by its name",
      decideGate(tool("ask"), () => " "),
      ask("tool-asks", "Run write?"),
    ],
    ["blocked runs nothing", decideGate(tool("blocked", true), () => null), { kind: "blocked" }],
  ])("%s", (_, answer, expected) => {
    expect(answer).toEqual(expected);
  });

  test.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("a secret of the input");
      },
    ],
    ["forgets to answer", () => undefined],
    ["answers with true", () => true],
    ["answers later", async () => null],
  ])("a function that %s has allowed nothing", (_, request) => {
    const answer = decideGate(tool("ask", true), request as () => string);
    expect(answer).toEqual(ask("gate-failed", "Run write?"));
  });

  test("the tool is only asked where the policy is ask", () => {
    let asked = 0;
    const request = () => {
      asked += 1;
      return "Write?";
    };
    for (const policy of APPROVAL_POLICIES) decideGate(tool(policy), request);
    expect(asked).toBe(1);
    expect(decideGate(tool("always_allow"), request)).toEqual(run("always-allow"));
  });

  test("a policy that nobody knows blocks", () => {
    expect(decideGate(tool("allow" as ApprovalPolicy), undefined)).toEqual({ kind: "blocked" });
  });

  test("a text is cut at its longest, and stays well formed", () => {
    const describeWith = (words: string) => {
      const answer = decideGate(tool("ask"), () => words);
      return answer.kind === "ask" ? answer.description : "";
    };
    const longest = "a".repeat(DESCRIPTION_LENGTH_MAX);
    expect(describeWith(longest)).toBe(longest);
    expect(describeWith(`${longest}b`)).toBe(longest);
    expect(describeWith(`${longest.slice(1)}💡`).isWellFormed()).toBe(true);
  });

  test("every reason has one meaning", () => {
    expect(new Set([...RUN_REASONS, ...ASK_REASONS]).size).toBe(6);
  });
});
