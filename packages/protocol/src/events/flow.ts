/** Events of the nodes of a flow, beside the calls that they make (spec/flow.md). */
import type { Amounts } from "../budget/budget.ts";
import { CALL_ERROR_CODES, type CallErrorCode } from "../call-error.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { GROUP_OUTCOMES, type GroupOutcome, MEMBER_ENDS, type MemberEnd } from "../outcomes.ts";
import { type FieldsOf, hasOnly, isCount, isListOf, isOneOf, isText } from "../shape.ts";
import { isAmounts, isContentDigest, isRef } from "./fields.ts";

/** The list of a fan-out, before the first of its items begins. */
export type FanoutFixed = {
  /** Where it stands in the flow, with the rounds and items around it. */
  readonly path: string;
  readonly items: number;
  /** Of a list that was computed: the list. Content. */
  readonly list?: BlobRef;
  /** If each item is a run of its own: the most that each may spend. */
  readonly share?: Amounts;
};

/** How an item ended; a stopped one is withdrawn. */
export const ITEM_STATUSES = ["ok", "error", "withdrawn"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export type ItemClosed = {
  readonly path: string;
  readonly index: number;
  readonly status: ItemStatus;
  /** Of the item, where the list was computed. */
  readonly digest?: ContentDigest;
  /** Why it failed. */
  readonly code?: CallErrorCode;
  /** Where a person declined what it would do, and the rule that asked lets others go on. */
  readonly denial?: typeof DECLINED;
  /** Where it is withdrawn: the runs that it has started and that have not ended. */
  readonly runs?: readonly string[];
};

/** A person declined, and the caller learns of it and goes on (spec/approval.md §4.2). */
export const DECLINED = "approval-declined";

export type StepRetried = {
  readonly path: string;
  /** The try that follows: 2 is the first again. */
  readonly attempt: number;
  readonly delayMs: number;
  /** Why the try before failed. */
  readonly code: CallErrorCode;
};

/** Its condition did not hold, it failed, or something that it reads did. */
export const SKIP_REASONS = ["condition", "failed", "blocked"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export type StepSkipped = {
  readonly path: string;
  readonly because: SkipReason;
  readonly code?: CallErrorCode;
};

export type GroupClosed = {
  /** Where it stands in the flow, with the rounds and tries around it. */
  readonly path: string;
  readonly outcome: GroupOutcome;
  /** The held members, in their order, by the keys of their claims. */
  readonly members: readonly { readonly key: string; readonly end: MemberEnd }[];
  /** The question to a person, by its sequence number, if the group was done in part. */
  readonly asked?: number;
};

export const fanoutFixed: FieldsOf<FanoutFixed> = {
  always: { path: isText, items: isCount },
  sometimes: { list: isRef, share: isAmounts },
};

export const itemClosed: FieldsOf<ItemClosed> = {
  always: { path: isText, index: isCount, status: isOneOf(ITEM_STATUSES) },
  sometimes: {
    digest: isContentDigest,
    code: isOneOf(CALL_ERROR_CODES),
    denial: isOneOf([DECLINED]),
    runs: isListOf(isText, { least: 1 }),
  },
};

export const stepRetried: FieldsOf<StepRetried> = {
  always: { path: isText, attempt: isCount, delayMs: isCount, code: isOneOf(CALL_ERROR_CODES) },
  sometimes: {},
};

export const stepSkipped: FieldsOf<StepSkipped> = {
  always: { path: isText, because: isOneOf(SKIP_REASONS) },
  sometimes: { code: isOneOf(CALL_ERROR_CODES) },
};

export const groupClosed: FieldsOf<GroupClosed> = {
  always: {
    path: isText,
    outcome: isOneOf(GROUP_OUTCOMES),
    members: isListOf(hasOnly({ key: isText, end: isOneOf(MEMBER_ENDS) })),
  },
  sometimes: { asked: isCount },
};

/** A group of a flow whose members are all held. */
export type CommittedGroup = {
  /** Where it stands in the flow of its call. */
  readonly path: string;
  readonly members: readonly CommittedMember[];
};

/** A held action, by its claim: people approved exactly this. */
export type CommittedMember = {
  readonly key: string;
  /** The digest of its input. */
  readonly digest: ContentDigest;
  readonly build: string;
};

const isCommitted = hasOnly({ key: isText, digest: isContentDigest, build: isText });

export const isCommittedGroup = hasOnly({ path: isText, members: isListOf(isCommitted) });
