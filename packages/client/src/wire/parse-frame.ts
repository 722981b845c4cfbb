/**
 * Parses one frame of the stream. An unknown or broken frame gives undefined. Envelopes are checked
 * by the protocol; the two other kinds here.
 */
import { ENVELOPE_BYTES_MAX, type EventEnvelope, parseEnvelope } from "@turnseal/protocol/events";
import { hasFields, type Is, isCount, isOneOf, isText } from "@turnseal/protocol/shape";
import type { EventSourceMessage } from "eventsource-parser";
import type { Delta, OpenRequest, RunStatus } from "../session/session-state.ts";

/** Characters of one frame, and of what has arrived of one. */
export const FRAME_LENGTH_MAX = ENVELOPE_BYTES_MAX + 1_024;
/** Requests for people that a run can have open at one time; the rest is not shown. */
export const REQUESTS_MAX = 256;

export type Frame =
  | { readonly kind: "event"; readonly event: EventEnvelope }
  | { readonly kind: "delta"; readonly delta: Delta }
  | { readonly kind: "state"; readonly status: RunStatus };

type Fields = Readonly<Record<string, unknown>>;

export function parseFrame({ event: name, data }: EventSourceMessage): Frame | undefined {
  const value = parseObject(data);
  if (value === undefined) return undefined;
  if (name === "event") {
    const parsed = parseEnvelope(value);
    return parsed.kind === "parsed" ? { kind: "event", event: parsed.envelope } : undefined;
  }
  if (name === "delta") return isDelta(value) ? { kind: "delta", delta: value } : undefined;
  return name === "state" ? parseStatus(value) : undefined;
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isFields: Is<Fields> = hasFields({});

const isDelta: Is<Delta> = hasFields({
  generationId: isText,
  message: isText,
  kind: isOneOf(["text", "reasoning", "tool-output"]),
  epoch: isCount,
  offset: isCount,
  text: isText,
});

function parseStatus(value: Fields): Frame | undefined {
  const { status, stopped, requests, sequence } = value;
  if (status !== "running" && status !== "waiting" && status !== "done") return undefined;
  if (!Array.isArray(requests)) return undefined;
  return {
    kind: "state",
    status: {
      status,
      ...(typeof stopped === "string" ? { stopped } : {}),
      requests: requests.filter(isRequest).slice(0, REQUESTS_MAX),
      ...(isCount(sequence) ? { sequence } : {}),
    },
  };
}

const isRequest: Is<OpenRequest> = hasFields({
  kind: isOneOf(["approval", "question", "unknown"]),
  id: isText,
  name: isText,
  generationId: isText,
  message: isText,
});
