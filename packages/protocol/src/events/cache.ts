/** A call that was answered with what an equal call gave before (spec/context.md §8). */
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { KEPT_STRATEGIES, type KeptCalls } from "../run/run-spec.ts";
import { type FieldsOf, hasOnly, type Is, isCount, isOneOf, isText } from "../shape.ts";
import { isContentDigest, isRef } from "./fields.ts";

export type CacheHit = {
  /** The key of the call: the loop and those below it, the input, and the grant. */
  readonly key: ContentDigest;
  readonly strategy: KeptCalls;
  /** The result of the call. Content. */
  readonly result: BlobRef;
  /** The call that gave it. */
  readonly from: KeptCall;
  /** Of a tool: its name, which the grant allows. */
  readonly tool?: string;
};

/** A call of a run, whose turn has or will have a receipt. */
export type KeptCall = { readonly run: string; readonly turn: number; readonly call: string };

const isKeptCall: Is<KeptCall> = hasOnly({ run: isText, turn: isCount, call: isText });

export const cacheHit: FieldsOf<CacheHit> = {
  always: {
    key: isContentDigest,
    strategy: isOneOf(KEPT_STRATEGIES),
    result: isRef,
    from: isKeptCall,
  },
  sometimes: { tool: isText },
};
