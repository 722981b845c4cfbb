import {
  type CallError,
  type CallErrorCode,
  type CallErrorDetails,
  callError,
} from "@turnseal/protocol";

/**
 * A value, or why there is none. `reason` holds words of a tool or a provider: for the caller,
 * never for an event.
 */
export type Outcome<Value> = { readonly kind: "ok"; readonly value: Value } | Failed;

export interface Failed {
  readonly kind: "error";
  readonly error: CallError;
  readonly reason?: string;
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
