import {
  type Block,
  type CallError,
  type CallErrorCode,
  type CallErrorDetails,
  callError,
  DECLINED,
} from "@turnseal/protocol";

/** A value, why there is none, or that it is not known yet. */
export type Outcome<Value> = { readonly kind: "ok"; readonly value: Value } | Failed | Paused;

/** `reason` holds words of a tool or a provider: for the caller, never for an event. */
export interface Failed {
  readonly kind: "error";
  readonly error: CallError;
  readonly reason?: string;
  /** Where nobody knows what an effect came to: no flow makes up for that, or tries it again. */
  readonly isUnknown?: true;
}

/**
 * The call can go no further now: it waits for a time or for a person. Only a call inside a turn
 * can pause.
 */
export interface Paused {
  readonly kind: "paused";
  /** When to look again; absent when only a person can help. */
  readonly untilMs?: number;
  /** True when a person, or another run, can move it before that time. */
  readonly isAsked?: boolean;
  /** The signals that can move it before that time. */
  readonly signals?: readonly string[];
  /** When a part of it goes on by itself, where others wait for a person or a signal. */
  readonly wakesMs?: number;
  /** True when another run was started and has not ended: nothing may end before it has. */
  readonly isHanded?: boolean;
  /** What keeps it from going on, where the turn is to be left as it is. */
  readonly block?: Block;
}

/** True when a person was asked and did not allow it: then nothing more follows in this turn. */
export function isRefusedByPerson(error: CallError): boolean {
  return findRefusal(error) !== undefined;
}

/** How a person did not allow it, where that is why. */
export function findRefusal({
  details: { denial },
}: CallError): "approval-rejected" | "approval-expired" | undefined {
  return denial === "approval-rejected" || denial === "approval-expired" ? denial : undefined;
}

/** True when a person said no, and the rule that asked has the flow told so: that may be borne. */
export function isDeclined({ details: { denial } }: CallError): boolean {
  return denial === DECLINED;
}

export function succeed<Value>(value: Value): Outcome<Value> {
  return { kind: "ok", value };
}

export function fail(
  code: CallErrorCode,
  message: string,
  details?: Omit<CallErrorDetails, "lsr">,
): Failed {
  return { kind: "error", error: callError(code, message, details) };
}

/** What goes up with a failure that becomes another. */
export function carryFailure({ reason, isUnknown }: Failed): Pick<Failed, "reason" | "isUnknown"> {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(isUnknown === undefined ? {} : { isUnknown }),
  };
}
