/**
 * Turnseal as a `ChatTransport` of the AI SDK: for `useChat`, and for whatever is built on it.
 *
 * 1. Of what a page holds, the newest words and decisions are sent, and nothing else.
 * 2. A connection that is lost in the middle is opened again, and the message goes on where it was:
 *    the page sees neither a gap nor a repetition.
 * 3. A page that is closed stops nothing. What is to stop, `stop` says.
 */

import type { FileRef } from "@turnseal/protocol/files";
import type { ChatTransport, UIMessage } from "ai";
import { type Backoff, backoffMs, pause, retryAfterMs } from "../wire/backoff.ts";
import { requestServer, type ServerPlace } from "../wire/server-address.ts";
import { readRefusal } from "../wire/server-refusal.ts";
import { newestMessage } from "./newest-message.ts";
import { type ChunkPlace, isPassing, readChunks } from "./read-chunks.ts";

export interface ChatTransportOptions extends ServerPlace {
  /** The agent that the chat is with, by the name that the server knows. */
  readonly agent: string;
  readonly backoff?: Backoff;
}

/** The conversation so far, for `useChat({ messages })`. */
export type ChatMessages<Message extends UIMessage = UIMessage> = Message[];

export interface TurnsealChatTransport<Message extends UIMessage = UIMessage>
  extends ChatTransport<Message> {
  /** Reads what was said in a chat; a page that is loaded shows it first. Throws on a refusal. */
  load(chatId: string): Promise<ChatMessages<Message>>;
  /** Stops the turn that is under way, at the server. */
  stop(chatId: string): Promise<void>;
}

/** Pages of a conversation that are read, and times that a connection is opened without a word. */
export const CHAT_PAGES_MAX = 200;
export const CHAT_ATTEMPTS_MAX = 20;

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
  /** The event up to which a page was told everything, by chat. */
  const seen = new Map<string, number>();
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await requestServer(options, path, init);
    if (!response.ok) throw await toError(response);
    return response;
  };
  /** Asks until somebody answers: what is sent twice counts once. */
  const askOn = async (path: string, init: RequestInit): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await requestServer(options, path, init).catch((error: unknown) => ({
        error,
      }));
      if (answer instanceof Response && !isPassing(answer.status)) {
        if (!answer.ok) throw await toError(answer);
        return answer;
      }
      init.signal?.throwIfAborted();
      if (attempt + 1 >= CHAT_ATTEMPTS_MAX)
        throw answer instanceof Response ? await toError(answer) : answer.error;
      const askedMs = answer instanceof Response ? retryAfterMs(answer) : 0;
      await pause(Math.max(askedMs, backoffMs(attempt, Math.random(), backoff)));
    }
  };
  const goOn = (chatId: string, { turn, steps }: ChunkPlace, signal: AbortSignal | undefined) =>
    askOn(pathOf(chatId, `stream?turn=${turn}&steps=${steps}`), withSignal(signal));
  return {
    resumeStreamIsReplay: true,
    sendMessages: async ({ chatId, messages, trigger, messageId, abortSignal }) => {
      const upload = async (blob: Blob, name: string | undefined) => {
        const query = name === undefined ? "" : `?name=${encodeURIComponent(name)}`;
        const headers = { "content-type": blob.type };
        const init = { method: "POST", headers, body: blob, ...withSignal(abortSignal) };
        // Held to what a file is by whoever takes the message.
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
      const response = await askOn(pathOf(chatId, `stream${query}`), init);
      if (response.status === 204) return null;
      return readChunks(response, {
        signal: abortSignal,
        again: (place) => goOn(chatId, place ?? { turn: 0, steps: 0 }, abortSignal),
      });
    },
    load: async (chatId) => {
      const messages = new Map<string, Message>();
      let after = "";
      for (let pages = 0; pages < CHAT_PAGES_MAX; pages += 1) {
        const response = await askOn(pathOf(chatId, `messages?limit=500${after}`), {});
        const page = (await response.json()) as LoadedPage<Message>;
        for (const message of page.messages) {
          // A turn that is longer than a page goes on with the next.
          const known = messages.get(message.id);
          const parts = [...(known?.parts ?? []), ...message.parts];
          messages.set(message.id, { ...message, parts });
        }
        seen.set(chatId, page.sequence);
        if (page.next === null) break;
        after = `&after=${encodeURIComponent(page.next)}`;
      }
      return [...messages.values()];
    },
    stop: async (chatId) => {
      const response = await requestServer(options, pathOf(chatId, "stop"), { method: "POST" });
      // What has ended by itself needs no stop.
      if (!response.ok && response.status !== 409) throw await toError(response);
    },
  };
}

interface LoadedPage<Message> {
  readonly messages: readonly Message[];
  readonly sequence: number;
  readonly next: string | null;
}

function withSignal(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** A refusal as the AI SDK hands it to `onError`. */
async function toError(response: Response): Promise<Error> {
  const { code, message } = await readRefusal(response);
  return new Error(message === "" ? code : `${code}: ${message}`);
}
