/**
 * The appends of one run that moves its plans, from any state of its log. The next one follows from
 * the seed and the log alone.
 */
import { keepGraph } from "@turnseal/folds/graph";
import type { Append, Stores } from "@turnseal/ports";
import { sampleBlob, sampleReceipt } from "@turnseal/ports/contracts";
import type { LoopEvent } from "@turnseal/protocol";
import { createRandom, type Random } from "../simulate/random.ts";
import type { GraphStores } from "./open-stores.ts";
import { drawEvent } from "./random-events.ts";

/** Everything that an append can write. */
export type CrashedStores = Stores & GraphStores;

export interface Transitions {
  readonly events: readonly LoopEvent[];
  /** The next append: events that no rule refuses, with all that a turn writes beside them. */
  next(): Append;
}

/** The most events of one append. */
export const EVENTS_MAX = 3;

/** The text of the append that ends with an event. */
export function contentAfter(sequence: number): string {
  return `content of event ${sequence}`;
}

/** Takes the run over, as a host does: nobody who had it before can append any more. */
export async function openTransitions(
  { log, graphs }: CrashedStores,
  { run, seed }: { readonly run: string; readonly seed: number },
): Promise<Transitions> {
  const { epoch, head } = await log.takeEpoch(run);
  const events = [...(await log.read(run, 1))];
  const isCurrent = (await graphs.readSequence(run)) === head.sequence;
  const keeper = keepGraph(run, isCurrent ? head.sequence : 0);
  for (const event of events) keeper.follow(event);
  const draw = (random: Random): LoopEvent => {
    for (;;) {
      const event = drawEvent({ random, run, epoch, events });
      if (keeper.take(event) === undefined) return event;
    }
  };
  return {
    events,
    next: () => {
      const last = events.at(-1);
      const after = { sequence: last?.sequence ?? 0, hash: last?.hash ?? head.hash };
      const random = createRandom(seed * 10_000 + events.length);
      const count = random.between(1, EVENTS_MAX);
      const drawn: LoopEvent[] = [];
      // A turn is closed by the last event of an append, with its receipt.
      while (drawn.length < count && drawn.at(-1)?.type !== "turn.closed") {
        const event = draw(random);
        drawn.push(event);
        events.push(event);
      }
      return {
        ...{ run, epoch, after, events: drawn, consumed: [], graph: keeper.write() },
        ...{ blobs: [sampleBlob(contentAfter(events.length))] },
        ...{ snapshot: { run, sequence: events.length, state: {} } },
        ...receiptOf(drawn.at(-1)),
      };
    },
  };
}

function receiptOf(last: LoopEvent | undefined): Pick<Append, "receipt"> {
  if (last?.type !== "turn.closed" || last.turn === undefined) return {};
  return { receipt: sampleReceipt(last.turn, last.run) };
}
