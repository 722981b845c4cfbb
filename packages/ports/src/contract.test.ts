import { expect, test } from "vitest";
import { bindContract } from "./contract.ts";

const sentences = {
  "holds a number": async (subject: { value: unknown }) => {
    if (typeof subject.value !== "number") throw new Error("no number");
  },
  "holds more than zero": async (subject: { value: unknown }) => {
    if (!(Number(subject.value) > 0)) throw new Error("not more than zero");
  },
};

test("each case has an implementation of its own, which is given back", async () => {
  const created: object[] = [];
  const destroyed: object[] = [];
  const cases = bindContract(sentences, {
    create: () => {
      const subject = { value: 1 };
      created.push(subject);
      return subject;
    },
    destroy: (subject) => void destroyed.push(subject),
  });
  for (const { run } of cases) await run();
  expect(created).toHaveLength(2);
  expect(destroyed).toEqual(created);
});

test("an implementation is given back also when its case fails", async () => {
  let destroyed = 0;
  const [numeric] = bindContract(sentences, {
    create: () => ({ value: "text" }),
    destroy: () => void destroyed++,
  });
  await expect(numeric?.run()).rejects.toThrow("no number");
  expect(destroyed).toBe(1);
});

test("a skipped sentence is left out", () => {
  const cases = bindContract(sentences, {
    create: () => ({ value: 0 }),
    skip: [{ name: "holds more than zero", reason: "it counts from zero" }],
  });
  expect(cases.map(({ name }) => name)).toEqual(["holds a number"]);
});

test("skipping what is no sentence is an error, so that a renamed one is noticed", () => {
  const skip = [{ name: "holds a text", reason: "none" }];
  expect(() => bindContract(sentences, { create: () => ({ value: 0 }), skip })).toThrow(RangeError);
});
