/** Goes on from what the record says of an action. */
import { type BlobRef, type EventOf, invariant, type PassedFacts } from "@turnseal/protocol";
import type { Appender } from "../log/appender.ts";
import { fail, succeed } from "../outcome.ts";
import { beNew, wasLeftBehind } from "../resume/be-new.ts";
import { drifted, type RecordedAction } from "../resume/recorded-turn.ts";
import type { Answer } from "../step/action.ts";
import { type Ended, ended, type Step } from "../step/step.ts";
import { claimAndAct } from "./claim-and-act.ts";
import { endAction, endUnknown } from "./end-action.ts";
import { keepsDeed } from "./keeps-deed.ts";
import { recoverClaim } from "./recover-claim.ts";

/** Goes on from a claim that is recorded, and was let through then. */
export async function goOn(known: RecordedAction, passing: Step): Promise<Ended> {
  const step: Step = { ...passing, passed: pickPassed(known.claim) };
  const { call, item } = step.frame;
  checkAction(known.claim, step);
  if (known.end?.type === "action.settled") return readSettled(known.end, step);
  if (known.end?.content.resolution === "happened") return readHappened(known.end, step);
  const given = step.recorded.refusalOf(call, item);
  if (given !== undefined) return ended({ kind: "error", error: given });
  const cut = known.end === undefined ? known.unknown?.content.status : undefined;
  if (cut !== undefined && step.recorded.hasMore(call)) {
    // The call went on without waiting to learn what became of it. From an orphan, and from what
    // others left, only a cancel leads on.
    const status = cut === "orphaned" || cut === "withdrawn" ? "cancelled" : cut;
    return ended(endUnknown(status, step.action), known.unknown);
  }
  switch (known.end?.content.resolution) {
    case "abandon":
      // Somebody gave the action up: nothing may follow from it in this turn.
      return ended(fail("CANCELLED", `nobody knows what ${step.action.name} did`));
    case "orphaned":
      await beNew(step);
      return claimAndAct(step);
    case undefined:
      if (step.action.kind === "handoff")
        return ended({ kind: "paused", isAsked: true, isHanded: true });
      if (await wasLeftBehind(step)) return ended({ kind: "paused" });
      await beNew(step);
      return recoverClaim(known, step);
    default:
      await beNew(step);
      // Whoever said that it may be done again has said so of what was there.
      if (!keepsDeed(known.claim, step))
        throw drifted(`event ${known.claim.sequence} claims what the tool now declares otherwise`);
      return claimAndAct(step, { claim: known.claim });
  }
}

/** What a claim says of how it was let through: the one that takes its place says the same. */
export function pickPassed({ content }: EventOf<"action.claimed">): PassedFacts {
  const names = ["approval", "rule", "role", "policy", "excluded", "gate", "planned"];
  return Object.fromEntries(Object.entries(content).filter(([name]) => names.includes(name)));
}

/** That it ended well is all that is asked. */
const UNREAD: Answer = { result: null, facts: { action: "tool" }, spent: {} };

/** The claim must be for the very action that the code asks for now. */
export function checkAction(claim: EventOf<"action.claimed">, { asked }: Step): void {
  if (claim.content.digest === asked.digest) return;
  throw drifted(`event ${claim.sequence} claims another action than the code now asks for`);
}

export async function readSettled(
  event: EventOf<"action.settled">,
  { action, appender }: Step,
): Promise<Ended> {
  const { content } = event;
  if (content.status !== "ok") {
    const reason = await readReason(content.reason, appender);
    // What became of another run is nothing to try again.
    const { retry = "never", failure } = content.action === "handoff" ? {} : content;
    const outcome = endAction(content.status, action, reason);
    return { outcome, retryAdvice: retry, failure, event };
  }
  invariant(content.result !== undefined, "what ended well has a result");
  if (action.isWanted === false) return ended(succeed(UNREAD), event);
  const result = await appender.content.read(content.result);
  const facts = content.action === "handoff" ? ({ action: "tool" } as const) : content;
  return ended(succeed({ result, facts, spent: {} }), event);
}

async function readReason(
  reference: BlobRef | undefined,
  { content }: Appender,
): Promise<string | undefined> {
  if (reference === undefined) return undefined;
  const reason = await content.read(reference);
  return typeof reason === "string" ? reason : undefined;
}

async function readHappened(
  end: EventOf<"action.resolved">,
  { action, appender }: Step,
): Promise<Ended> {
  const reference = end.content.result;
  if (reference === undefined) {
    return ended(fail("TOOL_FAILED", `${action.name} happened, and its answer is lost`));
  }
  const result = await appender.content.read(reference);
  return ended(succeed({ result, facts: { action: "tool" }, spent: {} }), end);
}
