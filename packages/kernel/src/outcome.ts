import {
  type CallError,
  type CallErrorCode,
  type CallErrorDetails,
  callError,
} from "@turnseal/protocol";

/** A value, why there is none, or that it is not known yet. */
export type Outcome<Value> = { readonly kind: "ok"; readonly value: Value } | Failed | Paused;

/** `reason` holds words of a tool or a provider: for the caller, never for an event. */
export interface Failed {
  readonly kind: "error";
  readonly error: CallError;
  readonly reason?: string;
}

/**
 * The call can go no further now: it waits for a time or for a person. Only a call inside a turn
 * can pause.
 */
export interface Paused {
  readonly kind: "paused";
  /** When to look again; absent when only a person can help. */
  readonly untilMs?: number;
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
