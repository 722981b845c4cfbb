/**
 * Spoils a run's own bundle, one edit after the other, like an attacker with access to the store.
 */
import { hashEvent, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { fromBase64, type PublicKey, toBase64 } from "@turnseal/protocol/receipts";
import type { BundleEdit } from "./vectors/step-case.ts";

export interface OwnBundle {
  readonly run: string;
  readonly events: readonly JsonObject[];
  /** In the order of turns. */
  readonly receipts: readonly string[];
  readonly keys: readonly PublicKey[];
}

export function editBundle(bundle: OwnBundle, edits: readonly BundleEdit[]): OwnBundle {
  return edits.reduce(applyEdit, bundle);
}

function applyEdit(bundle: OwnBundle, edit: BundleEdit): OwnBundle {
  const { events, receipts } = bundle;
  const { dropEvent, changeEvent, rechainFrom, swapEvents, dropReceipt, repeatReceipt } = edit;
  if (dropEvent !== undefined) return { ...bundle, events: without(events, dropEvent) };
  if (changeEvent !== undefined) {
    const { sequence, content } = changeEvent;
    const change = (event: JsonObject): JsonObject => ({
      ...event,
      content: { ...(event["content"] as JsonObject), ...(content as JsonObject) },
    });
    return { ...bundle, events: replace(events, sequence, change) };
  }
  if (rechainFrom !== undefined) return { ...bundle, events: rechain(events, rechainFrom) };
  if (swapEvents !== undefined) return { ...bundle, events: swap(events, swapEvents) };
  if (dropReceipt !== undefined) return { ...bundle, receipts: without(receipts, dropReceipt) };
  if (repeatReceipt !== undefined) {
    return { ...bundle, receipts: [...receipts, receipts[repeatReceipt - 1] ?? ""] };
  }
  if (edit.dropKeys !== undefined) return { ...bundle, keys: [] };
  return { ...bundle, receipts: editReceipts(receipts, edit) };
}

function editReceipts(receipts: readonly string[], edit: BundleEdit): readonly string[] {
  const { flipSignature, changeStatement } = edit;
  if (flipSignature !== undefined) return replace(receipts, flipSignature, flipBit);
  if (changeStatement === undefined) return receipts;
  const { turn, predicate } = changeStatement;
  return replace(receipts, turn, (text) => stateOtherwise(text, predicate as JsonObject));
}

/** Counted from one, as events and turns are. */
function replace<Item>(
  items: readonly Item[],
  place: number,
  change: (item: Item) => Item,
): readonly Item[] {
  return items.map((item, index) => (index === place - 1 ? change(item) : item));
}

function without<Item>(items: readonly Item[], place: number): readonly Item[] {
  return items.filter((_, index) => index !== place - 1);
}

function swap<Item>(items: readonly Item[], [one = 1, other = 1]: readonly number[]): Item[] {
  const swapped = [...items];
  const [first, second] = [swapped[one - 1], swapped[other - 1]];
  if (first !== undefined && second !== undefined) {
    swapped[one - 1] = second;
    swapped[other - 1] = first;
  }
  return swapped;
}

/** Numbers and hashes all events from one on again, as a forger would. */
function rechain(events: readonly JsonObject[], from: number): readonly JsonObject[] {
  let previous: JsonValue = events[from - 2]?.["hash"] ?? "";
  return events.map((event, index) => {
    if (index < from - 1) return event;
    const { hash: _, ...unnumbered } = event;
    const rest = { ...unnumbered, sequence: index + 1, previous };
    const hashed = { ...rest, hash: hashEvent(rest as unknown as Parameters<typeof hashEvent>[0]) };
    previous = hashed.hash;
    return hashed;
  });
}

interface OpenEnvelope {
  readonly payload: string;
  readonly signatures: readonly { readonly sig: string }[];
}

function flipBit(text: string): string {
  const envelope = JSON.parse(text) as OpenEnvelope;
  const sig = envelope.signatures[0]?.sig ?? "";
  const bytes = fromBase64(sig) ?? new Uint8Array(1);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return text.replace(sig, toBase64(bytes));
}

/** The statement says something else, and the signature stays. */
function stateOtherwise(text: string, predicate: JsonObject): string {
  const { payload } = JSON.parse(text) as OpenEnvelope;
  const decoded = new TextDecoder().decode(fromBase64(payload) ?? new Uint8Array());
  const statement = JSON.parse(decoded) as { readonly predicate: JsonObject };
  const other = { ...statement, predicate: { ...statement.predicate, ...predicate } };
  return text.replace(payload, toBase64(new TextEncoder().encode(JSON.stringify(other))));
}
