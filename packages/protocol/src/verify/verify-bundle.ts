/**
 * Verifies an export: one run with its events and receipts, and its content if present
 * (spec/receipt.md §6.1).
 */
import { hasFields, type Is, isListOf, isText } from "../shape.ts";
import { type BundleContent, isContent } from "./check-content.ts";
import { finding } from "./finding.ts";
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

/** True for a run with events and receipts, of any content. */
export const isRunBundle: Is<RunBundle> = hasFields(
  {
    run: isText,
    events: (value): value is readonly unknown[] => Array.isArray(value) && value.length > 0,
    receipts: isListOf(isText),
  },
  { content: isContent },
);

/** Checks a bundle from anywhere, as `JSON.parse` gave it. */
export async function verifyBundle(value: unknown, options: VerifyOptions): Promise<RunVerdict> {
  if (isRunBundle(value)) return verifyRun(value, options);
  const fault = finding("BUNDLE_MALFORMED", "this is not a run with events and receipts");
  const nothing = { run: "", events: 0, receipts: 0, sealedUntil: 0, firstWrong: null };
  return { verdict: "invalid", valid: false, ...nothing, findings: [fault] };
}
