/**
 * Runs before they are numbered and chained. References between events (number, hash) are links, so
 * that events can be moved, dropped and changed, and still name each other.
 */
import type { JsonObject, RawEvent } from "@turnseal/protocol";

export interface Draft extends Pick<RawEvent, "type" | "at" | "actor" | "epoch"> {
  readonly id: string;
  readonly turn?: number;
  readonly call?: string;
  readonly parentCall?: string;
  readonly content: JsonObject;
  /** By the name of a field, with dots: which event it names, and by what. */
  readonly links?: Readonly<Record<string, Link>>;
  /** A settlement: the run whose end it tells. */
  readonly child?: string;
}

/** The name of a receipt that nobody has made. */
export const FORGED = `sha256:${"0".repeat(64)}`;

export interface Link {
  readonly of: string;
  readonly as: "sequence" | "hash" | "trigger" | "claim";
}

export interface RunDraft {
  readonly run: string;
  readonly events: readonly Draft[];
}

/** Runs that started each other; the first has no parent. */
export type TreeDraft = readonly RunDraft[];

/** The same tree, with other events in one run. */
export function changeRun(
  tree: TreeDraft,
  index: number,
  change: (events: readonly Draft[]) => readonly Draft[],
): TreeDraft {
  return tree.map((run, place) => (place === index ? { ...run, events: change(run.events) } : run));
}

export function changeContent(draft: Draft, fields: JsonObject): Draft {
  return { ...draft, content: { ...draft.content, ...fields } };
}
