/**
 * Verifies a text of unknown kind: one receipt, an export, or a list of either. Any content gets a
 * verdict.
 */

import { canonicalize, isPlainObject, type LoopEvent } from "@turnseal/protocol";
import {
  type Finding,
  isRunBundle,
  type ReceiptVerdict,
  type RunBundle,
  type RunVerdict,
  type SetVerdict,
  type TreeVerdict,
  type VerifyOptions,
  verifyBundle,
  verifyReceipt,
  verifySet,
  verifyTree,
} from "@turnseal/protocol/receipts";
import { type Allowance, followAllowances } from "@turnseal/views";
import { listUnsealedArtifacts } from "./evidence-pack.ts";
import type { StoreVerdict } from "./store-verdict.ts";

export type Verdict =
  | ({
      readonly kind: "run";
      /** The people and rules that allowed each effect, from sealed events. */
      readonly allowed?: readonly Allowance[];
      /** Content that no sealed event names. Each reader of the export can add some. */
      readonly unsealedArtifacts?: readonly string[];
    } & RunVerdict)
  | ({ readonly kind: "set" } & SetVerdict)
  | ({ readonly kind: "tree" } & TreeVerdict)
  | ({ readonly kind: "store" } & StoreVerdict)
  | ({ readonly kind: "receipt" } & SingleVerdict);

/** The verdict on one receipt: that its key signed it, and not what it follows or stands under. */
export interface SingleVerdict {
  readonly verdict: "valid" | "invalid";
  readonly valid: boolean;
  /** Its digest, which is its name. */
  readonly id: string | null;
  /** The turn that it is about. */
  readonly about?: string;
  readonly signature?: {
    readonly algorithm: "Ed25519";
    readonly keyId: string;
    readonly issuer: string;
  };
  readonly lineage: "unverified";
  readonly findings: readonly Finding[];
}

/** Decides what the text is, and checks it. */
export async function verifyDocument(text: string, trust: VerifyOptions): Promise<Verdict> {
  const value = parse(text);
  if (Array.isArray(value)) return verifyList(value, trust);
  if (isPlainObject(value) && "events" in value) {
    const verdict = addAllowed(await verifyBundle(value, trust), value["events"]);
    return isRunBundle(value) ? addUnsealed(verdict, value) : verdict;
  }
  const verdict = describeReceipt(await verifyReceipt(text, trust));
  return { kind: "receipt", ...verdict, ...(isEnvelopeLike(value) ? {} : { findings: [NOTHING] }) };
}

/** True for a text that was meant as a receipt: its own findings say what is wrong with it. */
function isEnvelopeLike(value: unknown): boolean {
  return isPlainObject(value) && ("payload" in value || "signatures" in value);
}

const NOTHING: Finding = {
  code: "RECEIPT_MALFORMED",
  message:
    "this is no receipt and no export of a run: verify takes a receipt (a DSSE envelope), a list " +
    "of receipts, or what `turnseal export <run>` writes",
};

function describeReceipt(verdict: ReceiptVerdict): SingleVerdict {
  const lineage = "unverified";
  if (verdict.kind === "invalid")
    return { verdict: "invalid", valid: false, id: null, lineage, findings: verdict.findings };
  const { id, statement } = verdict;
  const [{ name: about }] = statement.subject;
  const { id: keyId, issuer } = statement.predicate.key;
  const signature = { algorithm: "Ed25519", keyId, issuer } as const;
  return { verdict: "valid", valid: true, id, about, signature, lineage, findings: [] };
}

/** Lists who allowed what, from sealed events only: unsealed ones prove nothing. */
export function addAllowed(verdict: RunVerdict, events: unknown): Verdict {
  if (verdict.verdict === "invalid") return { kind: "run", ...verdict };
  const fold = followAllowances();
  const sealed = (events as readonly LoopEvent[]).slice(0, verdict.sealedUntil);
  for (const event of sealed) fold.take(event);
  return { kind: "run", ...verdict, allowed: fold.list() };
}

/** Adds the unsealed content of an export or a pack. */
export function addUnsealed(verdict: Verdict, bundle: RunBundle): Verdict {
  if (verdict.kind !== "run" || verdict.verdict === "invalid") return verdict;
  const unsealedArtifacts = listUnsealedArtifacts(bundle, verdict.sealedUntil);
  return unsealedArtifacts.length === 0 ? verdict : { ...verdict, unsealedArtifacts };
}

async function verifyList(values: readonly unknown[], trust: VerifyOptions): Promise<Verdict> {
  if (values.length === 0 || !values.every(isRunBundle))
    return { kind: "set", ...(await verifySet(values.map(toText), trust)) };
  return { kind: "tree", ...(await verifyTree(values, trust)) };
}

/**
 * A receipt in a list is its text, or its envelope. A value without a text form cannot be valid.
 */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return canonicalize(value);
  } catch {
    return "";
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
