/** Goes on from the record of an action. */
import { type BlobRef, type EventOf, invariant, type PassedFacts } from "@turnseal/protocol";
import type { ToolQuestion } from "@turnseal/protocol/authoring";
import type { Appender } from "../log/appender.ts";
import { fail, succeed } from "../outcome.ts";
import { awaitReplay, wasLeftBehind } from "../resume/await-replay.ts";
import { drifted, type RecordedAction } from "../resume/recorded-turn.ts";
import type { Answer } from "../step/action.ts";
import { type Ended, ended, type Step } from "../step/step.ts";
import { claimAndAct } from "./claim-and-act.ts";
import { endAction, endUnknown } from "./end-action.ts";
import { matchesClaim } from "./matches-claim.ts";
import { recoverClaim } from "./recover-claim.ts";

/** Goes on from a recorded claim, whose admission stands. */
export async function continueClaim(known: RecordedAction, passing: Step): Promise<Ended> {
  const step: Step = { ...passing, passed: pickPassed(known.claim) };
  const { call, item } = step.frame;
  checkAction(known.claim, step);
  if (known.end?.type === "action.settled") return readSettled(known.end, step);
  if (known.end?.content.resolution === "happened") return readHappened(known.end, step);
  const given = step.recorded.refusalOf(call, item);
  if (given !== undefined) return ended({ kind: "error", error: given });
  const cut = known.end === undefined ? known.unknown?.content.status : undefined;
  if (cut !== undefined && step.recorded.hasMore(call)) {
    // The call went on without waiting for its resolution. An orphaned or withdrawn claim ends as a
    // cancel.
    const status = cut === "orphaned" || cut === "withdrawn" ? "cancelled" : cut;
    return ended(endUnknown(status, step.action), known.unknown);
  }
  switch (known.end?.content.resolution) {
    case "abandon":
      // Somebody gave the action up: nothing may follow from it in this turn.
      return ended(fail("CANCELLED", `nobody knows what ${step.action.name} did`));
    case "orphaned":
      await awaitReplay(step);
      return claimAndAct(step);
    case undefined:
      if (step.action.kind === "handoff")
        return ended({ kind: "paused", isAsked: true, isHanded: true });
      if (await wasLeftBehind(step)) return ended({ kind: "paused" });
      await awaitReplay(step);
      return recoverClaim(known, step);
    default:
      await awaitReplay(step);
      // The answer `again` was given about the earlier declaration.
      if (!matchesClaim(known.claim, step))
        throw drifted(`event ${known.claim.sequence} claims what the tool now declares otherwise`);
      return claimAndAct(step, { claim: known.claim });
  }
}

/** Copies the facts of the admission into the claim that replaces this one. */
export function pickPassed({ content }: EventOf<"action.claimed">): PassedFacts {
  const names = ["approval", "rule", "role", "policy", "excluded", "gate", "planned"];
  return Object.fromEntries(Object.entries(content).filter(([name]) => names.includes(name)));
}

/** Only the success of it matters. */
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
    // A failed run of a handoff is not retried.
    const { retry = "never", failure } = content.action === "handoff" ? {} : content;
    const outcome = endAction(content.status, action, reason);
    const asks = content.action === "tool" ? await readAsks(content.asks, appender) : undefined;
    return { outcome, retryAdvice: retry, failure, event, asks, claimed: action };
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

/** The kernel checked it before it kept it. */
async function readAsks(
  reference: BlobRef | undefined,
  { content }: Appender,
): Promise<ToolQuestion | undefined> {
  if (reference === undefined) return undefined;
  return (await content.read(reference)) as unknown as ToolQuestion;
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
