/**
 * Verifies a text of unknown kind: one receipt, an export, or a list of either. Whatever it holds,
 * there is a verdict.
 */
import { canonicalize, isPlainObject, type LoopEvent } from "@turnseal/protocol";
import {
  type Finding,
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
import { type Allowance, followAllowances } from "../local/follow-allowances.ts";

export type Verdict =
  | ({
      readonly kind: "run";
      /** Who allowed each effect, as events say that hold. */
      readonly allowed?: readonly Allowance[];
    } & RunVerdict)
  | ({ readonly kind: "set" } & SetVerdict)
  | ({ readonly kind: "tree" } & TreeVerdict)
  | {
      readonly kind: "receipt";
      readonly valid: boolean;
      readonly id: string | null;
      readonly findings: readonly Finding[];
    };

/** Decides what the text is, and checks it. */
export async function verifyDocument(text: string, trust: VerifyOptions): Promise<Verdict> {
  const value = parse(text);
  if (Array.isArray(value)) return verifyList(value, trust);
  if (isPlainObject(value) && "events" in value)
    return addAllowed(await verifyBundle(value, trust), value["events"]);
  const verdict = await verifyReceipt(text, trust);
  return verdict.kind === "valid"
    ? { kind: "receipt", valid: true, id: verdict.id, findings: [] }
    : { kind: "receipt", valid: false, id: null, findings: verdict.findings };
}

/** Who allowed what, from events that were verified: from others it would mean nothing. */
export function addAllowed(verdict: RunVerdict, events: unknown): Verdict {
  if (!verdict.valid) return { kind: "run", ...verdict };
  const fold = followAllowances();
  for (const event of events as readonly LoopEvent[]) fold.take(event);
  return { kind: "run", ...verdict, allowed: fold.list() };
}

async function verifyList(values: readonly unknown[], trust: VerifyOptions): Promise<Verdict> {
  if (values.length === 0 || !values.every(isBundle))
    return { kind: "set", ...(await verifySet(values.map(toText), trust)) };
  return { kind: "tree", ...(await verifyTree(values, trust)) };
}

function isBundle(value: unknown): value is RunBundle {
  return (
    isPlainObject(value) &&
    typeof value["run"] === "string" &&
    Array.isArray(value["events"]) &&
    Array.isArray(value["receipts"]) &&
    value["receipts"].every((receipt) => typeof receipt === "string")
  );
}

/**
 * A receipt in a list is its text, or its envelope. What has no text at all is none that could be
 * valid.
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
