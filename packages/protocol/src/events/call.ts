/** The life of a call, and of the calls below it. */
import { CALL_ERROR_CODES, type CallErrorCode, type CallErrorDetails } from "../call-error.ts";
import type { Digest } from "../digest.ts";
import type { Proof } from "../grant/compare-grants.ts";
import type { Grant } from "../grant/grant.ts";
import { type FieldsOf, hasOnly, type Is, isCount, isOneOf, isText } from "../shape.ts";
import { isDetails, isGrant, isProof } from "./documents.ts";
import { isDigest } from "./fields.ts";

export type CallStart = {
  readonly loop: string;
  readonly version: string;
  /** Of the definition; a loop that is not registered has none. */
  readonly digest?: Digest;
  /** The grant of the call if it is narrower than its caller's, and the proof. */
  readonly grant?: Grant;
  readonly proof?: Proof;
};

/** How long a part of a call took, or all of it. */
export type CallTime = { readonly durationMs: number };

/** Why a call failed: `CallError`, as an event has it. */
export type CallFailure = {
  readonly code: CallErrorCode;
  readonly message: string;
  readonly details: CallErrorDetails;
};

export type ChildStart = {
  /** Its call id. */
  readonly child: string;
  readonly loop: string;
  readonly step: number;
  /** In a flow: where the node stands, with the rounds and items around it. */
  readonly path?: string;
  /** For a filter: what of the prompt it looks at. */
  readonly filter?: "input" | "output";
  /** For a summariser: the entries of a thread that it gets. */
  readonly summary?: SummaryStart;
};

export interface SummaryStart {
  readonly thread: string;
  readonly from: number;
  readonly to: number;
  /** The most tokens that a request of the thread may have, where the bound model says so. */
  readonly windowTokens?: number;
}

export const CALL_STATUSES = ["ok", "error"] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

export type ChildEnd = { readonly child: string; readonly status: CallStatus };

export const callStart: FieldsOf<CallStart> = {
  always: { loop: isText, version: isText },
  sometimes: { digest: isDigest, grant: isGrant, proof: isProof },
};

export const callTime: FieldsOf<CallTime> = { always: { durationMs: isCount }, sometimes: {} };

export const callFailure: FieldsOf<CallFailure> = {
  always: { code: isOneOf(CALL_ERROR_CODES), message: isText, details: isDetails },
  sometimes: {},
};

const isSummaryStart: Is<SummaryStart> = hasOnly(
  { thread: isText, from: isCount, to: isCount },
  { windowTokens: isCount },
);

export const childStart: FieldsOf<ChildStart> = {
  always: { child: isText, loop: isText, step: isCount },
  sometimes: { path: isText, filter: isOneOf(["input", "output"]), summary: isSummaryStart },
};

export const childEnd: FieldsOf<ChildEnd> = {
  always: { child: isText, status: isOneOf(CALL_STATUSES) },
  sometimes: {},
};
