/** Decides whether there is a next turn, and records it before anything follows from it. */

import type { RunProjection, StopDecision } from "@turnseal/folds";
import type { Actor } from "@turnseal/protocol";
import type { Progress } from "../decide/advanced.ts";
import { meetsGoal } from "../decide/decide-next.ts";
import { decideStop } from "../decide/decide-stop.ts";
import { findAwaited } from "../state/find-awaited.ts";
import type { HeldRun } from "../state/held-run.ts";
import type { UnbegunEnd } from "./find-end.ts";
import type { FindLimit } from "./find-limit.ts";
import { findBlock, findSignerBlock } from "./run-next-turn.ts";

const host: Actor = { kind: "host", id: "host" };

interface DecisionOptions {
  readonly onProgress: (progress: Progress) => void;
  /** True when another step goes on: it decides again, and says so with what it begins. */
  readonly isOver: boolean;
  /** The receipt of the last turn, if this step has stored it: that saves a read. */
  readonly sealed: string | undefined;
  /** Finds the limit that keeps the next turn from beginning. Without it there is none. */
  readonly findLimit?: FindLimit;
  /** Why the first turn is sealed without an action: that needs neither its loops nor a limit. */
  readonly end?: UnbegunEnd | undefined;
  /** True when the run only ends: what its last turn gave is not looked at. */
  readonly isEnding?: boolean;
}

/** Records the decision after a turn, and stops the run if that is what it is. */
export async function decideAfterTurn(
  held: HeldRun,
  { onProgress, isOver, sealed, findLimit, end, isEnding = false }: DecisionOptions,
): Promise<StopDecision> {
  const { appender, projection, stores, clock } = held;
  const run = projection();
  const last = run.lastTurn;
  const receipt =
    sealed ?? (last === null ? undefined : (await stores.receipts.read(run.run, last.turn))?.id);
  const given = isEnding ? null : (last?.output ?? null);
  const output = given === null ? undefined : await appender.content.read(given);
  const decision = decideStop(run, {
    nowMs: Math.max(clock.now(), appender.lastMs()),
    hasReceipt: last === null || receipt !== undefined,
    isGoalReached:
      last?.outcome === "completed" &&
      output !== undefined &&
      meetsGoal(run.spec?.bounds ?? {}, output),
  });
  // The next step, or a worker that has what this one lacks, begins the turn and records the
  // decision.
  const findLack = end === undefined ? () => findBlock(held, []) : () => findSignerBlock(held);
  const isLeft = isOver || (await findLack()) !== undefined;
  const isLimited = async () => end === undefined && (await findLimit?.()) !== undefined;
  if (decision.kind === "continue" && (isLeft || (await isLimited()))) return decision;
  // The record of the turn says so already.
  if (decision.reason === "retry-later") return decision;
  const isRecorded = isDecidedSo(decision, run);
  if (!isRecorded) {
    const signal =
      decision.reason === "signal-received" ? await findAwaited(run, stores.log) : undefined;
    appender.push(() => ({
      type: "run.decided",
      actor: host,
      content: {
        decision: decision.kind,
        reason: decision.reason,
        receipt: receipt ?? null,
        ...(signal === undefined ? {} : { signal }),
        ...("until" in decision ? { until: decision.until } : {}),
      },
    }));
  }
  if (decision.kind === "stop") {
    appender.push(() => ({
      type: "run.stopped",
      actor: host,
      content: { reason: decision.reason },
    }));
    await appender.flush();
    onProgress({ kind: "stopped", reason: decision.reason, projection: projection() });
  }
  return decision;
}

/** True when the log says so already. */
function isDecidedSo(
  { kind, reason }: StopDecision,
  { awaited, lastTurn }: RunProjection,
): boolean {
  if (kind !== "wait") return lastTurn?.isDecided === true;
  return reason === "provider-awaited"
    ? lastTurn?.outage?.isWaited === true
    : awaited?.isWaiting === true;
}
