/**
 * Holds every append against the promises of the runtime: who writes, what follows what, what is
 * sealed, what it costs.
 */
import { applyEvent, emptyProjection, type RunProjection } from "@turnseal/host";
import type { Append } from "@turnseal/ports";
import { type BudgetUnit, canonicalize, committed, type LoopEvent } from "@turnseal/protocol";
import type { Attempt } from "./attempt.ts";
import type { Promises } from "./fault.ts";
import type { Outside } from "./outside.ts";
import { type ClaimWatch, type WatchOptions, watchClaims } from "./watch-claims.ts";

export interface LogWatch extends Omit<ClaimWatch, "onEvent"> {
  projection(): RunProjection;
  events(): readonly LoopEvent[];
  /** True when the receipt of a turn is in the store. */
  isSealed(turn: number): boolean;
  /** An append that the store has taken. */
  onAppend(attempt: Attempt, append: Append, ownerEpoch: number): void;
  /** What must hold between any two steps. */
  checkStep(): void;
}

export function watchLog(run: string, options: WatchOptions): LogWatch {
  const { outside, tally, promises } = options;
  const { onEvent: follow, ...claims } = watchClaims(options);
  let projection = emptyProjection(run);
  const events: LoopEvent[] = [];
  const sealed = new Set<number>();

  const onEvent = (event: LoopEvent): void => {
    const { type, content, sequence, previous } = event;
    const isNext = sequence === projection.sequence + 1 && previous === projection.hash;
    promises.hold(isNext, "I3: the chain is broken");
    promises.hold(projection.stopped === null, `event ${sequence} follows the end of the run`);
    const before = projection;
    projection = applyEvent(projection, event);
    follow(event, before, projection);
    if (type === "turn.closed")
      for (const _ of before.openTurn?.open ?? []) tally.count("fate open-at-close");
    if (type === "run.stopped") tally.count(`stop ${content["reason"]}`);
  };

  return {
    ...claims,
    projection: () => projection,
    events: () => events,
    isSealed: (turn) => sealed.has(turn),
    onTool: (tool, request, nowMs) => {
      claims.onTool(tool, request, nowMs);
      const granted = projection.spec?.grant.tools ?? [];
      promises.hold(granted.includes(tool), `I11: ${tool} acts and is not granted`);
    },
    onAppend: (attempt, append, ownerEpoch) => {
      const { epoch, events: added, receipt, snapshot, after } = append;
      const isOwner = epoch === ownerEpoch && attempt.epoch === epoch;
      promises.hold(isOwner, `I3: epoch ${epoch} appends, and epoch ${ownerEpoch} owns the run`);
      promises.hold(after.hash === projection.hash, "I3: an append follows another head");
      for (const event of added) onEvent(event);
      events.push(...added);
      if (receipt !== undefined) sealed.add(receipt.turn);
      const closed = added.find(({ type }) => type === "turn.closed");
      const isWhole = closed?.turn === receipt?.turn;
      promises.hold(isWhole, "I4: a turn is closed and sealed in one append");
      const isFold =
        closed === undefined || canonicalize(snapshot?.state) === canonicalize(projection);
      promises.hold(isFold, "I7: a snapshot is not the fold of the events");
    },
    checkStep: () => checkInvoice(promises, projection, outside),
  };
}

const invoiced: readonly BudgetUnit[] = [
  "modelCalls",
  "inputTokens",
  "outputTokens",
  "moneyMicros",
  "effects",
];

function checkInvoice(promises: Promises, { spending }: RunProjection, outside: Outside): void {
  const total = committed(spending);
  const invoice = outside.invoice();
  const short = invoiced.find((unit) => (invoice[unit] ?? 0) > (total[unit] ?? 0));
  promises.hold(short === undefined, `the invoice for ${short} is higher than what is committed`);
}
