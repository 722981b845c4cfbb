import type { JsonObject } from "../canonical-json.ts";
import { type FieldsOf, hasFields, type Is, isListOf, isOneOf, isText } from "../shape.ts";
import { isDateTime } from "./date-time.ts";
import { CONTEXT_STATUSES } from "./lifecycles.ts";
import {
  type Attached,
  attached,
  type Governed,
  governed,
  isFilled,
  isId,
  isMeta,
  isOpen,
  type Meta,
} from "./object-parts.ts";

/** A project: what everything else in a graph is about. Its name outside is context. */
export interface ContextObject extends Attached, Governed {
  readonly meta: Meta;
  readonly context_id: string;
  readonly root: ContextRoot;
  readonly title: string;
  readonly status: (typeof CONTEXT_STATUSES)[number];
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly language?: string;
  readonly owner_role?: string;
  readonly constraints?: JsonObject;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** The one object that may hold more than is listed. */
export interface ContextRoot {
  readonly domain: string;
  readonly environment: string;
  readonly entry_point?: string;
}

const isRoot: Is<ContextRoot> = hasFields(
  { domain: isText, environment: isText },
  { entry_point: isText },
);

export const contextFields: FieldsOf<ContextObject> = {
  always: {
    meta: isMeta,
    context_id: isId,
    root: isRoot,
    title: isFilled,
    status: isOneOf(CONTEXT_STATUSES),
  },
  sometimes: {
    summary: isText,
    tags: isListOf(isFilled),
    language: isText,
    owner_role: isText,
    constraints: isOpen,
    created_at: isDateTime,
    updated_at: isDateTime,
    ...attached,
    ...governed,
  },
};
