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

/** `reason` holds words of a tool, a provider or a person: for the caller, never for an event. */
export interface Failed {
  readonly kind: "error";
  readonly error: CallError;
  readonly reason?: string;
  /** True for an unknown effect: no flow tolerates that, or tries it again. */
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
  /** When a part of it goes on by itself, if others wait for a person or a signal. */
  readonly wakesMs?: number;
  /** True when another run was started and has not ended: nothing may end before it has. */
  readonly isHanded?: boolean;
  /** The reason for a block, where the turn stays as it is. */
  readonly block?: Block;
}

/** True when a person rejected it, or did not answer in time: then the turn ends. */
export function isRefusedByPerson(error: CallError): boolean {
  return findRefusal(error) !== undefined;
}

/** How a person did not allow it, where that is why. */
export function findRefusal({
  details: { denial },
}: CallError): "approval-rejected" | "approval-expired" | undefined {
  return denial === "approval-rejected" || denial === "approval-expired" ? denial : undefined;
}

/** True when a person declined, and the rule tells the flow. Such a failure may be tolerated. */
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

/** The parts of a failure that go up with a new one. */
export function carryFailure({ reason, isUnknown }: Failed): Pick<Failed, "reason" | "isUnknown"> {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(isUnknown === undefined ? {} : { isUnknown }),
  };
}
