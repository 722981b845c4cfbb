/**
 * Texts in pieces, for a `StreamHandlers`.
 *
 * 1. The pieces of a text, joined, are the text of its envelope. The rest is sent when the envelope
 *    comes. A text that begins again is announced again.
 * 2. A piece that does not continue the text so far is left out: the envelope has it.
 */

import { formatGenerationId } from "@turnseal/protocol/events";
import type { LiveDelta, StreamHandlers } from "@turnseal/protocol/streaming";

export interface ToldTexts {
  /** True before the first piece of this attempt. */
  isNew(delta: LiveDelta): boolean;
  tellPiece(delta: LiveDelta): Promise<void>;
  /** Sends the rest of a text, or all of it if the text so far differs. */
  complete(place: TextPlace, text: string): Promise<void>;
  /** Whose output the pieces with this key are. */
  name(key: string, tool: ToolName): void;
  clear(): void;
}

interface TextPlace {
  readonly kind: LiveDelta["kind"];
  readonly generationId: string;
  readonly message: string;
}

interface ToolName {
  readonly toolCallId: string;
  readonly toolName: string;
}

export function createToldTexts(handlers: StreamHandlers): ToldTexts {
  const written = new Map<string, { readonly epoch: number; readonly text: string }>();
  const ended = new Set<string>();
  const tools = new Map<string, ToolName>();
  return {
    isNew: (delta) => written.get(placeOf(delta).message)?.epoch !== delta.epoch,
    tellPiece: async (delta) => {
      const { epoch, offset } = delta;
      const place = placeOf(delta);
      const known = written.get(place.message);
      if (ended.has(place.message) || (known !== undefined && known.epoch > epoch)) return;
      const isBegun = known?.epoch === epoch;
      const text = isBegun ? known.text : "";
      const fresh = delta.text.slice(Math.max(0, text.length - offset));
      if (offset > text.length || fresh === "") return;
      if (!isBegun) await announce(handlers, place);
      written.set(place.message, { epoch, text: text + fresh });
      await tell(handlers, place, { delta: fresh, tool: tools.get(place.message) });
    },
    complete: async (place, text) => {
      const { message } = place;
      const told = written.get(message);
      const isPrefix = told !== undefined && text.startsWith(told.text);
      if (!isPrefix) await announce(handlers, place);
      const delta = text.slice(isPrefix ? told.text.length : 0);
      await tell(handlers, place, { delta, tool: tools.get(message) });
      written.delete(message);
      ended.add(message);
    },
    name: (key, tool) => void tools.set(key, tool),
    clear: () => {
      for (const each of [written, ended, tools]) each.clear();
    },
  };
}

async function announce(handlers: StreamHandlers, { kind, ...place }: TextPlace): Promise<void> {
  if (kind === "text") await handlers.onAssistantMessage(place);
  if (kind === "reasoning") await handlers.onReasoningStart(place);
}

interface Piece {
  readonly delta: string;
  readonly tool: ToolName | undefined;
}

async function tell(
  handlers: StreamHandlers,
  { kind, ...place }: TextPlace,
  { delta, tool }: Piece,
): Promise<void> {
  if (delta === "") return;
  const { generationId } = place;
  if (kind === "text") await handlers.onAssistantMessageDelta({ ...place, delta });
  else if (kind === "reasoning") await handlers.onReasoningDelta({ ...place, delta });
  else if (tool !== undefined) await handlers.onToolOutputDelta({ generationId, ...tool, delta });
}

/** The name of a text is that of its envelope. */
function placeOf({ run, turn, kind, key, part }: LiveDelta): TextPlace {
  const message = kind === "tool-output" ? key : `${key}.${part}`;
  return { kind, generationId: formatGenerationId(run, turn), message };
}
