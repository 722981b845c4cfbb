/**
 * The plans of a turn: proposed before any step begins, decided once, and closed with the call that
 * carries them out (spec/plan.md).
 *
 * 1. Every fact about a plan is an event. A resume makes the same events again, except for builds
 *    of tools and their compensations: those stay as they were proposed.
 * 2. Only an approved plan is closed: no step of any other has begun.
 */
import {
  type ContentOf,
  type EventOf,
  findExactInput,
  invariant,
  type JsonObject,
  type LoopEvent,
  type PlanDecision,
  type PlanEnd,
  type PlanEventType,
} from "@turnseal/protocol";
import { type Appender, type EventDraft, toReference } from "../log/appender.ts";
import type { Failed, Outcome } from "../outcome.ts";
import { awaitReplay } from "../resume/await-replay.ts";
import { type Frame, follow } from "../resume/frame.ts";
import { checkSame, type RecordedTurn } from "../resume/recorded-turn.ts";

type ProposedStep = ContentOf<"plan.proposed">["steps"][number];

/** A step with the build of its tool, where it is one. */
export type BuiltStep = Omit<ProposedStep, "exact">;

/** A plan that was proposed, by the event that says so. */
export type Proposal = Pick<EventOf<"plan.proposed">, "sequence" | "hash" | "content">;

export interface Plans {
  /**
   * Waits until a plan may be proposed; undefined when the call may do nothing new. Only a new plan
   * is checked for reasons to refuse it: for any other the record has them.
   */
  settle(frame: Frame, refuse: () => Failed | undefined): Promise<Settled | Failed | undefined>;
  propose(frame: Frame, document: JsonObject, steps: readonly BuiltStep[]): Proposal;
  decide(frame: Frame, proposal: Proposal, decision: PlanDecision): void;
  /** The call has ended: so has the plan that it carried out, if it did. */
  close(frame: Frame, outcome: Exclude<Outcome<unknown>, { kind: "paused" }>): void;
}

/** It may be proposed, or was. */
export interface Settled {
  readonly kind: "settled";
}
const SETTLED: Settled = { kind: "settled" };

export interface PlansSources {
  readonly turn: number;
  readonly appender: Appender;
  readonly recorded: RecordedTurn;
}

export function createPlans({ turn, appender, recorded }: PlansSources): Plans {
  /** The approved plans, by the call that carries them out. */
  const open = new Map<string, Pick<ContentOf<"plan.closed">, "plan" | "hash">>();
  const record = (frame: Frame, draft: PlanDraft): LoopEvent => {
    const { call, parentCall } = frame;
    const known = recorded.takeEvent(call, draft.type);
    if (known === undefined) recorded.checkAllTaken();
    else checkSame(withoutCode(known), withoutCode(draft).content);
    const owner = parentCall === undefined ? { turn, call } : { turn, call, parentCall };
    // The draft is of one of the three types, and so is the event.
    const event = known ?? appender.push(() => ({ ...owner, ...draft }) as EventDraft);
    follow(frame, event);
    return event;
  };
  const nameExact = (document: JsonObject, built: BuiltStep, index: number): ProposedStep => {
    const input = findExactInput(document, { index, loop: built.loop });
    return input === undefined ? built : { ...built, exact: appender.content.seal(input).digest };
  };
  return {
    settle: async (frame, refuse) => {
      const refused = recorded.refusalOf(frame.call);
      if (refused !== undefined) return { kind: "error", error: refused };
      if (recorded.hasMore(frame.call)) return SETTLED;
      const isNew = (await awaitReplay({ recorded, frame })) && !frame.branch.isBehind();
      return isNew ? (refuse() ?? SETTLED) : undefined;
    },
    propose: (frame, document, steps) => {
      const blob = appender.content.seal(document);
      const named = steps.map((step, index) => nameExact(document, step, index));
      const content = { document: toReference(blob), steps: named };
      const event = record(frame, { type: "plan.proposed", content, blobs: [blob] });
      invariant(event.type === "plan.proposed", "what was proposed is a proposal");
      return event;
    },
    decide: (frame, { sequence: plan, hash }, decision) => {
      record(frame, { type: "plan.decided", content: { plan, hash, decision } });
      if (decision === "approved") open.set(frame.parentCall ?? "", { plan, hash });
    },
    close: (frame, outcome) => {
      const proposal = open.get(frame.call);
      if (proposal === undefined) return;
      open.delete(frame.call);
      record(frame, { type: "plan.closed", content: { ...proposal, status: statusOf(outcome) } });
    },
  };
}

type PlanDraft = Pick<
  { readonly [Type in PlanEventType]: EventDraft<Type> }[PlanEventType],
  "type" | "content"
> &
  Pick<EventDraft<"plan.proposed">, "blobs">;

/** Drops the parts of an event or a draft that depend on a worker's code of a tool. */
function withoutCode<Said extends LoopEvent | PlanDraft>(said: Said): Said {
  if (said.type !== "plan.proposed") return said;
  const { content } = said as EventOf<"plan.proposed">;
  const steps = content.steps.map(({ path, loop, after, exact }) => ({
    path,
    loop,
    after,
    exact: exact ?? null,
  }));
  return { ...said, content: { ...content, steps } };
}

function statusOf(outcome: Parameters<Plans["close"]>[1]): PlanEnd {
  if (outcome.kind === "ok") return "completed";
  return outcome.error.code === "CANCELLED" ? "cancelled" : "failed";
}
