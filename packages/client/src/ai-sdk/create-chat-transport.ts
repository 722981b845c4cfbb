/**
 * Turnseal as a `ChatTransport` of the AI SDK: for `useChat`, and for libraries built on it.
 *
 * 1. The page sends only its newest words and decisions.
 * 2. A connection that is lost in the middle is opened again, and the message goes on where it was:
 *    the page sees neither a gap nor a repetition.
 * 3. Closing a page stops nothing; only `stop` does.
 */

import type { FileRef } from "@turnseal/protocol/files";
import type { ChatTransport, UIMessage } from "ai";
import type { Backoff } from "../wire/backoff.ts";
import { requestServer, type ServerPlace } from "../wire/server-address.ts";
import { createAsking, toError } from "./asking.ts";
import { loadPages } from "./load-pages.ts";
import { newestMessage } from "./newest-message.ts";
import { type ChunkPlace, readChunks } from "./read-chunks.ts";
import { waitForDecision } from "./wait-for-decision.ts";

export interface ChatTransportOptions extends ServerPlace {
  /** The agent that the chat is with, by the name that the server knows. */
  readonly agent: string;
  readonly backoff?: Backoff;
}

export interface UntilDecidedOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds between two looks at the server: 2,000 if absent. */
  readonly everyMs?: number;
}

/** The conversation so far, for `useChat({ messages })`. */
export type ChatMessages<Message extends UIMessage = UIMessage> = Message[];

export interface TurnsealChatTransport<Message extends UIMessage = UIMessage>
  extends ChatTransport<Message> {
  /** Reads the messages of a chat; a page shows them when it loads. Throws on a refusal. */
  load(chatId: string): Promise<ChatMessages<Message>>;
  /**
   * Ends when nobody is asked any more for the approvals that a message shows: somebody decided, in
   * another tab or by the command, or they expired. Then load the chat again.
   */
  untilDecided(message: Message, options?: UntilDecidedOptions): Promise<void>;
  /** Stops the turn that is under way, at the server. */
  stop(chatId: string): Promise<void>;
}

/**
 * @example
 * const transport = createChatTransport({ url, agent: "support", token });
 * const { messages, sendMessage } = useChat({ id, transport, resume: true });
 */
export function createChatTransport<Message extends UIMessage = UIMessage>(
  options: ChatTransportOptions,
): TurnsealChatTransport<Message> {
  const { agent, backoff } = options;
  const base = `chats/${encodeURIComponent(agent)}`;
  const pathOf = (chatId: string, rest: string) => `${base}/${encodeURIComponent(chatId)}/${rest}`;
  /** The last event that a page has received, by chat. */
  const seen = new Map<string, number>();
  const { ask, askOn } = createAsking(options, backoff);
  const goOn = (chatId: string, { turn, steps }: ChunkPlace, signal: AbortSignal | undefined) =>
    askOn(pathOf(chatId, `stream?turn=${turn}&steps=${steps}`), withSignal(signal));
  return {
    resumeStreamIsReplay: true,
    sendMessages: async ({ chatId, messages, trigger, messageId, abortSignal }) => {
      const upload = async (blob: Blob, name: string | undefined) => {
        const query = name === undefined ? "" : `?name=${encodeURIComponent(name)}`;
        const headers = { "content-type": blob.type };
        const init = { method: "POST", headers, body: blob, ...withSignal(abortSignal) };
        // The server checks the file when it takes the message.
        return (await (await ask(pathOf(chatId, `files${query}`), init)).json()) as FileRef;
      };
      const newest = await newestMessage(messages, messageId, upload);
      const body = JSON.stringify({ id: chatId, messages: newest, trigger });
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body, ...withSignal(abortSignal) };
      seen.delete(chatId);
      const steps = newest.flatMap(({ role, parts }) =>
        role === "assistant" ? parts.filter(({ type }) => type === "step-start") : [],
      ).length;
      const first = await askOn(base, init);
      return readChunks(first, {
        ...{ signal: abortSignal, steps },
        again: (place) =>
          place === undefined ? askOn(base, init) : goOn(chatId, place, abortSignal),
      });
    },
    reconnectToStream: async ({ chatId, abortSignal }) => {
      const known = seen.get(chatId);
      seen.delete(chatId);
      const query = known === undefined ? "" : `?seen=${known}`;
      const init = withSignal(abortSignal);
      // Each request names the last event seen, so that nothing is lost that ended meanwhile.
      const askFor = () => askOn(pathOf(chatId, `stream${query}`), init);
      const response = await askFor();
      if (response.status === 204) return null;
      return readChunks(response, {
        signal: abortSignal,
        again: (place) => (place === undefined ? askFor() : goOn(chatId, place, abortSignal)),
      });
    },
    load: async (chatId) => {
      const loaded = await loadPages<Message>((query) =>
        askOn(pathOf(chatId, `messages?limit=500${query}`), {}),
      );
      seen.set(chatId, loaded.sequence);
      return loaded.messages;
    },
    untilDecided: (message, { signal, everyMs } = {}) =>
      waitForDecision(message, {
        everyMs,
        signal,
        readOpen: async (run) => {
          const init = withSignal(signal);
          const response = await askOn(`runs/${encodeURIComponent(run)}`, init);
          const { requests } = (await response.json()) as { requests: readonly { id: string }[] };
          return requests.map(({ id }) => id);
        },
      }),
    stop: async (chatId) => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: "{}" };
      const response = await requestServer(options, pathOf(chatId, "stop"), init);
      // A turn that has ended needs no stop.
      if (!response.ok && response.status !== 409) throw await toError(response);
    },
  };
}

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
