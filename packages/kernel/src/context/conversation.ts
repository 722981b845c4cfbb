/**
 * The conversation of a prompt with its model so far, and the part of it that the next request
 * carries.
 *
 * 1. Messages are added once and never change: a request is recorded as what it adds.
 * 2. A request that would be larger than it may be leaves out results of tools, the oldest first,
 *    and never those of the latest round. A result that was left out stays out, so that requests
 *    share their beginning.
 * 3. How large it is, is estimated; what the provider counted corrects the estimates that follow.
 *    Both are recorded, so that a resume leaves out the same.
 */

import { countForeign, LEFT_OUT, toSent } from "@turnseal/folds";
import type { JsonValue, ModelMessage } from "@turnseal/protocol";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { BuiltRequest, RequestSettings } from "./build-request.ts";
import { estimateMessage, estimateSettings, sumTokens } from "./estimate-tokens.ts";
import { measureMessages } from "./measure-request.ts";
import { refuseFileBytes, sumFileBytes } from "./message-files.ts";
import type { Tail } from "./tail.ts";
import type { ThreadStep } from "./thread-step.ts";
import { findRatio } from "./token-ratio.ts";

type ToolMessage = Extract<ModelMessage, { readonly role: "tool" }>;
export type Answered = Extract<ModelMessage, { readonly role: "assistant" }>;

export interface NextRequest {
  /** Everything but the messages. */
  readonly settings: RequestSettings;
  /** Everything that is sent to this backend and model, in order. */
  messages(by: string): readonly ModelMessage[];
  /** The bytes of the messages as JSON: to measure them costs more than all else here. */
  messageBytes(): number;
  /** The bytes of their files. */
  readonly fileBytes: number;
  /** Answers among them that another than this one gave, with data that only it wants back. */
  countForeign(by: string): number;
  /** The new messages of this request. */
  readonly news: readonly ModelMessage[];
  /** Results that this request is the first to leave out. Content. */
  readonly leftOut: readonly JsonValue[];
  /** How large it is by estimate, where that is limited. */
  readonly contextTokens?: number;
  /** Its step in a thread, if it has one. */
  readonly thread?: ThreadStep;
  /** The notes at its end, which are no part of the conversation. */
  readonly tail?: Tail;
}

/** How entries of a conversation are summarised before its next request. */
export interface Summarizing {
  /** Returns the span to summarise now, of at most so many tokens; undefined for none. */
  find(readTokensMax: number): FoundSpan | undefined;
  /** Takes the summary of the found span; undefined if there is none. */
  put(text: string | undefined): void;
}

export interface FoundSpan {
  readonly thread: string;
  /** The numbers of its first entry, and of the first after it. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The most tokens that a summary of it may have. */
  readonly tokensMax: number;
  /** The most tokens of a request, where the bound model says so. */
  readonly windowTokens: number | undefined;
}

export interface Conversation {
  /** Where older entries are summarised. */
  readonly summarizing?: Summarizing;
  /** The next request, or that there is no room for it. */
  next(): Outcome<NextRequest>;
  /** Sets the end of the next request. */
  endWith(tail: Tail | undefined): void;
  /** Takes note of an answer, before anything follows from it. */
  hear(answer: Answered): void;
  /** Adds the next messages for the model. */
  add(news: readonly ModelMessage[]): void;
  /** Takes note of how large the latest request was, by the provider's count. */
  correct(inputTokens: number | undefined): void;
  /** The answer was withheld: what led to it is not shown again. */
  withhold(): void;
  /** True when the latest request was refused, and the next can be made smaller: once in a call. */
  mayShrink(): boolean;
  /** The call has ended. */
  close(): void;
}

/** A conversation that begins and ends with one call. */
export function openConversation(
  { settings, head, words, leftOut }: BuiltRequest,
  tokensMax: number | undefined,
): Conversation {
  const first: readonly ModelMessage[] = [...head, words];
  const messages: ModelMessage[] = [...first];
  let news = first;
  let heard: readonly ModelMessage[] = [];
  let pending: readonly JsonValue[] = leftOut;
  let [estimate, ratio] = [0, 1];
  let tail: Tail | undefined;
  // Where the latest round begins that added anything.
  let keptFrom = 0;
  const shed = (most: number, tailTokens: number): readonly JsonValue[] => {
    const left: JsonValue[] = [...pending];
    estimate = estimateSettings(settings) + tailTokens + sumTokens(messages);
    for (let index = 0; index < keptFrom; index++) {
      if (Math.ceil(estimate * ratio) <= most) break;
      const message = messages[index];
      if (message?.role !== "tool" || message.result === LEFT_OUT) continue;
      const note = noteLeftOut(message);
      messages[index] = note;
      left.push(message.result);
      estimate += estimateMessage(note) - estimateMessage(message);
    }
    return left;
  };
  return {
    endWith: (last) => {
      tail = last;
    },
    next: () => {
      const tailTokens = tail === undefined ? 0 : estimateMessage(tail.message);
      const left = tokensMax === undefined ? pending : shed(tokensMax, tailTokens);
      const sent = tail === undefined ? [...messages] : [...messages, tail.message];
      const next: NextRequest = {
        settings,
        messages: (by) => toSent(sent, by),
        messageBytes: () => measureMessages(sent),
        fileBytes: sumFileBytes(sent),
        countForeign: (by) => countForeign(sent, by),
        news,
        leftOut: left,
        ...(tail === undefined ? {} : { tail }),
      };
      const refused = refuseFileBytes(next.fileBytes);
      if (refused !== undefined || tokensMax === undefined) return refused ?? succeed(next);
      const contextTokens = Math.ceil(estimate * ratio);
      return contextTokens > tokensMax
        ? refuseContext(contextTokens, tokensMax)
        : succeed({ ...next, contextTokens });
    },
    hear: (answer) => {
      heard = [answer];
    },
    add: (added) => {
      news = [...heard, ...added];
      heard = [];
      if (news.length > 0) keptFrom = messages.length;
      messages.push(...news);
      pending = [];
    },
    correct: (inputTokens) => {
      if (tokensMax === undefined) return;
      ratio = Math.max(ratio, findRatio(inputTokens, estimate, tokensMax) ?? 1);
    },
    ...UNKEPT,
  };
}

/** Outside a thread, no message can be shown again. */
const UNKEPT: Pick<Conversation, "withhold" | "mayShrink" | "close"> = {
  withhold: () => {},
  mayShrink: () => false,
  close: () => {},
};

/** Its files are left out with it. */
function noteLeftOut({ files: _, ...message }: ToolMessage): ToolMessage {
  return { ...message, result: LEFT_OUT };
}

export function refuseContext(tokens: number, tokensMax: number): Outcome<never> {
  return fail("BUDGET_EXCEEDED", `a request of ${tokens} tokens is more than ${tokensMax}`, {
    fault: "CONTEXT_TOO_LARGE",
  });
}
