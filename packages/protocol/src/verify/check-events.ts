/**
 * Checks foreign events (spec/receipt.md §6.2), up to the first fault: the schema of its type
 * refuses it, the chain breaks, or the grammar has no place for it.
 */
import type { LoopEvent } from "../events/event.ts";
import { parseEvent } from "../events/parse-event.ts";
import { createAcceptor } from "../grammar/accept-events.ts";
import { checkChain, EMPTY_HEAD } from "../log/chain.ts";
import { type RawEvent, toRaw } from "../log/raw-event.ts";
import { type Finding, finding } from "./finding.ts";
import { renderCanonically } from "./render-canonically.ts";

export type CheckedEvents =
  | { readonly kind: "intact"; readonly events: readonly RawEvent[] }
  | { readonly kind: "broken"; readonly fault: Finding };

/** Checks the events of a run, and their chain, from the first. */
export function checkEvents(run: string, values: readonly unknown[]): CheckedEvents {
  const events: LoopEvent[] = [];
  let wrong = "event";
  for (const value of values) {
    const parsed = parseEvent(value);
    if (parsed.kind === "refused") wrong = parsed.where;
    // A text with half a character in it parses, and has no hash.
    if (parsed.kind === "refused" || renderCanonically(value) === undefined) break;
    events.push(parsed.event);
  }
  const chain = checkChain(run, EMPTY_HEAD, events);
  const linked = chain.kind === "broken" ? events.slice(0, chain.sequence - 1) : events;
  const refused = findRefused(linked);
  if (refused !== undefined) return broken(refused);
  if (chain.kind === "broken") {
    const { code, sequence } = chain;
    return broken(finding(code, `event ${sequence} does not belong`, { sequence }));
  }
  if (events.length === values.length) return { kind: "intact", events: events.map(toRaw) };
  const sequence = events.length + 1;
  const message = `event ${sequence} is malformed: ${nameField(wrong)}`;
  return broken(finding("EVENT_MALFORMED", message, { sequence }));
}

/** The first event that no kernel writes where it stands. */
function findRefused(events: readonly LoopEvent[]): Finding | undefined {
  const acceptor = createAcceptor();
  for (const event of events) {
    const rule = acceptor.accept(event);
    if (rule === undefined) continue;
    const { sequence, turn } = event;
    const place = turn === undefined ? { sequence } : { sequence, turn };
    return finding(
      rule.code,
      `event ${sequence} breaks the rule \`${rule.name}\`: ${rule.says}`,
      place,
    );
  }
  return undefined;
}

function broken(fault: Finding): CheckedEvents {
  return { kind: "broken", fault };
}

/** Names a field of ours; the names of others are text of what is verified. */
function nameField(where: string): string {
  return /^[A-Za-z]{1,20}(\.[A-Za-z]{1,20})?$/.test(where)
    ? `see \`${where}\``
    : "an unknown field";
}
