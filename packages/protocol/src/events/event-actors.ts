/** The actors that cause an event of each type (spec/events.md §3.12). */
import type { ACTOR_KINDS } from "../actor.ts";
import type { LogEventType } from "./event-types.ts";

type ActorKind = (typeof ACTOR_KINDS)[number];

/** One list for each form of the content, in the order of the forms. Without a list: the kernel. */
export const EVENT_ACTORS: Readonly<
  Partial<Record<LogEventType, readonly (readonly ActorKind[])[]>>
> = {
  "run.started": [["host", "person", "run"]],
  "run.decided": [["host"]],
  "run.blocked": [["host"]],
  "run.stopped": [["host"]],
  "run.resolved": [["person"]],
  "signal.received": [
    ["person", "host"],
    ["person", "run"],
    ["person"],
    ["person"],
    ["person", "run"],
  ],
  "turn.resumed": [["host"]],
  "action.settled": [["kernel"], ["kernel"], ["run", "host"]],
  "action.resolved": [["kernel", "person"]],
  "approval.decided": [["person"]],
  "question.answered": [["person", "agent"]],
  "drift.reconciled": [["person"]],
  "artifact.adopted": [["person"]],
};
