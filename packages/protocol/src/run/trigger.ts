/** The event and the people that set a turn going (spec/run.md §3.7, spec/approval.md §9.2). */
import type { Actor } from "../actor.ts";

/** The event that set a turn going: the start of its run, or a signal. */
export interface Trigger {
  readonly type: string;
  readonly sequence: number;
  readonly hash: string;
  readonly by: Actor;
}

interface TriggerEvent extends Omit<Trigger, "by"> {
  readonly actor: Actor;
}

/** An event as the turn that it sets going names it. */
export function describeTrigger({ type, sequence, hash, actor }: TriggerEvent): Trigger {
  return { type, sequence, hash, by: { kind: actor.kind, id: actor.id } };
}

export interface SetGoing {
  /** For a run that was handed to: the starters of the turn that hands to it. */
  readonly above: readonly string[];
  /** The starter of the run. */
  readonly startedBy: Actor | null;
  readonly trigger: Trigger | null;
}

/** The people who set a turn going, by id, each once. */
export function listStarters({ above, startedBy, trigger }: SetGoing): string[] {
  const people = [startedBy, trigger?.by].flatMap((actor) =>
    actor?.kind === "person" ? [actor.id] : [],
  );
  return [...new Set([...above, ...people])];
}
