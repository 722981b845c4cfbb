/**
 * The conversation of a run as messages, page by page: a person's words, and each turn as one
 * message of the agent, with its tools, its open approvals and its receipt.
 */
import { readRunState, readSession } from "@turnseal/host";
import {
  type EventEnvelope,
  type EventEnvelopeOf,
  formatGenerationId,
  parseGenerationId,
} from "@turnseal/protocol/events";
import { applyChunk, type UiMessage, type UiPart } from "../chunks/apply-chunk.ts";
import { createTurnChunks, fileUrl, type TurnChunks } from "../chunks/turn-chunks.ts";
import type { SessionHost } from "../session-host.ts";
import { isRetry } from "./retries.ts";

export interface TranscriptPage {
  readonly messages: readonly UiMessage[];
  /** The event of the log up to which this holds. */
  readonly sequence: number;
  /** Ask for what is after this; null when that is all. */
  readonly next: string | null;
}

export interface TranscriptPlace {
  readonly after?: string | undefined;
  /** Entries of the session that are read for one page. */
  readonly limit: number;
}

/** Undefined when `after` is no place of the run. */
export async function readTranscript(
  host: SessionHost,
  run: string,
  { after, limit }: TranscriptPlace,
): Promise<TranscriptPage | undefined> {
  // The requests are read first: a later one does not show yet.
  const state = await readRunState(host, run);
  const page = await readSession(host.stores, run, {
    limit,
    ...(after === undefined ? {} : { after }),
  });
  if (page === undefined) return undefined;
  const whole = page.isEnd ? page.envelopes : cutAtTurn(page.envelopes);
  const messages = createMessages(run);
  for (const envelope of whole) {
    const { generationId } = envelope;
    const turn = parseGenerationId(generationId ?? "")?.turn;
    if (turn !== undefined && messages.mayGoOn(turn) && (await isRetry(host, run, turn)))
      messages.goOn(turn);
    messages.take(envelope);
  }
  if (page.isEnd && state.turn !== null && state.requests.length > 0)
    messages.turn(formatGenerationId(run, state.turn)).ask(state.requests);
  await addReceipts(host, run, messages);
  const next = page.isEnd ? null : (whole.at(-1)?.id ?? null);
  return { messages: messages.list(), sequence: state.sequence, next };
}

/** A turn is not torn apart, unless a page has nothing else. */
function cutAtTurn(envelopes: readonly EventEnvelope[]): readonly EventEnvelope[] {
  const last = envelopes.at(-1)?.generationId;
  const end = envelopes.findLastIndex(({ generationId }) => generationId !== last) + 1;
  return last === undefined || end === 0 ? envelopes : envelopes.slice(0, end);
}

interface Turn extends TurnChunks {
  parts: readonly UiPart[];
}

function createMessages(run: string) {
  const listed = new Map<string, UiMessage | Turn>();
  /** Turns that go on with the message of the turn before. */
  const tries = new Map<string, Turn>();
  const known = (id: string): Turn | undefined => {
    const found = tries.get(id) ?? listed.get(id);
    return found !== undefined && "ask" in found ? found : undefined;
  };
  const idOf = (of: number): string => formatGenerationId(run, of);
  const turn = (id: string): Turn => {
    const present = known(id);
    if (present !== undefined) return present;
    const chunks = createTurnChunks((chunk) => {
      added.parts = applyChunk(added.parts, chunk);
    });
    const added: Turn = { ...chunks, parts: [] };
    listed.set(id, added);
    return added;
  };
  return {
    turn,
    /** True if the turn before has failed, and this one was not looked at. */
    mayGoOn: (of: number): boolean =>
      known(idOf(of)) === undefined && known(idOf(of - 1))?.hasFailed() === true,
    goOn: (of: number): void => {
      const before = known(idOf(of - 1));
      if (before === undefined) return;
      before.tryAgain();
      tries.set(idOf(of), before);
    },
    take: (envelope: EventEnvelope): void => {
      const begun = describeBeginning(envelope);
      const { generationId } =
        envelope.type === "user-abort" ? envelope.content : { generationId: envelope.generationId };
      if (begun !== undefined) listed.set(envelope.id, begun);
      else if (generationId !== undefined) turn(generationId).event(envelope);
    },
    turns: (): [number, Turn][] =>
      [...listed, ...tries].flatMap(([id, each]) =>
        "ask" in each ? [[parseGenerationId(id)?.turn ?? 0, each]] : [],
      ),
    list: (): UiMessage[] =>
      [...listed].map(([id, each]) => {
        if (!("ask" in each)) return each;
        const metadata = { run, turn: parseGenerationId(id)?.turn };
        return { id, role: "assistant", metadata, parts: each.parts };
      }),
  };
}

/** The beginning of a turn is a message of its own. */
function describeBeginning(envelope: EventEnvelope): UiMessage | undefined {
  const { id } = envelope;
  switch (envelope.type) {
    case "user-message":
      return { id, role: "user", parts: describeUser(envelope) };
    case "trigger":
    case "loop-triggered":
      return {
        ...{ id, role: "user" },
        parts: [{ type: `data-${envelope.type}`, id, data: envelope.content }],
      };
    default:
      return undefined;
  }
}

function describeUser({ run, content }: EventEnvelopeOf<"user-message">): UiPart[] {
  const { text, files = [] } = content;
  return [
    ...files.map(({ mediaType, name, ...file }) => ({
      ...{ type: "file", mediaType, url: fileUrl(run, file) },
      ...(name === undefined ? {} : { filename: name }),
    })),
    { type: "text", text },
  ];
}

async function addReceipts(
  { stores }: SessionHost,
  run: string,
  messages: ReturnType<typeof createMessages>,
): Promise<void> {
  const turns = new Map(messages.turns());
  if (turns.size === 0) return;
  const first = Math.min(...turns.keys());
  for (const { turn, id } of await stores.receipts.list(run, first, turns.size)) {
    const message = turns.get(turn);
    if (message !== undefined) message.parts = applyChunk(message.parts, describeReceipt(turn, id));
  }
}

/** The receipt of a turn, for readers who want to verify it. */
export function describeReceipt(turn: number, id: string) {
  return { type: "data-receipt", id: `receipt ${turn}`, data: { turn, id } } as const;
}
