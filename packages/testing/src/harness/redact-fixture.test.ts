import { describe, expect, test } from "vitest";
import { approve, refundCase } from "./desk.test.data.ts";
import type { Harness } from "./harness.ts";
import { redactFixture } from "./redact-fixture.ts";

function redact(harness: Partial<Harness>, ...pointers: string[]): Harness {
  const redacted = redactFixture({ ...refundCase, ...harness }, pointers);
  if (redacted.kind === "unusable") throw new Error(redacted.message);
  return redacted.harness;
}

describe("a text that a pointer leads to", () => {
  test("is replaced wherever it stands in content, also inside of texts and as JSON", () => {
    const customer = 'Ada "Countess"';
    const harness = redact(
      {
        input: { customer, list: [customer] },
        model: [
          { asked: `Greet ${customer}.`, text: JSON.stringify({ customer }) },
          { toolCalls: [{ tool: "a.b", input: { customer } }] },
        ],
        tools: { "a.b": { results: [{ result: customer, given: { customer } }] } },
        caller: [{ ...approve, request: { customer } }],
        expect: { stopped: "denied", turns: [{ output: { text: `Dear ${customer}` } }] },
      },
      "/input/customer",
    );
    expect(JSON.stringify(harness)).not.toContain("Countess");
    expect(harness).toMatchObject({
      input: { customer: "redacted-1", list: ["redacted-1"] },
      model: [{ asked: "Greet redacted-1.", text: '{"customer":"redacted-1"}' }, {}],
      expect: { turns: [{ output: { text: "Dear redacted-1" } }] },
    });
  });

  test("is left alone where the words are ours", () => {
    const caller = [{ ...approve, reason: "redacted", request: { note: "approve finance" } }];
    const harness = redact(
      { input: { a: "approve", b: "finance", c: "refund" }, caller },
      "/input",
    );
    expect(harness).toMatchObject({
      loop: "refund",
      caller: [{ ...approve, request: { note: "redacted-1 redacted-2" } }],
    });
  });

  test("is replaced whole when another is a part of it", () => {
    const input = { first: "ada", all: "ada lovelace", number: 7 };
    expect(redact({ input }, "/input/first", "/input/all").input).toEqual({
      first: "redacted-1",
      all: "redacted-2",
      number: 7,
    });
  });

  test("is found through escaped names and places of lists", () => {
    const input = { "a/b": { "c~d": ["x", "secret"] } };
    expect(redact({ input }, "/input/a~1b/c~0d/1").input).toEqual({
      "a/b": { "c~d": ["x", "redacted-1"] },
    });
  });
});

test.each(["/input/none", "/input/cents", "/nowhere", "/input/order/length", "/input/__proto__"])(
  "%s leads to no text",
  (pointer) => {
    expect(redactFixture(refundCase, [pointer])).toEqual({
      kind: "unusable",
      message: `there is no text at ${pointer} to redact`,
    });
  },
);
