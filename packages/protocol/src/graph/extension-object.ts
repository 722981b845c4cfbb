import type { JsonObject } from "../canonical-json.ts";
import { parseSemver } from "../loop/semver.ts";
import { type FieldsOf, type Is, isOneOf } from "../shape.ts";
import { EXTENSION_STATUSES } from "./lifecycles.ts";
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

const EXTENSION_TYPES = [
  "capability",
  "policy",
  "integration",
  "transformation",
  "validation",
  "other",
] as const;

/** Something that adds to what a project can do. */
export interface ExtensionObject extends Attached, Governed {
  readonly meta: Meta;
  readonly extension_id: string;
  readonly context_id: string;
  readonly name: string;
  readonly extension_type: (typeof EXTENSION_TYPES)[number];
  readonly version: string;
  readonly status: (typeof EXTENSION_STATUSES)[number];
  readonly config?: JsonObject;
}

const isSemver: Is<string> = (value): value is string =>
  typeof value === "string" && parseSemver(value) !== undefined;

export const extensionFields: FieldsOf<ExtensionObject> = {
  always: {
    meta: isMeta,
    extension_id: isId,
    context_id: isId,
    name: isFilled,
    extension_type: isOneOf(EXTENSION_TYPES),
    version: isSemver,
    status: isOneOf(EXTENSION_STATUSES),
  },
  sometimes: { config: isOpen, ...attached, ...governed },
};
