/**
 * Verifies what was exported: one run with its events and receipts, and its content where that was
 * given too (spec/receipt.md §6.1).
 */
import { isPlainObject } from "../canonical-json.ts";
import { hmacSha256Hex } from "../hmac.ts";
import { fromBase64 } from "./base64.ts";
import { type Finding, finding } from "./finding.ts";
import { hasFields, isAbsentOr, isListOf, isText } from "./shape.ts";
import { type RunVerdict, verifyRun } from "./verify-run.ts";
import type { VerifyOptions } from "./verify-signature.ts";

/** A run in one document. */
export interface RunBundle {
  readonly run: string;
  readonly events: readonly unknown[];
  /** Each receipt as the text that was signed for. */
  readonly receipts: readonly string[];
  readonly content?: BundleContent;
}

/** Content of a run, all of it or a part. */
export interface BundleContent {
  /** The run's key, base64. */
  readonly key: string;
  /** Bytes in base64 by the digest that events name them by. */
  readonly blobs: Readonly<Record<string, string>>;
}

const RUN_KEY_BYTES = 32;

const isBundle = hasFields({
  run: isText,
  events: Array.isArray,
  receipts: isListOf(isText),
  content: isAbsentOr(hasFields({ key: isText, blobs: isPlainObject })),
});

/** Checks a bundle from anywhere, as `JSON.parse` gave it. */
export async function verifyBundle(value: unknown, options: VerifyOptions): Promise<RunVerdict> {
  if (!isBundle(value)) {
    const fault = finding("BUNDLE_MALFORMED", "this is not a run with events and receipts");
    const nothing = { run: "", events: 0, receipts: 0, sealedUntil: 0, firstWrong: null };
    return { valid: false, ...nothing, findings: [fault] };
  }
  const bundle = value as RunBundle;
  const verdict = await verifyRun(bundle, options);
  const findings = [...verdict.findings, ...checkContent(bundle.content)];
  return { ...verdict, valid: findings.length === 0, findings };
}

function checkContent(content: BundleContent | undefined): Finding[] {
  if (content === undefined) return [];
  const key = fromBase64(content.key);
  if (key?.length !== RUN_KEY_BYTES)
    return [finding("CONTENT_MISMATCH", "the key of the content is not 32 bytes in base64")];
  const isSame = ([digest, text]: [string, unknown]): boolean => {
    const bytes = typeof text === "string" ? fromBase64(text) : undefined;
    return bytes !== undefined && digest === `hmac-sha256:${hmacSha256Hex(key, bytes)}`;
  };
  return Object.entries(content.blobs).every(isSame)
    ? []
    : [finding("CONTENT_MISMATCH", "content is not what its digest names")];
}
