/**
 * The request of an action, as its claim records it.
 *
 * A model request names the conversation so far by one digest and adds only the new part. So stored
 * history grows with new content and not with its square.
 */
import type { Blob } from "@turnseal/ports";
import {
  type AddedContext,
  type Amounts,
  type BlobRef,
  type ContentDigest,
  type HandoffFacts,
  invariant,
  type JsonValue,
  type ModelFacts,
  type ToolFacts,
} from "@turnseal/protocol";
import type { Tail } from "../context/tail.ts";
import type { ThreadStep } from "../context/thread-step.ts";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import { recordMessages } from "../thread/context-item.ts";
import type { Action } from "./action.ts";

export type AskedFacts =
  | (ModelFacts & { readonly context: AddedContext; readonly outputs?: readonly BlobRef[] })
  | (ToolFacts & { readonly request: BlobRef })
  | (HandoffFacts & { readonly request: BlobRef; readonly committed?: Amounts });

export interface Asked {
  /** The digest of the action: the same action has the same digest in every attempt. */
  readonly digest: ContentDigest;
  /** The facts of its claim, with the request. */
  readonly facts: AskedFacts;
  readonly blobs: readonly Blob[];
  /** For a model: the digest of the conversation with what was added. */
  readonly context: string | null;
  /** Called when it is in the log, if it belongs to a thread. */
  readonly onRecorded?: ThreadStep["onRecorded"];
  /** Told when the provider would not read it. */
  readonly onRefused?: ThreadStep["onRefused"];
}

export interface ContextChain {
  describe(call: string, action: Action): Asked;
  /** Adds the request to the conversation, with the event that claimed it, if there is one. */
  advance(call: string, asked: Asked, claim: number | undefined): void;
}

export function createContextChain(content: Content): ContextChain {
  const contexts = new Map<string, string>();
  return {
    describe: (call, action) => {
      const { kind, name, request } = action;
      if (action.facts.action !== "model") {
        const blob = content.seal(request);
        const digest = content.seal({ kind, name, request: blob.digest }).digest;
        const facts: AskedFacts = { ...action.facts, request: toReference(blob) };
        return { digest, facts, blobs: [blob], context: null };
      }
      const { thread } = action;
      const added = recordMessages(action.added?.() ?? [], content);
      const previous = thread === undefined ? (contexts.get(call) ?? null) : thread.previous;
      const leftOut = (action.leftOut ?? []).map((value) => content.seal(value).digest);
      const shed = leftOut.length === 0 ? {} : { leftOut };
      const followed = thread === undefined ? undefined : describeStep(thread, content);
      const ended = action.tail === undefined ? undefined : describeTail(action.tail, content);
      const whole = { previous, added: added.items, ...shed, ...followed?.facts, ...ended?.facts };
      const context = content.seal(whole as unknown as JsonValue).digest;
      const strategy = thread?.strategy ?? (leftOut.length === 0 ? "append" : "leave-out");
      return {
        digest: content.seal({ kind, name, request, context }).digest,
        facts: { ...action.facts, context: { ...whole, strategy, ...pickBeside(thread) } },
        blobs: [...added.blobs, ...(followed?.blobs ?? []), ...(ended?.blobs ?? [])],
        context,
        ...(thread === undefined ? {} : pickListeners(thread)),
      };
    },
    advance: (call, { context, onRecorded }, claim) => {
      if (context === null) return;
      // A request without a claim is in no log.
      if (onRecorded === undefined) contexts.set(call, context);
      else if (claim !== undefined) onRecorded(context, claim);
    },
  };
}

/** Picks the facts beside a request that are not part of its meaning. */
function pickBeside(
  thread: ThreadStep | undefined,
): Pick<AddedContext, "unsummarized" | "windowTokens"> {
  const { unsummarized, windowTokens } = thread ?? {};
  return {
    ...(unsummarized === undefined ? {} : { unsummarized }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  };
}

function pickListeners({
  onRecorded,
  onRefused,
}: ThreadStep): Pick<Asked, "onRecorded" | "onRefused"> {
  return { onRecorded, onRefused };
}

function describeTail(
  { scope, round, message }: Tail,
  content: Content,
): { readonly facts: Pick<AddedContext, "tail">; readonly blobs: readonly Blob[] } {
  const { blobs } = recordMessages([message], content);
  const [blob] = blobs;
  invariant(blob !== undefined, "a message has its blob");
  return { facts: { tail: { scope, round, text: toReference(blob) } }, blobs };
}

type StepFacts = Pick<AddedContext, "thread" | "at" | "shown">;

function describeStep(
  { name, at, shown, blobs }: ThreadStep,
  content: Content,
): { readonly facts: StepFacts; readonly blobs: readonly Blob[] } {
  if (shown === undefined) return { facts: { thread: name, at }, blobs: [] };
  const head = recordMessages(shown.head, content);
  const kept = recordMessages(shown.kept, content);
  return {
    facts: {
      thread: name,
      at,
      shown: {
        ...{ head: head.items, kept: kept.items, from: shown.from },
        ...(shown.summarized === undefined ? {} : { summarized: shown.summarized }),
      },
    },
    blobs: [...head.blobs, ...kept.blobs, ...blobs],
  };
}
