/**
 * Asks people for an action (spec/approval.md §1, §9): what they are asked, who may decide, and who
 * of those that had a hand in it may not.
 */
import { EXCLUDED_MAX, type LoopEvent, listExcluded, readExclude } from "@turnseal/protocol";
import type { AskTerms, Judgement } from "../step/judgement.ts";
import { ownerOf, type Step } from "../step/step.ts";
import { type Passage, refuse, stop, wait } from "./passage.ts";

/** UTF-16 units of what a request says about undoing. */
export const UNDO_LENGTH_MAX = 512;

/** Rules that would allow it by now do not take the decision from people. */
export function requestAgain(
  step: Step,
  { at, content }: LoopEvent,
  said: Pick<Said, "editors"> & Partial<Pick<Said, "facts">>,
): Passage {
  const { role, approvers, useWithinMs, onReject, decideBy, rule, policy } = content;
  const ask: AskTerms = {
    ...(typeof role === "string" ? { role } : {}),
    approvers: Number(approvers),
    exclude: readExclude(content),
    decideWithinMs: Date.parse(String(decideBy)) - Date.parse(at),
    useWithinMs: Number(useWithinMs),
    onReject: onReject === "tell" ? "tell" : "stop",
  };
  const facts = {
    ...(rule === undefined ? {} : { rule }),
    ...(policy === undefined ? {} : { policy }),
    ...said.facts,
  };
  return requestApproval(step, ask, { ...said, facts });
}

interface Said extends Pick<Extract<Judgement, { kind: "asked" }>, "facts" | "description"> {
  readonly editors: readonly string[];
}

export function requestApproval(step: Step, ask: AskTerms, said: Said): Passage {
  const { action, asked, appender, key, starters } = step;
  const { facts, description, editors } = said;
  const { approvers, decideWithinMs, useWithinMs, onReject, role, exclude = [] } = ask;
  const excluded = listExcluded(exclude, { starters, editors });
  // Whom nobody can name, nobody can exclude.
  if (excluded === undefined)
    return stop(
      refuse(step, "cannot be asked for: it is not known who started it", "starter-unknown"),
    );
  if (excluded.length > EXCLUDED_MAX)
    return stop(refuse(step, "was edited by too many people", "edit-refused"));
  const requested = appender.push((nowMs) => ({
    ...ownerOf(step),
    type: "approval.requested",
    content: {
      key,
      action: action.kind,
      loop: action.judged?.loop ?? "",
      version: action.judged?.tool.version ?? "",
      ...action.facts,
      ...asked.facts,
      ...facts,
      digest: asked.digest,
      grant: step.grantDigest(),
      effect: action.effect,
      ...(action.undo === undefined
        ? {}
        : { undo: action.undo.slice(0, UNDO_LENGTH_MAX).toWellFormed() }),
      reserve: action.reserve(),
      approvers,
      ...(role === undefined ? {} : { role }),
      ...(exclude.length === 0 ? {} : { exclude: [...exclude], excluded }),
      onReject,
      decideBy: new Date(nowMs + decideWithinMs).toISOString(),
      useWithinMs,
    },
    ...(description === undefined ? {} : { attached: { description } }),
    blobs: asked.blobs,
  }));
  return wait(Date.parse(String(requested.content["decideBy"])) + 1);
}
