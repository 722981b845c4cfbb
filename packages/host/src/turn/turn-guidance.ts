/**
 * The guidance of a turn: the documents that its run was started with, and summaries of the turns
 * before it.
 *
 * Both are stored. A resumed or replayed turn reads what its record names, and so gets the same
 * again.
 */

import type { RunProjection } from "@turnseal/folds";
import type { Content, RequestedGuidance } from "@turnseal/kernel";
import type { ReceiptStore, Stores } from "@turnseal/ports";
import {
  type BlobRef,
  type ContentOf,
  fitsGuidance,
  type GuidanceDocument,
  isLoopError,
  type JsonValue,
  type LoopEvent,
  type RunSpec,
  SUMMARIES_MAX,
  summarizeTurn,
  textOf,
} from "@turnseal/protocol";
import { fromBase64, type Predicate, type Statement } from "@turnseal/protocol/receipts";

export interface GuidanceSource {
  readonly run: string;
  readonly spec: RunSpec;
  /** The texts of the run's documents. */
  readonly texts: BlobRef | null;
  readonly content: Content;
}

interface GuidanceParts {
  readonly appender: { readonly stored: Content };
  /** The events of the turn, if it has begun. */
  readonly recorded: readonly LoopEvent[];
  readonly stores: Pick<Stores, "receipts">;
}

/** Returns the guidance of a turn: as recorded, if the turn has begun. */
export async function turnGuidance(
  { run, spec, guidance }: RunProjection,
  turn: number,
  { appender: { stored: content }, recorded, stores }: GuidanceParts,
): Promise<RequestedGuidance | undefined> {
  if (spec === null) return undefined;
  // A snapshot of before there was guidance has no such field.
  const source = { run, spec, texts: guidance ?? null, content };
  const [started] = recorded;
  return started?.type === "turn.started"
    ? readGuidance(source, started.content)
    : collectGuidance(source, turn, stores.receipts);
}

/** For a turn that begins: the documents, and as many of the latest turns as the run asks for. */
async function collectGuidance(
  source: GuidanceSource,
  turn: number,
  receipts: ReceiptStore,
): Promise<RequestedGuidance | undefined> {
  const documents = await readDocuments(source);
  const wanted = Math.min(source.spec.bounds.summaries ?? 0, SUMMARIES_MAX, turn - 1);
  const summaries: GuidanceDocument[] = [];
  for (let back = 1; back <= wanted; back++) {
    const summary = await summarize(source, turn - back, receipts);
    if (summary === undefined) continue;
    const texts = [...documents.texts, summary.text, ...summaries.map(({ text }) => text)];
    // The latest go first: where there is no room for all, the oldest are left out.
    if (!fitsGuidance(texts)) break;
    summaries.unshift(summary);
  }
  return toRequest({ ...documents, summaries });
}

/** For a begun turn: the documents in its record. */
export async function readGuidance(
  source: GuidanceSource,
  { guidance: recorded = [] }: ContentOf<"turn.started">,
): Promise<RequestedGuidance | undefined> {
  const documents = await readDocuments(source);
  const summaries: GuidanceDocument[] = [];
  for (const reference of recorded.slice(documents.pinned.length)) {
    const text = textOf(await source.content.read(reference));
    summaries.push({ ref: refOf(text), text });
  }
  return toRequest({ ...documents, summaries });
}

/** A summary says which turn it is of. */
function refOf(text: string): string {
  return `turns/${/^turn (\d+):/.exec(text)?.[1] ?? ""}`;
}

function toRequest(guidance: RequestedGuidance): RequestedGuidance | undefined {
  const { pinned, texts, summaries } = guidance;
  return pinned.length + texts.length + summaries.length === 0 ? undefined : guidance;
}

async function readDocuments({ spec, texts: reference, content }: GuidanceSource) {
  const stored: JsonValue =
    reference === null ? [] : await content.read(reference).catch(forgetChanged);
  const texts = Array.isArray(stored) ? stored.map(textOf) : [];
  return { pinned: spec.guidance ?? [], texts };
}

/** Exchanged texts do not count: a turn without the pinned ones is denied. */
function forgetChanged(error: unknown): JsonValue {
  if (isLoopError(error) && error.code === "LOG_CONTENT_CHANGED") return [];
  throw error;
}

async function summarize(
  { run, content }: GuidanceSource,
  turn: number,
  receipts: ReceiptStore,
): Promise<GuidanceDocument | undefined> {
  const receipt = await receipts.read(run, turn);
  const payload = receipt === undefined ? undefined : fromBase64(receipt.envelope.payload);
  if (payload === undefined) return undefined;
  const { predicate } = JSON.parse(new TextDecoder().decode(payload)) as Statement;
  const { outcome, reason, output }: Predicate = predicate;
  return summarizeTurn({
    turn,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(output === undefined ? {} : { output: await content.read(output) }),
  });
}
