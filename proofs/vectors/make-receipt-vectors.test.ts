import { type RunToVerify, verifyBundle, verifySet, verifyTree } from "@turnseal/protocol/receipts";
import { describe, expect, test } from "vitest";
import { makeReceiptVectors } from "./make-receipt-vectors.ts";
import type { VectorInput } from "./receipt-vector.ts";

const files = await makeReceiptVectors();

test("the same code makes the same vectors", async () => {
  expect(await makeReceiptVectors()).toEqual(files);
});

describe.each(Object.keys(files))("%s, made by the kernel as it is", (file) => {
  test.each(files[file] ?? [])("$name: $description", async ({ input, expect: expected }) => {
    const { verdict, valid, findings } = await verifyInput(input);
    expect({ verdict, valid }).toEqual({ verdict: expected.verdict, valid: expected.valid });
    expect(findings.map(({ code }) => code).sort()).toEqual(
      expected.findings.map(({ code }) => code).sort(),
    );
  });
});

async function verifyInput({ bundle, receipts = [], tree, ...trust }: VectorInput) {
  if (bundle !== undefined) return verifyBundle(bundle, trust);
  if (tree === undefined) return verifySet(receipts, trust);
  const { runs, set, ...judged } = await verifyTree(tree as readonly RunToVerify[], trust);
  return { ...judged, findings: [...runs, set].flatMap(({ findings }) => findings) };
}

test("every name is given once", () => {
  const names = Object.values(files).flatMap((vectors) => vectors.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
});
