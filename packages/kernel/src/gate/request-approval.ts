/**
 * Asks people to approve an action (spec/approval.md §1, §9): says what to decide, who may decide,
 * and who may not because they had a hand in it.
 */
import {
  type ContentOf,
  type EventOf,
  EXCLUDED_MAX,
  invariant,
  listExcluded,
  type PassedFacts,
} from "@turnseal/protocol";
import type { EventDraft } from "../log/appender.ts";
import type { AskTerms, Judgement } from "../step/judgement.ts";
import { ownerOf, type Step } from "../step/step.ts";
import { canStand } from "./find-standing.ts";
import { type Passage, refuse, type Stopped, stop, wait } from "./passage.ts";

/** UTF-16 units of a request's text about undoing. */
export const UNDO_LENGTH_MAX = 512;

/** Rules that would allow it by now do not take the decision from people. */
export function requestAgain(
  step: Step,
  { at, content }: EventOf<"approval.requested">,
  said: Pick<Said, "editors"> & Partial<Pick<Said, "facts">>,
): Passage {
  const { role, approvers, useWithinMs, onReject, decideBy, rule, policy, exclude = [] } = content;
  const ask: AskTerms = {
    ...(role === undefined ? {} : { role }),
    approvers,
    exclude,
    decideWithinMs: Date.parse(decideBy) - Date.parse(at),
    useWithinMs,
    onReject,
  };
  const facts = {
    ...(rule === undefined ? {} : { rule }),
    ...(policy === undefined ? {} : { policy }),
    ...said.facts,
  };
  return requestApproval(step, ask, { ...said, facts });
}

/** Which request it stands for, and why. */
type Replacing = Pick<ContentOf<"approval.requested">, "replaces" | "because">;

interface Said extends Pick<Extract<Judgement, { kind: "asked" }>, "description"> {
  readonly facts: PassedFacts & Replacing;
  readonly editors: readonly string[];
}

/** The request, made for its time, or the reason for a refusal. */
export type Asking =
  | {
      readonly kind: "ready";
      readonly describe: (nowMs: number) => EventDraft<"approval.requested">;
    }
  | { readonly kind: "refused"; readonly passage: Passage };

export function requestApproval(step: Step, ask: AskTerms, said: Said): Passage {
  // Others may have decided without it in the meantime.
  if (step.frame.branch.isStopped()) return wait(undefined);
  const asking = describeRequest(step, ask, said);
  if (asking.kind === "refused") return asking.passage;
  return waitFor(step.appender.push(asking.describe));
}

/** It waits until people have decided, or their time is over. */
export function waitFor({ content }: EventOf<"approval.requested">): Stopped {
  return wait(Date.parse(content.decideBy) + 1);
}

export function describeRequest(step: Step, ask: AskTerms, said: Said): Asking {
  const { action, asked, key, authority } = step;
  const { facts, description, editors } = said;
  const { approvers, decideWithinMs, useWithinMs, onReject, role, exclude = [], mayStand } = ask;
  const excluded = listExcluded(exclude, { starters: authority.starters, editors });
  const refused = (words: string, denial: string): Asking => {
    return { kind: "refused", passage: stop(refuse(step, words, denial)) };
  };
  // An unknown person cannot be excluded.
  if (excluded === undefined)
    return refused("cannot be asked for: it is not known who started it", "starter-unknown");
  if (excluded.length > EXCLUDED_MAX)
    return refused("was edited by too many people", "edit-refused");
  const wanted = asked.facts;
  invariant(wanted.action !== "model", "a request to a model needs no approval");
  const describe = (nowMs: number): EventDraft<"approval.requested"> => ({
    ...ownerOf(step),
    type: "approval.requested",
    content: {
      ...wanted,
      key,
      loop: action.judged?.loop ?? "",
      version: action.judged?.tool.version ?? "",
      ...facts,
      digest: asked.digest,
      grant: authority.grantDigest(),
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
      ...(mayStand === undefined || !canStand(step) ? {} : { mayStand }),
    },
    ...(description === undefined ? {} : { attached: { description } }),
    blobs: asked.blobs,
  });
  return { kind: "ready", describe };
}
