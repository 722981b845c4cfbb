/**
 * A turn as one message of the AI SDK, chunk by chunk.
 *
 * 1. The stored message is a fold of the envelopes alone: a later reader, or a second one, gets the
 *    same message.
 * 2. Content that is being written is shown after the stored content, one answer at a time. If it
 *    is stored differently, or not at all, it is withdrawn.
 */
import type { RunState } from "@turnseal/host";
import type { AnswerSource, EventEnvelope, EventEnvelopeOf } from "@turnseal/protocol/events";
import type { FileRef } from "@turnseal/protocol/files";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { createShownAnswer, type StoredText } from "./shown-answer.ts";
import { createSteps } from "./steps.ts";
import { createToldTools } from "./tools-told.ts";
import type { UiChunk } from "./ui-chunk.ts";
import { createWrittenParts } from "./written-parts.ts";

export interface TurnChunks {
  /** A stored entry of the turn. */
  event(envelope: EventEnvelope): void;
  /** A piece of what is being written. */
  delta(delta: LiveDelta): void;
  /** Whose word the turn waits for. */
  ask(requests: RunState["requests"]): void;
  /** Another turn retries the same words: the failure is withdrawn. */
  tryAgain(): void;
  /** True if its last word is a failure. */
  hasFailed(): boolean;
  /** The turn is over, or waits: unstored content is withdrawn. */
  end(): void;
}

type Words = EventEnvelopeOf<"assistant-message" | "reasoning">;
type ToolWords = EventEnvelopeOf<"tool-call" | "tool-result" | "tool-error">;
type DataEvent = EventEnvelopeOf<keyof typeof DATA_NAMES>;

function isWords(envelope: EventEnvelope): envelope is Words {
  return envelope.type === "assistant-message" || envelope.type === "reasoning";
}

function isToolWords(envelope: EventEnvelope): envelope is ToolWords {
  const { type } = envelope;
  return type === "tool-call" || type === "tool-result" || type === "tool-error";
}

function isData(envelope: EventEnvelope): envelope is DataEvent {
  return Object.hasOwn(DATA_NAMES, envelope.type);
}

export function createTurnChunks(emit: (chunk: UiChunk) => void): TurnChunks {
  const steps = createSteps(emit);
  const tools = createToldTools(steps, emit);
  const written = createWrittenParts();
  const answer = createShownAnswer(steps, written);
  /** It was stopped, or it has failed: text that still comes will not be stored. */
  let isEnding = false;
  let failed = false;
  const takeWords = (envelope: Words): void => {
    answer.store(toText(envelope));
    if (envelope.type === "assistant-message") describeRest(envelope).forEach(steps.keep);
  };
  const takeData = (envelope: EventEnvelope, name: string): void => {
    isEnding ||= name === DATA_NAMES["user-abort"] || name === DATA_NAMES["generation-failure"];
    if (isEnding) written.clear();
    failed = name === DATA_NAMES["generation-failure"];
    answer.takeBack();
    if (steps.count() === 0) steps.enter({ sequence: envelope.sequence });
    steps.keep({ type: `data-${name}`, id: envelope.id, data: envelope.content });
  };
  const takeTool = (envelope: ToolWords): void => {
    if (tools.isNew(envelope)) {
      answer.takeBack();
      steps.enter({ sequence: answerOf(envelope) });
    }
    tools.take(envelope);
  };
  // The words that begin a turn are a message of their own.
  const take = (envelope: EventEnvelope): void => {
    if (isWords(envelope)) takeWords(envelope);
    else if (isToolWords(envelope)) takeTool(envelope);
    else if (isData(envelope)) takeData(envelope, DATA_NAMES[envelope.type]);
  };
  const takeBack = (): void => {
    written.clear();
    answer.takeBack();
  };
  return {
    event: (envelope) => {
      take(envelope);
      answer.show();
    },
    delta: (delta) => {
      if (isEnding) return;
      if (written.take(delta) === "voided") answer.takeBack();
      answer.show();
    },
    ask: (requests) => {
      takeBack();
      tools.ask(requests);
      for (const data of requests)
        if (data.kind !== "approval") emit({ type: `data-${data.kind}`, id: data.id, data });
    },
    tryAgain: () => {
      takeBack();
      steps.drop(FAILURE);
      isEnding = false;
      failed = false;
    },
    hasFailed: () => failed,
    end: () => {
      takeBack();
      steps.end();
    },
  };
}

function toText({ type, message, id, sequence, content }: Words): StoredText {
  const kind = type === "reasoning" ? "reasoning" : "text";
  const key = message?.slice(0, message.lastIndexOf("."));
  return { kind, id: message ?? id, text: content.text, key, sequence };
}

/** Names of the data parts, for envelopes without a part of their own in the SDK's protocol. */
const DATA_NAMES = {
  "user-abort": "stopped",
  "generation-failure": "failure",
  "other-agent-message": "agent",
  "child-generation": "child",
} as const;

const FAILURE = `data-${DATA_NAMES["generation-failure"]}` as const;

/** The event of the answer that asked for a tool is in its name; where no model asked, its own. */
function answerOf({ content, sequence }: EventEnvelope): number {
  const { toolCallId } = content as { readonly toolCallId: string };
  const place = /@(\d+)(\.\d+)?$/.exec(toolCallId)?.[1];
  return place === undefined ? sequence : Number(place);
}

/** The address of a file, on this server. */
export function fileUrl(run: string, { file }: Pick<FileRef, "file">): string {
  return `/v1/runs/${run}/files/${file}`;
}

function describeRest({ run, id, content }: EventEnvelopeOf<"assistant-message">): UiChunk[] {
  const { files = [], sources = [], summarized } = content;
  const told: UiChunk = { type: "data-summarized", id, data: summarized };
  return [
    ...(summarized === undefined ? [] : [told]),
    ...sources.map(describeSource),
    ...files.map(
      (file): UiChunk => ({ type: "file", url: fileUrl(run, file), mediaType: file.mediaType }),
    ),
  ];
}

function describeSource({ id, url, title, mediaType, filename }: AnswerSource): UiChunk {
  const named = title === undefined ? {} : { title };
  if (url !== undefined) return { type: "source-url", sourceId: id, url, ...named };
  return {
    ...{ type: "source-document", sourceId: id, mediaType: mediaType ?? "text/plain" },
    title: title ?? filename ?? id,
    ...(filename === undefined ? {} : { filename }),
  };
}
