/**
 * Stands between the client of the protocol and a transport.
 *
 * 1. A request whose answer can no longer come fails at once.
 * 2. A result that the protocol of 2025 does not have is an error: its reader would drop the field
 *    that says so, and a question would look like an answer.
 * 3. A cancelled request over HTTP is closed.
 * 4. A server that sends more than it is asked for is cut off. Answers to nothing are dropped.
 */
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";

import { UNASKED_MESSAGES_MAX } from "../limits.ts";

export interface Guard {
  /** True once the server is known to speak the protocol of 2025. */
  isLegacy(): boolean;
}

/** Codes of our own, in the place of an answer. */
export const FOREIGN_RESULT = -32_098;
export const BROKEN_STREAM = -32_097;

/** The same transport with the guard in front of the client. */
export function guardTransport(inner: Transport, guard: Guard): Transport {
  const open = new Map<RequestId, AbortController>();
  let unasked = 0;
  const tell = (message: JSONRPCMessage, extra?: Parameters<Listener>[1]) => {
    const isAnswer = !("method" in message) && message.id !== undefined && open.delete(message.id);
    if (unasked > UNASKED_MESSAGES_MAX) return;
    unasked = isAnswer ? 0 : unasked + 1;
    if (unasked > UNASKED_MESSAGES_MAX) return void inner.close();
    if (isAnswer || "method" in message) outer.onmessage?.(guardMessage(message, guard), extra);
  };
  const outer: Transport = {
    start: async () => {
      inner.onmessage = tell;
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      await inner.start();
    },
    send: async (message, options) => {
      if (!("method" in message)) return inner.send(message, options);
      if (!("id" in message)) {
        // First: the server may leave the message about it unanswered.
        closeCancelled(message, open);
        return inner.send(message, options);
      }
      const { id } = message;
      const controller = new AbortController();
      open.set(id, controller);
      const signals = [controller.signal, options?.requestSignal].filter(
        (one) => one !== undefined,
      );
      await inner.send(message, {
        ...options,
        requestSignal: AbortSignal.any(signals),
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          if (open.has(id)) tell(failureOf(id, BROKEN_STREAM, "the stream of the answer broke"));
        },
      });
    },
    close: () => inner.close(),
    ...(inner.hasPerRequestStream === true ? { hasPerRequestStream: true } : {}),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    get sessionId() {
      return inner.sessionId;
    },
  };
  return outer;
}

type Listener = NonNullable<Transport["onmessage"]>;

function closeCancelled(message: JSONRPCMessage, open: Map<RequestId, AbortController>): void {
  if (!("method" in message) || message.method !== "notifications/cancelled") return;
  const { requestId } = Object(message.params) as { readonly requestId?: RequestId };
  if (requestId === undefined) return;
  open.get(requestId)?.abort();
  open.delete(requestId);
}

function guardMessage(message: JSONRPCMessage, { isLegacy }: Guard): JSONRPCMessage {
  if (!isLegacy() || !("result" in message)) return message;
  const { resultType = "complete" } = Object(message.result) as { readonly resultType?: unknown };
  if (resultType === "complete") return message;
  return failureOf(message.id, FOREIGN_RESULT, "the result is of another protocol");
}

function failureOf(id: RequestId, code: number, message: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
