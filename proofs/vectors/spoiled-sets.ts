/** Sets of receipts that do not fit together. */
import type { JsonObject } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import {
  claimOf,
  makeMember,
  makePair,
  readStatement,
  receiptIdOf,
  runId,
  signAgain,
} from "./family.ts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import type { MadeRun } from "./seal-events.ts";

const keys = [DEMO_KEY];

export function listSetVectors(three: MadeRun, other: MadeRun): ReceiptVector[] {
  return [...acceptSets(three), ...spoilRuns(three, other), ...spoilFamilies()];
}

function acceptSets(three: MadeRun): ReceiptVector[] {
  const { parent, child } = makePair();
  const open = makeMember({ name: "parent", children: [{ name: "child", receipt: null }] });
  const accept = (name: string, description: string, ...runs: MadeRun[]): ReceiptVector => ({
    name,
    description,
    input: { keys, receipts: runs.flatMap(({ receipts }) => receipts).reverse() },
    expect: { verdict: "valid", valid: true, findings: [] },
  });
  return [
    accept("run-alone", "The receipts of one run, in any order.", three),
    accept("parent-and-child", "A run and the run that it started.", parent, child),
    accept("child-still-open", "A run that was started has no receipt yet.", open),
    accept("two-runs", "Runs that have nothing to do with each other.", three, parent, child),
  ];
}

function reject(name: string, receipts: string[], findings: Expected): ReceiptVector {
  return rejectVector(name, name.replaceAll("-", " "), { keys, receipts }, findings);
}

/** Receipts of one run that do not follow each other. */
function spoilRuns(three: MadeRun, other: MadeRun): ReceiptVector[] {
  const [first = "", second = "", third = ""] = three.receipts;
  const [stranger = ""] = other.receipts;
  const astray = signAgain(second, { previous: receiptIdOf(stranger) });
  const preceded = signAgain(first, { previous: `sha256:${"0".repeat(64)}` });
  return [
    reject("no-receipt-at-all", [], [{ code: "SET_MISSING" }]),
    reject(
      "signature-of-one-is-not-valid",
      [first, second.replace('"sig":"', '"sig":"A')],
      [{ code: "SIGNATURE_INVALID" }],
    ),
    reject("receipt-in-between-is-missing", [first, third], [{ code: "SET_MISSING", turn: 3 }]),
    reject(
      "follows-a-receipt-of-another-run",
      [stranger, astray.text],
      [{ code: "RECEIPT_PREVIOUS", turn: 2 }],
    ),
    reject(
      "first-turn-follows-a-receipt",
      [preceded.text],
      [{ code: "RECEIPT_PREVIOUS", turn: 1 }],
    ),
    reject("receipt-is-there-twice", [first, first], [{ code: "SET_DUPLICATE", turn: 1 }]),
  ];
}

/** Runs that do not agree about which started which. */
function spoilFamilies(): ReceiptVector[] {
  const { parent, child } = makePair();
  const [above = ""] = parent.receipts;
  const [below = ""] = child.receipts;
  const stray = signAgain(below, { parent: { ...parentOf(below), hash: "0".repeat(64) } });
  const unfit = signAgain(above, { effects: effectsFor(above, runId("other")) });
  return [
    reject("receipt-of-a-child-is-missing", [above], [{ code: "SET_MISSING", turn: 1 }]),
    reject("parent-is-not-there", [below], [{ code: "SET_ORPHAN", turn: 1 }]),
    reject(
      "child-names-a-claim-that-is-not-there",
      [above, stray.text],
      [
        { code: "SET_MISSING", turn: 1 },
        { code: "SET_PARENT_MISMATCH", turn: 1 },
      ],
    ),
    reject(
      "parent-started-another-run",
      [unfit.text, below],
      [{ code: "SET_PARENT_MISMATCH", turn: 1 }],
    ),
    reject(
      "child-ended-without-a-receipt",
      [endWithoutReceipt(above)],
      [{ code: "HANDOFF_UNSEALED", turn: 1 }],
    ),
    reject("two-runs-started-each-other", makeCycle(), [{ code: "SET_CYCLE" }]),
  ];
}

/** The effects of a receipt, as if they had started another run that is open. */
function effectsFor(text: string, child: string): JsonObject[] {
  const effects = readStatement(text).predicate["effects"] as unknown as JsonObject[];
  return effects.map(({ receipt: _, end: __, ...effect }) => ({
    ...effect,
    child,
    status: "unknown",
  }));
}

function endWithoutReceipt(text: string): string {
  const effects = readStatement(text).predicate["effects"] as unknown as JsonObject[];
  return signAgain(text, { effects: effects.map(({ receipt: _, ...effect }) => effect) }).text;
}

function parentOf(text: string): object {
  return readStatement(text).predicate["parent"] as object;
}

/** Each names the other's claim as its parent: only a signer who lies can make this. */
function makeCycle(): string[] {
  const left = makeMember({ name: "left", children: [{ name: "right", receipt: null }] });
  const right = makeMember({ name: "right", children: [{ name: "left", receipt: null }] });
  return [
    signAgain(left.receipts[0] ?? "", { parent: { ...claimOf(right) } }).text,
    signAgain(right.receipts[0] ?? "", { parent: { ...claimOf(left) } }).text,
  ];
}
