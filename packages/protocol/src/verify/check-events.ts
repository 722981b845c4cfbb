/**
 * Reads foreign events, up to the first that is not one or does not follow (spec/receipt.md §6).
 */
import { isPlainObject } from "../canonical-json.ts";
import { isInstant } from "../instant.ts";
import { checkChain, EMPTY_HEAD } from "../log/chain.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { hasFields, isCount, isText } from "../shape.ts";
import { type Finding, finding } from "./finding.ts";
import { renderCanonically } from "./render-canonically.ts";

export type CheckedEvents =
  | { readonly kind: "intact"; readonly events: readonly RawEvent[] }
  | { readonly kind: "broken"; readonly fault: Finding };

/** Checks the chain of a run from its first event. */
export function checkEvents(run: string, values: readonly unknown[]): CheckedEvents {
  const events: RawEvent[] = [];
  for (const value of values) {
    if (!isLoopEvent(value)) break;
    events.push(value);
  }
  const chain = checkChain(run, EMPTY_HEAD, events);
  if (chain.kind === "broken") {
    const { code, sequence } = chain;
    return broken(finding(code, `event ${sequence} does not belong`, { sequence }));
  }
  if (events.length === values.length) return { kind: "intact", events };
  const sequence = events.length + 1;
  return broken(finding("EVENT_MALFORMED", `event ${sequence} is not an event`, { sequence }));
}

function broken(fault: Finding): CheckedEvents {
  return { kind: "broken", fault };
}

const hasEventFields = hasFields(
  {
    id: isText,
    run: isText,
    sequence: isCount,
    epoch: isCount,
    type: isText,
    at: isInstant,
    actor: hasFields({ kind: isText, id: isText }),
    content: isPlainObject,
    previous: isText,
    hash: isText,
  },
  { turn: isCount, call: isText, parentCall: isText },
);

/** True for an event that can be hashed. */
function isLoopEvent(value: unknown): value is RawEvent {
  return hasEventFields(value) && renderCanonically(value) !== undefined;
}
