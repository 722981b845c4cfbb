import { type FieldsOf, isListOf, isText } from "../shape.ts";
import { isDateTime } from "./date-time.ts";
import {
  type Attached,
  attached,
  type Governed,
  governed,
  isId,
  isMeta,
  type Meta,
} from "./object-parts.ts";

/** A role with its capabilities. It has no status. */
export interface RoleObject extends Attached, Governed {
  readonly meta: Meta;
  readonly role_id: string;
  readonly name: string;
  readonly description?: string;
  readonly capabilities?: readonly string[];
  readonly created_at?: string;
  readonly updated_at?: string;
}

export const roleFields: FieldsOf<RoleObject> = {
  always: { meta: isMeta, role_id: isId, name: isText },
  sometimes: {
    description: isText,
    capabilities: isListOf(isText),
    created_at: isDateTime,
    updated_at: isDateTime,
    ...attached,
    ...governed,
  },
};
