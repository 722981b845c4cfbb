/** Changes that an attacker can make in an export, with the key and without it. */
import {
  canonicalize,
  hashEvent,
  hmacSha256Hex,
  isPlainObject,
  type JsonObject,
  type RawEvent,
} from "@turnseal/protocol";
import { fromBase64, type PublicKey, toBase64 } from "@turnseal/protocol/receipts";
import type { Random } from "../fuzz/random.ts";
import type { Case } from "../tamper/verify-case.ts";
import { createSeededSigner } from "../vectors/demo-signer.ts";
import { signAgain } from "../vectors/family.ts";
import { chainEvents, type MadeRun } from "../vectors/seal-events.ts";
import { spoilForm, spoilSignature } from "../vectors/spoiled-envelopes.ts";
import { signedBy } from "../vectors/spoiled-keys.ts";
import { spoilStatement } from "../vectors/spoiled-statements.ts";
import { ODD_VALUES } from "./spoil-drafts.ts";

type Input = Case & { readonly bundle: MadeRun };
type Spoil = (input: Input, random: Random) => Case;

/** Another bundle in the place of one. */
const bundle =
  (change: (run: MadeRun, random: Random) => unknown): Spoil =>
  (input, random) => ({ ...input, bundle: change(input.bundle, random) });

/** One receipt in another form, or with another text. */
const receipt = (change: (text: string, random: Random) => string): Spoil =>
  bundle((run, random) => {
    const index = random.below(run.receipts.length);
    const text = run.receipts[index];
    if (text === undefined) return run;
    return { ...run, receipts: run.receipts.with(index, change(text, random)) };
  });

const event = (change: (fields: JsonObject, random: Random) => unknown): Spoil =>
  bundle((run, random) => {
    const index = random.below(run.events.length);
    const events: readonly unknown[] = run.events;
    return { ...run, events: events.with(index, change(events[index] as JsonObject, random)) };
  });

const setField = (fields: JsonObject, random: Random): JsonObject => ({
  ...fields,
  [random.pick(Object.keys(fields))]: random.pick(ODD_VALUES),
});

function dropField(fields: JsonObject, random: Random): JsonObject {
  const name = random.pick(Object.keys(fields));
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

function flip(text: string, random: Random): string {
  const place = random.below(text.length);
  const flipped = String.fromCharCode(text.charCodeAt(place) ^ (1 << random.below(7)));
  return text.slice(0, place) + flipped + text.slice(place + 1);
}

/** The statement says something else, and is signed again. */
function restate(text: string, random: Random): string {
  const statement: unknown = JSON.parse(
    new TextDecoder().decode(fromBase64(JSON.parse(text).payload)),
  );
  const predicate = isPlainObject(statement) ? (statement["predicate"] as JsonObject) : {};
  const name = random.pick(Object.keys(predicate));
  const value = random.pick(ODD_VALUES);
  return isSignable(value) ? signAgain(text, { [name]: value }).text : text;
}

/** What has no canonical form cannot be signed. */
function isSignable(value: unknown): boolean {
  try {
    return canonicalize({ statement: { predicate: value } }) !== "";
  } catch {
    return false;
  }
}

const keys =
  (change: (key: PublicKey) => readonly PublicKey[]): Spoil =>
  (input) => ({ ...input, keys: input.keys.flatMap(change) });

const stranger = createSeededSigner(9);
const [NOT_YET, LONG_AGO] = ["2040-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z"];

/** The run with content. Either all of it fits, or not. */
function addContent(run: MadeRun, random: Random): unknown {
  const secret = new Uint8Array(32).fill(random.below(256));
  const bytes = new TextEncoder().encode("content");
  const digest = `hmac-sha256:${hmacSha256Hex(secret, bytes)}`;
  const text = random.next() < 0.5 ? toBase64(bytes) : random.pick(["AAAA", "", "A", 1, null]);
  const key = random.next() < 0.8 ? toBase64(secret) : random.pick(["AAAA", "", "?"]);
  return { ...run, content: { key, blobs: { [digest]: text } } };
}

const shapes: readonly unknown[] = [null, [], "run", 1, {}, { run: "x", events: [], receipts: [] }];

export const BUNDLE_SPOILS: readonly Spoil[] = [
  receipt(flip),
  receipt((text) => text.slice(0, -2)),
  receipt((text, random) => random.pick(spoilForm(text)).receipt),
  receipt((text, random) => random.pick(spoilSignature(text)).receipt),
  receipt((text, random) => random.pick(spoilStatement(text)).receipt),
  receipt(restate),
  receipt(restate),
  receipt((text) => `${text}\n`),
  bundle((run, random) => ({ ...run, receipts: run.receipts.toSpliced(random.below(3), 1) })),
  bundle((run) => ({ ...run, receipts: [...run.receipts, ...run.receipts.slice(0, 1)] })),
  bundle((run) => ({ ...run, receipts: run.receipts.toReversed() })),
  bundle((run) => ({ ...run, receipts: [] })),
  bundle((run) => ({ ...run, run: "another" })),
  bundle((run) => ({
    ...run,
    events: chainEvents(run.events.map((one) => ({ ...one, run: "b" }))),
  })),
  bundle((run, random) => ({
    ...run,
    events: run.events.slice(0, random.below(run.events.length)),
  })),
  bundle((run, random) => ({
    ...run,
    events: run.events.toSpliced(random.below(run.events.length), 1),
  })),
  bundle((run, random) => {
    const index = random.below(run.events.length);
    const changed = { ...run.events[index], id: "changed" };
    // Everything after it is chained again, without the key.
    return { ...run, events: chainEvents(run.events.with(index, changed as never)) };
  }),
  bundle((_, random) => random.pick(shapes)),
  bundle((run, random) => setField(run as unknown as JsonObject, random)),
  bundle(addContent),
  bundle(addContent),
  event(setField),
  event((fields) => ({ ...fields, content: { forged: true } })),
  event((fields, random) => ({ ...fields, epoch: random.below(3) })),
  event((fields) => rehash({ ...fields, content: { forged: true } })),
  event((fields) => ({ ...fields, id: "changed" })),
  event((fields) => rehash({ ...fields, id: "changed" })),
  event(dropField),
  event((_, random) => random.pick(ODD_VALUES)),
  keys(() => []),
  keys(() => [stranger.publicKey]),
  keys((key) => [{ ...key, x: stranger.publicKey.x }]),
  keys((key) => [{ ...key, issuer: "ci" }]),
  keys((key) => [{ ...key, validFrom: NOT_YET }]),
  keys((key) => [{ ...key, validUntil: LONG_AGO }]),
  (input) => ({ ...input, production: true }),
  (input) => ({
    ...input,
    ...{ keys: [stranger.publicKey], production: true, bundle: signedBy(input.bundle, 9) },
  }),
];

/** The event with the hash that it should have: the next one no longer follows. */
function rehash(fields: JsonObject): JsonObject {
  return { ...fields, hash: hashEvent(fields as unknown as RawEvent) };
}

/** A receipt one byte larger than one may be. */
export function makeHugeReceipt(): string {
  return canonicalize({ payload: "A".repeat(10 * 1024 * 1024), payloadType: "", signatures: [] });
}
