import { type JsonValue, LoopError, type RetryAdvice } from "@turnseal/protocol";

export const HOST_ERROR_CODES = [
  "ACTION_UNFINISHED",
  "ANSWER_REFUSED",
  "BACKEND_UNBOUND",
  "BOUNDS_REFUSED",
  "CELL_REFUSED",
  "CLAIM_NOT_UNKNOWN",
  "CLAIM_WITHDRAWN",
  "DRIVER_MISSING",
  "FILE_REFUSED",
  "GRANT_REFUSED",
  "GUIDANCE_REFUSED",
  "IDENTITY_MISSING",
  "ID_MISSING",
  "INPUT_REFUSED",
  "LOOP_REFUSED",
  "LOOP_UNKNOWN",
  "OBSERVER_REFUSED",
  "OBSERVER_SILENT",
  "PERSON_EXCLUDED",
  "POLICY_REFUSED",
  "REQUEST_UNKNOWN",
  "RETRY_REPEATS",
  "ROLE_MISSING",
  "RUN_CONFLICT",
  "RUN_STALE",
  "SIGNALS_FULL",
  "SIGNAL_REFUSED",
  "SIGNER_REFUSED",
  "STARTER_MISSING",
  "STARTER_REFUSED",
  "TOOL_UNBOUND",
] as const;
export type HostErrorCode = (typeof HOST_ERROR_CODES)[number];

/** A request that a host cannot fulfil. */
export class HostError extends LoopError<HostErrorCode> {
  constructor(code: HostErrorCode, message: string, retry: RetryAdvice = "never") {
    super({ code, retry, message });
  }
}

/** A signal that does not fit its waits or turns, with an example of one that does. */
export class SignalError extends HostError {
  readonly signal: string;
  /** A payload that fits; undefined if none is known. */
  readonly sample: JsonValue | undefined;

  constructor(signal: string, why: string, sample?: JsonValue) {
    const fits = sample === undefined ? "" : `; a payload such as ${JSON.stringify(sample)} fits`;
    super("SIGNAL_REFUSED", `the signal ${signal} does not fit: ${why}${fits}`);
    this.signal = signal;
    this.sample = sample;
  }
}
