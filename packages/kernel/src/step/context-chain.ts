/**
 * What an action asks, as its claim records it.
 *
 * A model request names the conversation so far by one digest and adds only what is new, so that
 * stored history grows with new content and not with its square.
 */
import type { Blob } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import type { Action } from "./action.ts";

export interface Asked {
  /** The digest of the action: the same action has the same digest in every attempt. */
  readonly digest: string;
  readonly facts: JsonObject;
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
      const added = action.added?.();
      if (added === undefined) {
        const blob = content.seal(request);
        const digest = content.seal({ kind, name, request: blob.digest }).digest;
        return { digest, facts: { request: toReference(blob) }, blobs: [blob], context: null };
      }
      const previous = contexts.get(call) ?? null;
      const blobs = added.map(({ value }) => content.seal(value));
      const items = added.map(({ value: _, ...item }, index) => {
        const blob = blobs[index];
        return blob === undefined ? item : { ...item, ...toReference(blob) };
      });
      const leftOut = (action.leftOut ?? []).map((value) => content.seal(value).digest);
      const shed = leftOut.length === 0 ? {} : { leftOut };
      const context = content.seal({ previous, added: items, ...shed }).digest;
      const strategy = leftOut.length === 0 ? "append" : "leave-out";
      const facts = { context: { previous, added: items, strategy, ...shed } };
      return {
        digest: content.seal({ kind, name, request, context }).digest,
        facts,
        blobs,
        context,
      };
    },
    advance: (call, { context }) => {
      if (context !== null) contexts.set(call, context);
    },
  };
}
