/**
 * Verifies one receipt with a public key alone (spec/receipt.md §5).
 *
 * It never throws, for any bytes: the first fault is a finding with its code.
 */
import { fromBase64 } from "../receipt/base64.ts";
import { receiptId } from "../receipt/envelope.ts";
import { PREDICATE_TYPE, STATEMENT_TYPE, type Statement } from "../receipt/statement.ts";
import { hasFields, isOneOf } from "../shape.ts";
import { type Finding, type FindingCode, finding } from "./finding.ts";
import { parseEnvelope } from "./parse-envelope.ts";
import { renderCanonically } from "./render-canonically.ts";
import { isStatement } from "./statement-shape.ts";
import { checkKeyUse, type VerifyOptions, verifySignature } from "./verify-signature.ts";

export type ReceiptVerdict =
  | VerifiedReceipt
  | { readonly kind: "invalid"; readonly findings: readonly Finding[] };

export interface VerifiedReceipt {
  readonly kind: "valid";
  readonly id: string;
  readonly statement: Statement;
}

/** Bytes of one receipt, as JSON text. */
export const RECEIPT_BYTES_MAX = 10 * 1024 * 1024;

/** Checks form, key and signature of a receipt, as text or as the bytes of a file. */
export async function verifyReceipt(
  receipt: string | Uint8Array,
  options: VerifyOptions,
): Promise<ReceiptVerdict> {
  const text = readText(receipt);
  if (typeof text !== "string") return { kind: "invalid", findings: [text] };
  const envelope = parseEnvelope(text);
  if ("code" in envelope) return { kind: "invalid", findings: [envelope] };
  const payload = fromBase64(envelope.payload);
  if (payload === undefined)
    return invalid("RECEIPT_MALFORMED", "the payload is not strict base64");
  // The statement is read only once its signature is good.
  const key = await verifySignature(envelope, payload, options);
  if ("code" in key) return { kind: "invalid", findings: [key] };
  const statement = parseStatement(payload);
  if ("code" in statement) return { kind: "invalid", findings: [statement] };
  const fault = checkKeyUse(key, statement.predicate);
  if (fault !== undefined) return { kind: "invalid", findings: [fault] };
  return { kind: "valid", id: receiptId(payload), statement };
}

function readText(receipt: string | Uint8Array): string | Finding {
  // The text is measured first, so that a huge one is not copied only to be refused.
  const isLarge =
    receipt.length > RECEIPT_BYTES_MAX ||
    (typeof receipt === "string" && new TextEncoder().encode(receipt).length > RECEIPT_BYTES_MAX);
  if (isLarge) return finding("RECEIPT_TOO_LARGE", `larger than ${RECEIPT_BYTES_MAX} bytes`);
  if (typeof receipt === "string") return receipt;
  return decodeUtf8(receipt) ?? finding("RECEIPT_MALFORMED", "the receipt is not UTF-8");
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const hasKnownType = hasFields({
  _type: isOneOf([STATEMENT_TYPE]),
  predicateType: isOneOf([PREDICATE_TYPE]),
});

function parseStatement(payload: Uint8Array): Statement | Finding {
  const text = decodeUtf8(payload);
  if (text === undefined) return finding("RECEIPT_MALFORMED", "the statement is not UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return finding("RECEIPT_MALFORMED", "the statement is not JSON");
  }
  const form = renderCanonically(value);
  if (form === undefined)
    return finding("RECEIPT_MALFORMED", "the statement has no canonical form");
  if (form !== text) return finding("RECEIPT_NOT_CANONICAL", "the statement is not canonical JSON");
  if (!hasKnownType(value))
    return finding("RECEIPT_TYPE_UNKNOWN", "the statement is not a receipt of this version");
  if (!isStatement(value))
    return finding("RECEIPT_MALFORMED", "the statement does not say what a receipt must say");
  return value;
}

function invalid(code: FindingCode, message: string): ReceiptVerdict {
  return { kind: "invalid", findings: [finding(code, message)] };
}
