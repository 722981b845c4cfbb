/** The session of a run as the conformance suite sees it (spec/conformance.md, "Sessions"). */
import { parseSession } from "@turnseal/conformance/program";
import { driveHandlers, readModelMessages, readSession } from "@turnseal/host";
import type { LiveBus, Stores } from "@turnseal/ports";
import type { StreamHandlers } from "@turnseal/protocol/streaming";
import { toModelMessages } from "@turnseal/views";

type Answer = Readonly<Record<string, unknown>>;

/** A page of the session, or that there is no such place. */
export async function answerSession(stores: Stores, params: unknown): Promise<Answer> {
  const { run, ...options } = parseSession(params, "session");
  const page = await readSession(stores, run, options);
  return page === undefined ? { kind: "refused", envelopes: [] } : { kind: "read", ...page };
}

/** The conversation with the model: from the session, and for each request from the log. */
export async function answerConversation(stores: Stores, run: string): Promise<Answer> {
  const page = await readSession(stores, run);
  const events = await stores.log.read(run, 1);
  const requests: unknown[] = [];
  for (const { type, content, sequence } of events) {
    if (type !== "action.claimed" || content.action !== "model") continue;
    const read = await readModelMessages(stores, run, sequence);
    requests.push(read.kind === "read" ? read.messages : null);
  }
  return { messages: toModelMessages(page?.envelopes ?? []), requests };
}

interface Watched {
  readonly stores: Stores;
  readonly live: LiveBus;
  readonly run: string;
}

/** Lets something happen to a run, and answers with every callback that was called meanwhile. */
export async function watchCallbacks(
  { stores, live, run }: Watched,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const calls: { callback: string; info: unknown }[] = [];
  const stop = new AbortController();
  // The clock never triggers a read: the bus reports every change.
  const clock = { now: () => 0, after: () => () => {} };
  const watching = driveHandlers({ stores, live, clock }, run, recordCalls(calls), {
    signal: stop.signal,
  });
  const answer = await act();
  stop.abort();
  const result = await watching;
  return { ...answer, calls, status: result?.status ?? "refused" };
}

const callbacks: readonly (keyof StreamHandlers)[] = [
  "onAssistantMessage",
  "onAssistantMessageDelta",
  "onReasoningStart",
  "onReasoningDelta",
  "onToolCall",
  "onToolResult",
  "onToolNotFound",
  "onToolError",
  "onToolOutputDelta",
  "onToolApprovalRequired",
];

function recordCalls(calls: { callback: string; info: unknown }[]): StreamHandlers {
  const record = (callback: string) => async (info: unknown) => {
    calls.push({ callback, info });
  };
  // The object has every callback of the list, and no other is called.
  return Object.fromEntries(
    callbacks.map((callback) => [callback, record(callback)]),
  ) as unknown as StreamHandlers;
}
