/** How an action can end other than well, in the words of events and of outcomes. */
import { isUnprocessed, type ModelError } from "@turnseal/ports";
import {
  cutReason,
  MODEL_ERROR_CODES,
  type ModelErrorCode,
  type RetryAdvice,
  readErrorFacts,
  type SettledStatus,
} from "@turnseal/protocol";
import { saysNotDone, type ToolQuestion } from "@turnseal/protocol/authoring";
import { type Failed, fail } from "../outcome.ts";
import type { Action } from "../step/action.ts";
import { questionOf } from "../step/asking-error.ts";
import type { BoundedOutcome } from "./run-bounded.ts";

export interface ActionEnd {
  readonly status: SettledStatus;
  /** The words of the failed tool or model. Content. */
  readonly reason: string | undefined;
  readonly retry: RetryAdvice;
  /** True when the failure itself proves that nothing was done. */
  readonly isUndone: boolean;
  /** The class of a model's failure, where it has one. */
  readonly failure?: ModelErrorCode;
  /** The pause that a provider asks for, if it does. */
  readonly retryAfterMs?: number;
  /** The question of a tool that needs an answer. */
  readonly asks?: ToolQuestion;
}

/** Reads how a bounded act ended. */
export function describeEnd(bounded: BoundedOutcome<unknown>): ActionEnd {
  switch (bounded.kind) {
    case "done":
      return { status: "ok", reason: undefined, retry: "never", isUndone: false };
    case "failed": {
      const { error } = bounded;
      const { code, retry } = readErrorFacts(error);
      const asks = questionOf(error);
      if (asks !== undefined)
        return { status: "failed", reason: undefined, retry, isUndone: true, asks };
      const isUndone = saysNotDone(error) || isUnprocessed(error);
      const end = { status: "failed", reason: readReason(error), retry, isUndone } as const;
      // Only codes of the closed list: other codes of foreign errors do not go into the log.
      const failure = MODEL_ERROR_CODES.find((known) => known === code);
      return failure === undefined ? end : { ...end, failure, ...readRetryAfter(error) };
    }
    case "timed-out":
    case "cancelled":
      return { status: bounded.kind, reason: undefined, retry: "never", isUndone: false };
  }
}

function readRetryAfter(error: unknown): Pick<ActionEnd, "retryAfterMs"> {
  try {
    const { retryAfterMs } = error as Partial<ModelError>;
    return Number.isSafeInteger(retryAfterMs) && Number(retryAfterMs) > 0
      ? { retryAfterMs: Number(retryAfterMs) }
      : {};
  } catch {
    // A hostile error may throw when it is read.
    return {};
  }
}

const failureCodes = {
  tool: "TOOL_FAILED",
  model: "BACKEND_FAILED",
  handoff: "CHILD_FAILED",
} as const;

/** The outcome of a call whose action did not end well. */
export function endAction(
  status: Exclude<SettledStatus, "ok">,
  { kind, name }: Pick<Action, "kind" | "name">,
  reason: string | undefined,
): Failed {
  switch (status) {
    case "timed-out":
      return fail("TIMEOUT", `${name} did not answer before its deadline`);
    case "cancelled":
      return fail("CANCELLED", "the call was cancelled");
    case "failed": {
      const failed = fail(failureCodes[kind], `${name} failed`);
      return reason === undefined ? failed : { ...failed, reason };
    }
  }
}

/** The outcome of a call that went on without waiting to learn what its action came to. */
export function endUnknown(
  status: Exclude<SettledStatus, "ok">,
  action: Pick<Action, "kind" | "name">,
): Failed {
  return { ...endAction(status, action, undefined), isUnknown: true };
}

function readReason(error: unknown): string | undefined {
  try {
    const text: unknown = error instanceof Error ? error.message : String(error);
    return typeof text === "string" ? cutReason(text) : undefined;
  } catch {
    // A hostile error may throw when it is read.
    return undefined;
  }
}
