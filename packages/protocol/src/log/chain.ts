/**
 * The chain of a log (spec/log.md).
 *
 * 1. `sequence` counts from one without gaps. `previous` is the hash of the event before, empty for
 *    the first.
 * 2. `hash` is the SHA-256 of the canonical event without `hash`. The epoch is inside, so two
 *    writers never make equal hashes.
 */
import { CanonicalJsonError, canonicalize } from "../canonical-json.ts";
import { sha256Hex } from "../sha256.ts";

/** The fields of an event that its place in the chain follows from. */
export interface Link {
  readonly run: string;
  readonly sequence: number;
  readonly epoch: number;
  readonly previous: string;
  readonly hash: string;
}

/** The hash that an event must carry. */
export function hashEvent(event: Omit<Link, "hash"> & { readonly hash?: string }): string {
  return sha256Hex(canonicalize(Object.hasOwn(event, "hash") ? withoutHash(event) : event));
}

function withoutHash({ hash: _, ...event }: Partial<Link>): Partial<Link> {
  return event;
}

/** Where a chain stands: the last event's number and hash. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
}

export const EMPTY_HEAD: Head = { sequence: 0, hash: "" };

export type ChainFault =
  | { readonly kind: "intact"; readonly head: Head }
  | {
      readonly kind: "broken";
      readonly sequence: number;
      readonly code: "CHAIN_GAP" | "CHAIN_PREVIOUS" | "CHAIN_HASH" | "CHAIN_RUN" | "CHAIN_EPOCH";
    };

/** Follows a chain from `head` and names the first event that does not belong. */
export function checkChain(run: string, head: Head, events: readonly Link[]): ChainFault {
  let { sequence, hash } = head;
  // Epochs count from one. That of the head is not known, so the first event is held to that alone.
  let epoch = 1;
  for (const event of events) {
    const expected = sequence + 1;
    const broken = (code: Extract<ChainFault, { kind: "broken" }>["code"]): ChainFault => ({
      kind: "broken",
      sequence: expected,
      code,
    });
    if (event.run !== run) return broken("CHAIN_RUN");
    if (event.sequence !== expected) return broken("CHAIN_GAP");
    if (event.previous !== hash) return broken("CHAIN_PREVIOUS");
    if (event.epoch < epoch) return broken("CHAIN_EPOCH");
    if (!hasItsHash(event)) return broken("CHAIN_HASH");
    ({ sequence, hash, epoch } = event);
  }
  return { kind: "intact", head: { sequence, hash } };
}

/** An event of a stranger may hold what has no canonical form: then it has no hash either. */
function hasItsHash(event: Link): boolean {
  try {
    return hashEvent(event) === event.hash;
  } catch (error) {
    if (error instanceof CanonicalJsonError) return false;
    throw error;
  }
}
