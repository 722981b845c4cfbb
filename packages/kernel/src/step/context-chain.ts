/**
 * What an action asks, as its claim records it.
 *
 * A model request names the conversation so far by one digest and adds only what is new, so that
 * stored history grows with new content and not with its square.
 */
import type { Blob } from "@turnseal/ports";
import type {
  AddedContext,
  BlobRef,
  ContentDigest,
  HandoffFacts,
  ModelFacts,
  ToolFacts,
} from "@turnseal/protocol";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import type { Action } from "./action.ts";

export type AskedFacts =
  | (ModelFacts & { readonly context: AddedContext; readonly outputs?: readonly BlobRef[] })
  | ((ToolFacts | HandoffFacts) & { readonly request: BlobRef });

export interface Asked {
  /** The digest of the action: the same action has the same digest in every attempt. */
  readonly digest: ContentDigest;
  /** What its claim says of it, with what is asked. */
  readonly facts: AskedFacts;
  readonly blobs: readonly Blob[];
  /** For a model: the digest of the conversation with what was added. */
  readonly context: string | null;
}

export interface ContextChain {
  describe(call: string, action: Action): Asked;
  /** The conversation of the call now includes what was asked. */
  advance(call: string, asked: Asked): void;
}

export function createContextChain(content: Content): ContextChain {
  const contexts = new Map<string, string>();
  return {
    describe: (call, action) => {
      const { kind, name, request } = action;
      if (action.facts.action !== "model") {
        const blob = content.seal(request);
        const digest = content.seal({ kind, name, request: blob.digest }).digest;
        const facts = { ...action.facts, request: toReference(blob) };
        return { digest, facts, blobs: [blob], context: null };
      }
      const added = action.added?.() ?? [];
      const previous = contexts.get(call) ?? null;
      const blobs = added.map(({ value }) => content.seal(value));
      const items = added.flatMap(({ value: _, ...item }, index) => {
        const blob = blobs[index];
        return blob === undefined ? [] : [{ ...item, ...toReference(blob) }];
      });
      const leftOut = (action.leftOut ?? []).map((value) => content.seal(value).digest);
      const shed = leftOut.length === 0 ? {} : { leftOut };
      const context = content.seal({ previous, added: items, ...shed }).digest;
      const strategy = leftOut.length === 0 ? "append" : "leave-out";
      const said = { previous, added: items, strategy, ...shed } as const;
      return {
        digest: content.seal({ kind, name, request, context }).digest,
        facts: { ...action.facts, context: said },
        blobs,
        context,
      };
    },
    advance: (call, { context }) => {
      if (context !== null) contexts.set(call, context);
    },
  };
}
