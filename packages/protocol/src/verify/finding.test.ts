import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FINDING_CODES } from "./finding.ts";

const spec = new URL("../../../../spec/", import.meta.url);

/** Codes that no vector holds: a huge text, and trees too large to keep as a file. */
const withoutVector = ["RECEIPT_TOO_LARGE", "SET_TOO_DEEP", "SET_TOO_BROAD"];

test("every code is expected by a vector, but for those that cannot be", () => {
  const expected = new Set<string>();
  for (const layer of ["receipt", "receipt-conduct", "receipt-set"]) {
    const folder = new URL(`vectors/${layer}/`, spec);
    for (const file of readdirSync(folder)) {
      const vectors = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
      for (const { expect: verdict } of vectors)
        for (const { code } of verdict.findings) expected.add(code);
    }
  }
  expect([...FINDING_CODES].filter((code) => !expected.has(code))).toEqual(withoutVector);
  expect([...expected].filter((code) => !FINDING_CODES.some((known) => known === code))).toEqual(
    [],
  );
});

test("spec/receipt.md lists every code once", () => {
  const section = readFileSync(new URL("receipt.md", spec), "utf8").split("## 9. Codes")[1] ?? "";
  const rows = Array.from(section.matchAll(/^\| `([A-Z_]+)` \|/gm), (match) => match[1]);
  expect(rows).toEqual([...FINDING_CODES]);
});
