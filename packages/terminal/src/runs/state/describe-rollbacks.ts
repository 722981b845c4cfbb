/** The rollbacks of a run, the run that it takes back, and its own automatic rollback, in words. */
import type {
  KnownRollback,
  MissingCompensation,
  RollbackHead,
  RollbackProgress,
  TriggeredRollback,
} from "@turnseal/host";
import { countOf } from "../../screen/count-of.ts";
import { describeLeft } from "../../screen/describe-left.ts";
import { shortId } from "../../screen/short-id.ts";

/** The actions that a rollback undoes, and how many are undone by now. */
export type TakesBack = RollbackHead & { readonly progress: RollbackProgress };

/** A rollback of a run, and how much it has taken back by now, where that can be read. */
export interface RolledBack extends KnownRollback {
  readonly progress: RollbackProgress | undefined;
}

/** A rollback that a run asks for by itself; a problem where its loops are not at hand. */
export type Triggered =
  | TriggeredRollback
  | {
      readonly kind: "problem";
      readonly cause: TriggeredRollback["cause"];
      readonly message: string;
    };

/** The run that it undoes, and the rollbacks that undo it. */
export function describeRollbacks(
  takesBack: TakesBack | undefined,
  rollbacks: readonly RolledBack[] = [],
): string[] {
  const to = (turn: number): string => (turn === 0 ? "" : ` to the end of turn ${turn}`);
  const rolled = rollbacks.map(({ run, head, projection, progress }) => {
    const state = projection?.stopped ?? "not ended";
    const far = to(head?.toTurn ?? 0);
    // A rollback that has not acted yet has taken nothing back.
    const stands = `${describeRollback(projection)}${describeProgress(progress)}`;
    if (progress === undefined || progress.takenBack === 0)
      return `a rollback${far} is run ${shortId(run)}: ${stands}`;
    return `rolled back${far} by run ${shortId(run)}: ${state}${describeProgress(progress)}`;
  });
  if (takesBack === undefined) return rolled;
  const { run, toTurn, left, leftBeside = 0, progress } = takesBack;
  const stays = left.length + leftBeside;
  const as = stays === 1 ? "it is" : "they are";
  const kept = stays === 0 ? "" : `; ${countOf(stays, "action")} left as ${as}`;
  const words = `takes back run ${shortId(run)}${to(toTurn)}${describeProgress(progress)}${kept}`;
  return [words, ...rolled];
}

/** The end of a run must not pass for the end of all its actions. */
function describeProgress(progress: RollbackProgress | undefined): string {
  if (progress === undefined) return "";
  const { takenBack, of } = progress;
  if (takenBack === of) return `, ${countOf(of, "action")} taken back`;
  return `, ${of - takenBack} of ${countOf(of, "action")} not taken back`;
}

/** The state of its automatic rollback, and the next step. */
export function describeTriggered(
  triggered: Triggered | undefined,
  run: string,
  rollbacks: readonly RolledBack[] = [],
): string[] {
  if (triggered === undefined) return [];
  const none = `no rollback is asked for on ${triggered.cause}`;
  switch (triggered.kind) {
    case "asked": {
      const { run: id, projection } = triggered.rollback;
      const next = projection === undefined ? `resume ${shortId(run)}` : `inbox ${shortId(id)}`;
      const isOpen = (projection?.stopped ?? null) === null;
      const words = `its rollback is asked for on ${triggered.cause}: run ${shortId(id)}`;
      const progress = rollbacks.find((each) => each.run === id)?.progress;
      const stands = `${describeRollback(projection)}${describeProgress(progress)}`;
      return [`${words}, ${stands}`, ...(isOpen ? [`next: turnseal ${next}`] : [])];
    }
    case "nothing":
      return [`${none}: there is nothing that could be taken back`];
    case "owed":
      return triggered.lacks === undefined
        ? [`${none} yet`, `next: turnseal resume ${shortId(run)}`]
        : describeLacks(`${none} yet`, triggered.lacks, run);
    case "refused":
      return [
        `${none}: ${triggered.message}`,
        `next: turnseal rollback ${shortId(run)}  (says what to do)`,
      ];
    case "problem":
      return [`${none}, and whether one can be is not known here: ${triggered.message}`];
  }
}

/** The most lacks of a worker that are named. */
const LACKS_NAMED_MAX = 3;

/** That another worker is to ask for it, which has what takes everything back. */
function describeLacks(
  words: string,
  lacks: readonly MissingCompensation[],
  run: string,
): string[] {
  const named = lacks.slice(0, LACKS_NAMED_MAX);
  const more = lacks.length > named.length ? `, and ${lacks.length - named.length} more` : "";
  const reasons = named.map(
    ({ tool, loop, version, why }) =>
      `${describeLeft(why, undefined)} (${loop} ${version}, for ${tool})`,
  );
  const loops = [...new Set(named.map(({ loop, version }) => `${loop} ${version}`))].join(", ");
  return [
    `${words}: ${reasons.join("; ")}${more}`,
    `next: start a worker that has ${loops}${more}, then turnseal resume ${shortId(run)}`,
    `  or: turnseal rollback ${shortId(run)}  (leaves what cannot be taken back here)`,
  ];
}

/** The state of a rollback: one that has ended may have undone nothing. */
export function describeRollback(projection: KnownRollback["projection"]): string {
  if (projection === undefined) return "not begun";
  const { stopped, openTurn } = projection;
  if (stopped === "approval-rejected") return "rejected";
  if (stopped !== null) return `ended as ${stopped}`;
  const [asked] = openTurn?.asked ?? [];
  if (asked === undefined) return "not ended";
  return asked.kind === "approval" ? "waits for approval" : "waits for an answer";
}

/** The same for programs. */
export function toJsonTriggered(triggered: Triggered | undefined): object {
  if (triggered === undefined) return {};
  const { cause, kind } = triggered;
  const run = triggered.kind === "asked" ? { run: triggered.rollback.run } : {};
  const message = "message" in triggered ? { message: triggered.message } : {};
  const lacks = "lacks" in triggered ? { lacks: triggered.lacks } : {};
  return { triggered: { cause, kind, ...run, ...message, ...lacks } };
}
