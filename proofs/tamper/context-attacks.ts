/**
 * Attacks on the recorded context of a model, without the signer's knowledge: on entries, numbers,
 * left-out parts, the thread, and the end of the thread. All hashes are correct again.
 */
import { hashEvent, isPlainObject, type JsonObject, type RawEvent } from "@turnseal/protocol";
import { makeTalkedRun } from "../vectors/broken-threads.ts";
import { createSeededSigner } from "../vectors/demo-signer.ts";
import type { Attack, Attempt, SealedRun } from "./attack.ts";

/** A chat of four turns in one thread, as the vectors have it before they break it. */
export async function readTalkedRun(): Promise<SealedRun> {
  const bundle = await makeTalkedRun();
  const sealedUntil = bundle.events.findLast(({ type }) => type === "turn.closed")?.sequence ?? 0;
  return { bundle, keys: [createSeededSigner().publicKey], sealedUntil };
}

const OTHER = `hmac-sha256:${"0".repeat(64)}`;

/** One field of what a claim says that its model was shown. */
const ofClaim: readonly ((context: JsonObject) => JsonObject | undefined)[] = [
  (context) => ({ ...context, added: withFirst(context["added"], { digest: OTHER }) }),
  (context) => ({ ...context, added: withFirst(context["added"], { role: "system" }) }),
  (context) => ({ ...context, added: [] }),
  (context) => ({ ...context, previous: OTHER }),
  (context) => ({ ...context, at: Number(context["at"]) + 1 }),
  (context) => ({ ...context, thread: "another" }),
  ({ thread: _, ...context }) => context,
  ({ shown, ...context }) => (shown === undefined ? undefined : context),
  (context) =>
    isPlainObject(context["shown"])
      ? { ...context, shown: { ...context["shown"], from: 2 } }
      : { ...context, shown: { head: [], kept: [], from: 1 } },
];

/** One field of what the end of a turn says of a thread. */
const ofEnd: readonly ((end: JsonObject) => JsonObject)[] = [
  (end) => ({ ...end, head: OTHER }),
  (end) => ({ ...end, at: Number(end["at"]) + 1 }),
  (end) => ({ ...end, added: [] }),
  (end) => ({ ...end, thread: "another" }),
  (end) => ({ ...end, since: 1, ratio: 4_000 }),
];

function withFirst(added: unknown, change: JsonObject): JsonObject[] {
  const [first, ...others] = added as readonly JsonObject[];
  return [{ ...first, ...change }, ...others];
}

export function attackContext(run: SealedRun): Attack {
  return {
    name: "exchange what a model was shown",
    codes: ["RECEIPT_MISMATCH"],
    attempts: exchangeContexts(run),
  };
}

function* exchangeContexts({ bundle, keys, sealedUntil }: SealedRun): Iterable<Attempt> {
  const events = bundle.events as unknown as readonly RawEvent[];
  for (const [index, event] of events.slice(0, sealedUntil).entries())
    for (const content of listForgeries(event))
      yield { bundle: { ...bundle, events: rewrite(events, index, content) }, keys };
}

function* listForgeries({ type, content }: RawEvent): Iterable<JsonObject> {
  const { context, threads } = content;
  if (type === "action.claimed" && isPlainObject(context))
    for (const change of ofClaim) {
      const changed = change(context as JsonObject);
      if (changed !== undefined) yield { ...content, context: changed };
    }
  if (type === "turn.closed" && Array.isArray(threads))
    for (const change of ofEnd) yield { ...content, threads: threads.map(change as never) };
}

/** The log with another content of one event, and with every hash that follows from it. */
function rewrite(events: readonly RawEvent[], index: number, content: JsonObject): RawEvent[] {
  let previous = events[index]?.previous ?? "";
  return events.map((event, place) => {
    if (place < index) return event;
    const changed = { ...event, ...(place === index ? { content } : {}), previous };
    previous = hashEvent(changed);
    return { ...changed, hash: previous };
  });
}
