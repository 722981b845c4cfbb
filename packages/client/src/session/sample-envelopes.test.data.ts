/** Envelopes of one session, written by hand. */
import type { EventContents, EventEnvelope, EventType } from "@turnseal/protocol/events";

export const run = "0b5e7f6e-1c1d-4c3a-9d3b-5a3c1d2e3f40";
export const generationId = `${run}/1`;

interface Place {
  readonly sequence: number;
  readonly index?: number;
  readonly message?: string;
  readonly generation?: number;
}

export function envelope<Type extends EventType>(
  type: Type,
  content: EventContents[Type],
  { sequence, index = 0, message, generation = 1 }: Place,
): EventEnvelope {
  // The type and its content belong together; the compiler cannot see it through the parameter.
  return {
    id: `${run}/${sequence}.${index}`,
    run,
    sequence,
    type,
    content,
    createdAt: "2026-01-02T03:04:05.000Z",
    generationId: `${run}/${generation}`,
    ...(message === undefined ? {} : { message }),
  } as EventEnvelope;
}

const tool = { toolCallId: "call-1", toolName: "local.pay" };
const args = { cents: 4200 };

/** Asked, thought about, called with a person's consent, answered; then stopped by a person. */
export const conversation: readonly EventEnvelope[] = [
  envelope("user-message", { text: "Pay order 17" }, { sequence: 3 }),
  envelope("reasoning", { text: "I must pay." }, { sequence: 9, message: "a.0" }),
  envelope("assistant-message", { text: "Paying." }, { sequence: 9, index: 1, message: "a.1" }),
  envelope("tool-call", { ...tool, args }, { sequence: 9, index: 2, message: "b" }),
  envelope(
    "tool-call",
    { ...tool, args, approvalStatus: "pending_approval", approvalDescription: "Pay 42?" },
    { sequence: 11, message: "b" },
  ),
  envelope("tool-call", { ...tool, args, approvalStatus: "approved" }, { sequence: 12 }),
  envelope("tool-result", { ...tool, result: { ok: true }, output: "sent\n" }, { sequence: 14 }),
  envelope("assistant-message", { text: "Paid." }, { sequence: 17, message: "c.0" }),
  envelope("user-message", { text: "Again" }, { sequence: 20, generation: 2 }),
  envelope("tool-call", { ...tool, args }, { sequence: 22, message: "d", generation: 2 }),
  envelope("user-abort", { generationId: `${run}/2` }, { sequence: 24, generation: 2 }),
];
