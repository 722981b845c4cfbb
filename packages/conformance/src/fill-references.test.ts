import { expect, test } from "vitest";
import { fillReferences } from "./fill-references.ts";

const answers = new Map([["start", { run: "r-1", list: [{ key: "k" }], whole: { a: 1 } }]]);

test("what an earlier answer held is put in place, at any depth", () => {
  const params = {
    run: { $ref: "start.run" },
    message: [{ action: { $ref: "start.list.0.key" } }],
    whole: { $ref: "start.whole" },
    other: { ref: "start.run" },
  };
  expect(fillReferences(params, answers)).toEqual({
    run: "r-1",
    message: [{ action: "k" }],
    whole: { a: 1 },
    other: { ref: "start.run" },
  });
});

test.each(["start.none", "nobody.run", "start.run.deeper", "start.list.1.key"])(
  "an answer that has nothing at %s fails the case",
  (reference) => {
    expect(() => fillReferences({ run: { $ref: reference } }, answers)).toThrow(reference);
  },
);

test("a long text is written once", () => {
  const params = { text: { $repeat: "ab", times: 3 }, none: { $repeat: "x", times: 0 } };
  expect(fillReferences(params, answers)).toEqual({ text: "ababab", none: "" });
});
