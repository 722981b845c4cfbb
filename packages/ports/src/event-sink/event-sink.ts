import type { CallEvent } from "@turnseal/protocol/trace";

/**
 * Watches a call.
 *
 * It MUST receive every event of the call once, in order. It MAY throw, reject or never resolve: it
 * is not waited for and MUST NOT change what the call does.
 */
export type EventSink = (event: CallEvent) => void | Promise<void>;
