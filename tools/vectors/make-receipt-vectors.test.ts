import { verifyBundle, verifySet } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { makeReceiptVectors } from "./make-receipt-vectors.ts";

const files = await makeReceiptVectors();

test("the same code makes the same vectors", async () => {
  expect(await makeReceiptVectors()).toEqual(files);
});

describe.each(Object.keys(files))("%s, made by the kernel as it is", (file) => {
  test.each(files[file] ?? [])("$name: $description", async ({ input, expect: expected }) => {
    const { bundle, receipts = [], ...trust } = input;
    const { valid, findings } =
      bundle === undefined ? await verifySet(receipts, trust) : await verifyBundle(bundle, trust);
    expect(valid).toBe(expected.valid);
    expect(findings.map(({ code }) => code).sort()).toEqual(
      expected.findings.map(({ code }) => code).sort(),
    );
  });
});

test("every name is given once", () => {
  const names = Object.values(files).flatMap((vectors) => vectors.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});
