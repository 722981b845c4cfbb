/** Requests to people and to agents outside, and their answers. */
import { APPROVAL_CHOICES, type ApprovalChoice } from "../approval/approval.ts";
import type { Amounts } from "../budget/budget.ts";
import type { Digest } from "../digest.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { EXCLUSIONS, type Exclusion, REJECTIONS, type Rejection } from "../policy/policy.ts";
import { areStandingTerms, type StandingTerms } from "../policy/standing-terms.ts";
import { type FieldsOf, isCount, isHash, isListOf, isOneOf, isText } from "../shape.ts";
import {
  CLAIM_EFFECTS,
  type ClaimEffect,
  type HandoffFacts,
  type PassedFacts,
  passedFields,
  type ToolFacts,
  toolFields,
} from "./action-claim.ts";
import { isBounds, isProof } from "./documents.ts";
import { isAmounts, isContentDigest, isDigest, isRef, isTime } from "./fields.ts";
import { isGivenThread, isHandedItem } from "./handed.ts";

/** The terms of a request: who may decide, until when, and the effect of a rejection. */
interface RequestTerms extends Omit<PassedFacts, "approval" | "planned" | "drawn"> {
  readonly key: string;
  /** Of the whole action. */
  readonly digest: ContentDigest;
  /** The loop that stands for the tool. */
  readonly loop: string;
  readonly version: string;
  /** The digest of the grant under which the turn acts. */
  readonly grant: Digest;
  readonly effect: ClaimEffect;
  readonly reserve: Amounts;
  readonly request: BlobRef;
  /** How many must approve it. */
  readonly approvers: number;
  readonly onReject: Rejection;
  readonly decideBy: string;
  readonly useWithinMs: number;
  /** The people that the rule excludes, in its words; `excluded` has them by id. */
  readonly exclude?: readonly Exclusion[];
  /** How its effect can be undone. */
  readonly undo?: string;
  /** The tool's own question for a person. */
  readonly description?: BlobRef;
  /** The request that this one replaces, and why. */
  readonly replaces?: number;
  readonly because?: "build";
}

export type RequestedTool = ToolFacts &
  RequestTerms & {
    /** How far a person may let the approval stand. */
    readonly mayStand?: StandingTerms;
  };
export type RequestedHandoff = Omit<HandoffFacts, "grant"> & RequestTerms;
export type ApprovalRequested = RequestedTool | RequestedHandoff;

export type ApprovalDecided = {
  readonly key: string;
  /** The request, by its sequence number and its hash. */
  readonly approval: number;
  readonly hash: string;
  readonly choice: ApprovalChoice;
  readonly roles: readonly string[];
  /** When it was made durable, by the store's clock. */
  readonly receivedAt: string;
  readonly reason?: BlobRef;
  /** For an edit. */
  readonly arguments?: BlobRef;
  /** For an approval that stands: how far, and for which arguments. */
  readonly standing?: StandingTerms;
  readonly pattern?: BlobRef;
};

/** Of a request or a question: one of the two is named. */
export type ApprovalExpired = {
  readonly key: string;
  readonly hash: string;
  readonly approval?: number;
  readonly question?: number;
  /** Set if it ended before its time: the asking call was stopped. */
  readonly because?: "withdrawn";
  /** Of a wait in a flow: where it stands there. */
  readonly path?: string;
};

/** Who gets a question; a signal answers a wait in a flow. */
export const ASKED = ["person", "agent", "signal"] as const;

export type QuestionAsked = {
  readonly key: string;
  readonly digest: ContentDigest;
  /** The loop that asks: its output schema is the schema of the answer. */
  readonly loop: string;
  readonly version: string;
  readonly to: (typeof ASKED)[number];
  readonly request: BlobRef;
  readonly role?: string;
  /** The ids of those who may not answer. */
  readonly excluded?: readonly string[];
  readonly decideBy?: string;
  /** Of a wait: the name of the signal. */
  readonly signal?: string;
  /** Of a wait: where it stands in the flow, with the rounds and items around it. */
  readonly path?: string;
  /** Of a tool: the claim whose end has the question, by its sequence number. */
  readonly claim?: number;
};

export type QuestionAnswered = {
  readonly key: string;
  /** The question, by its sequence number and its hash. */
  readonly question: number;
  readonly hash: string;
  readonly roles: readonly string[];
  readonly receivedAt: string;
  readonly answer: BlobRef;
  /** Of a wait: the signal, by its sequence number; the answer is what it brought. */
  readonly signal?: number;
  readonly path?: string;
};

const requestTerms = {
  key: isText,
  digest: isContentDigest,
  loop: isText,
  version: isText,
  grant: isDigest,
  effect: isOneOf(CLAIM_EFFECTS),
  reserve: isAmounts,
  request: isRef,
  approvers: isCount,
  onReject: isOneOf(REJECTIONS),
  decideBy: isTime,
  useWithinMs: isCount,
};
const requestExtras = {
  ...passedFields,
  exclude: isListOf(isOneOf(EXCLUSIONS)),
  undo: isText,
  description: isRef,
  replaces: isCount,
  because: isOneOf(["build"]),
};

export const requestedTool: FieldsOf<RequestedTool> = {
  always: { ...requestTerms, ...toolFields.always },
  sometimes: { ...requestExtras, ...toolFields.sometimes, mayStand: areStandingTerms },
};

export const requestedHandoff: FieldsOf<RequestedHandoff> = {
  always: {
    ...requestTerms,
    action: isOneOf(["handoff"]),
    target: isText,
    slice: isDigest,
    proof: isProof,
    bounds: isBounds,
  },
  sometimes: {
    ...requestExtras,
    targetVersion: isText,
    thread: isGivenThread,
    item: isHandedItem,
  },
};

export const approvalDecided: FieldsOf<ApprovalDecided> = {
  always: {
    key: isText,
    approval: isCount,
    hash: isHash,
    choice: isOneOf(APPROVAL_CHOICES),
    roles: isListOf(isText),
    receivedAt: isTime,
  },
  sometimes: { reason: isRef, arguments: isRef, standing: areStandingTerms, pattern: isRef },
};

export const approvalExpired: FieldsOf<ApprovalExpired> = {
  always: { key: isText, hash: isHash },
  sometimes: {
    approval: isCount,
    question: isCount,
    because: isOneOf(["withdrawn"]),
    path: isText,
  },
};

export const questionAsked: FieldsOf<QuestionAsked> = {
  always: {
    key: isText,
    digest: isContentDigest,
    loop: isText,
    version: isText,
    to: isOneOf(ASKED),
    request: isRef,
  },
  sometimes: {
    role: isText,
    excluded: isListOf(isText),
    decideBy: isTime,
    signal: isText,
    path: isText,
    claim: isCount,
  },
};

export const questionAnswered: FieldsOf<QuestionAnswered> = {
  always: {
    key: isText,
    question: isCount,
    hash: isHash,
    roles: isListOf(isText),
    receivedAt: isTime,
    answer: isRef,
  },
  sometimes: { signal: isCount, path: isText },
};
