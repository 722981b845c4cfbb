import { type FieldsOf, hasOnly, type Is, isListOf, isOneOf, isText } from "../shape.ts";
import { isDateTime } from "./date-time.ts";
import { COLLAB_STATUSES } from "./lifecycles.ts";
import {
  type Attached,
  attached,
  type Governed,
  governed,
  isFilled,
  isId,
  isMeta,
  type Meta,
} from "./object-parts.ts";

const MODES = ["broadcast", "round_robin", "orchestrated", "swarm", "pair"] as const;
const PARTICIPANT_KINDS = ["agent", "human", "system", "external"] as const;

/** Several who work together. */
export interface CollabObject extends Attached, Governed {
  readonly meta: Meta;
  readonly collab_id: string;
  readonly context_id: string;
  readonly title: string;
  readonly purpose: string;
  readonly mode: (typeof MODES)[number];
  readonly status: (typeof COLLAB_STATUSES)[number];
  readonly participants: readonly Participant[];
  readonly created_at: string;
  readonly updated_at?: string;
}

export interface Participant {
  readonly participant_id: string;
  readonly kind: (typeof PARTICIPANT_KINDS)[number];
  readonly role_id?: string;
  readonly display_name?: string;
}

const isParticipant: Is<Participant> = hasOnly(
  { participant_id: isFilled, kind: isOneOf(PARTICIPANT_KINDS) },
  { role_id: isText, display_name: isText },
);

export const collabFields: FieldsOf<CollabObject> = {
  always: {
    meta: isMeta,
    collab_id: isId,
    context_id: isId,
    title: isFilled,
    purpose: isFilled,
    mode: isOneOf(MODES),
    status: isOneOf(COLLAB_STATUSES),
    participants: isListOf(isParticipant, { least: 1 }),
    created_at: isDateTime,
  },
  sometimes: { updated_at: isDateTime, ...attached, ...governed },
};
