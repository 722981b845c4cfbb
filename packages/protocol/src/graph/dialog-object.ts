import { type FieldsOf, hasOnly, type Is, isListOf, isOneOf, isText } from "../shape.ts";
import { isDateTime } from "./date-time.ts";
import { DIALOG_STATUSES } from "./lifecycles.ts";
import {
  type Attached,
  attached,
  type EmbeddedEvent,
  type Governed,
  governed,
  isEmbeddedEvent,
  isId,
  isMeta,
  type Meta,
} from "./object-parts.ts";

const SPEAKERS = ["user", "assistant", "system", "agent"] as const;

/** The words of a dialog. */
export interface DialogObject extends Attached, Governed {
  readonly meta: Meta;
  readonly dialog_id: string;
  readonly context_id: string;
  readonly status: (typeof DIALOG_STATUSES)[number];
  readonly messages: readonly DialogMessage[];
  readonly thread_id?: string;
  readonly started_at?: string;
  readonly ended_at?: string;
}

export interface DialogMessage {
  readonly role: (typeof SPEAKERS)[number];
  readonly content: string;
  readonly timestamp: string;
  readonly event?: EmbeddedEvent;
}

const isMessage: Is<DialogMessage> = hasOnly(
  { role: isOneOf(SPEAKERS), content: isText, timestamp: isDateTime },
  { event: isEmbeddedEvent },
);

export const dialogFields: FieldsOf<DialogObject> = {
  always: {
    meta: isMeta,
    dialog_id: isId,
    context_id: isId,
    status: isOneOf(DIALOG_STATUSES),
    messages: isListOf(isMessage),
  },
  sometimes: {
    thread_id: isId,
    started_at: isDateTime,
    ended_at: isDateTime,
    ...attached,
    ...governed,
  },
};
