/**
 * Verifies a text of unknown kind: one receipt, an export, or a list of either. Whatever it holds,
 * there is a verdict.
 */
import { canonicalize, isPlainObject } from "@turnseal/protocol";
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

export type Verdict =
  | ({ readonly kind: "run" } & RunVerdict)
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
    return { kind: "run", ...(await verifyBundle(value, trust)) };
  const verdict = await verifyReceipt(text, trust);
  return verdict.kind === "valid"
    ? { kind: "receipt", valid: true, id: verdict.id, findings: [] }
    : { kind: "receipt", valid: false, id: null, findings: verdict.findings };
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
