/**
 * Renders guidance for a model request: as messages of its own, before the prompt, framed so that
 * no document can pretend to end.
 */
import type { ModelMessage } from "@turnseal/protocol";
import type { GivenGuidance, TurnGuidance } from "../values/turn-guidance.ts";
import { frameTexts } from "./frame-texts.ts";

// Every prompt of a turn gets the same, and messages are measured once each.
const rendered = new WeakMap<TurnGuidance, ModelMessage[]>();

/**
 * At most two messages. The documents of a run are the same in every turn, so that their message is
 * stored once; parts that change from turn to turn are in the other.
 */
export function renderGuidance(guidance: TurnGuidance): readonly ModelMessage[] {
  const known = rendered.get(guidance);
  if (known !== undefined) return known;
  const messages = [
    ...renderFrames(guidance.documents, "Reference documents"),
    ...renderFrames(guidance.summaries, "Summaries of earlier turns"),
  ];
  rendered.set(guidance, messages);
  return messages;
}

function renderFrames(given: readonly GivenGuidance[], title: string): ModelMessage[] {
  return given.length === 0 ? [] : [{ role: "user", text: frameTexts(given, title) }];
}
