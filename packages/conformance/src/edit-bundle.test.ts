import { readFileSync } from "node:fs";
import type { JsonObject } from "@turnseal/protocol";
import { type PublicKey, verifyBundle } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { editBundle } from "./edit-bundle.ts";
import type { BundleEdit } from "./vectors/step-case.ts";

interface Vector {
  readonly name: string;
  readonly input: {
    readonly keys: readonly PublicKey[];
    readonly bundle: { run: string; events: readonly JsonObject[]; receipts: readonly string[] };
  };
}

const file = new URL("../../../spec/vectors/receipt/valid-runs.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as readonly Vector[];
const input = vectors.find(({ name }) => name === "one-turn")?.input;

async function verifyEdited(edits: readonly BundleEdit[]): Promise<string[]> {
  if (input === undefined) throw new Error("the vector is gone");
  const { keys, ...bundle } = editBundle({ ...input.bundle, keys: input.keys }, edits);
  const { findings } = await verifyBundle(bundle, { keys });
  return findings.map(({ code }) => code);
}

test("a bundle without edits is the same", async () => {
  expect(await verifyEdited([])).toEqual([]);
});

test.each<[string, readonly BundleEdit[], readonly string[]]>([
  ["an event dropped", [{ dropEvent: 4 }], ["CHAIN_GAP"]],
  ["two events swapped", [{ swapEvents: [4, 5] }], ["CHAIN_GAP"]],
  [
    "an event changed",
    [{ changeEvent: { sequence: 4, content: { version: "9.0.0" } } }],
    ["CHAIN_HASH"],
  ],
  [
    "an event changed, and the chain with it",
    [{ changeEvent: { sequence: 4, content: { version: "9.0.0" } } }, { rechainFrom: 4 }],
    ["RECEIPT_MISMATCH"],
  ],
  ["a receipt dropped", [{ dropReceipt: 1 }], ["RECEIPT_MISSING"]],
  ["a receipt repeated", [{ repeatReceipt: 1 }], ["RECEIPT_DUPLICATE"]],
  ["a signature flipped", [{ flipSignature: 1 }], ["SIGNATURE_INVALID", "RECEIPT_MISSING"]],
  [
    "a statement changed",
    [{ changeStatement: { turn: 1, predicate: { outcome: "failed" } } }],
    ["SIGNATURE_INVALID", "RECEIPT_MISSING"],
  ],
  ["no keys", [{ dropKeys: true }], ["KEY_UNKNOWN", "RECEIPT_MISSING"]],
])("%s is found out", async (_, edits, codes) => {
  expect(await verifyEdited(edits)).toEqual(codes);
});
