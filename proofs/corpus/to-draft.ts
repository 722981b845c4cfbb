import type { JsonValue, RawEvent } from "@turnseal/protocol";
import type { MadeRun } from "../vectors/seal-events.ts";
import type { Draft, Link, RunDraft } from "./draft.ts";

/** A finished run as drafts, in which events name each other by links again. */
export function toDraft({ run, events }: MadeRun): RunDraft {
  return { run, events: events.map((event) => draftEvent(event, events)) };
}

const numbers = ["claim", "approval", "question", "supersedes"];

function draftEvent(event: RawEvent, events: readonly RawEvent[]): Draft {
  const { run: _, sequence: __, previous: ___, hash: ____, ...draft } = event;
  const { claim, approval, question, claimHash, hash, trigger } = event.content;
  const byNumber = (value: JsonValue | undefined): RawEvent | undefined =>
    typeof value === "number" ? events[value - 1] : undefined;
  const byHash = (value: JsonValue | undefined): RawEvent | undefined =>
    events.find((other) => other.hash === value);
  const links: Record<string, Link> = {};
  const link = (field: string, of: RawEvent | undefined, as: Link["as"]): void => {
    if (of !== undefined) links[field] = { of: of.id, as };
  };
  for (const name of numbers) link(name, byNumber(event.content[name]), "sequence");
  if (hash !== undefined) link("hash", byNumber(approval ?? question), "hash");
  if (claimHash !== undefined) link("claimHash", byNumber(claim), "hash");
  if (isObject(trigger)) link("trigger", byHash(trigger["hash"]), "trigger");
  const { signal } = event.content;
  if (isObject(signal)) {
    link("signal.sequence", byNumber(signal["sequence"]), "sequence");
    link("signal.hash", byHash(signal["hash"]), "hash");
  }
  return { ...draft, links };
}

function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
