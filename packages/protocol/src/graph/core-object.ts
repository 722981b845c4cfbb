import { type FieldsOf, hasOnly, type Is, isFlag, isListOf, isOneOf, isText } from "../shape.ts";
import { CORE_STATUSES } from "./lifecycles.ts";
import {
  type Attached,
  attached,
  type Governed,
  governed,
  isFilled,
  isId,
  isMeta,
  type Meta,
  MODULES,
  type Module,
} from "./object-parts.ts";

const MODULE_STATUSES = ["enabled", "disabled", "experimental", "deprecated"] as const;

/** The modules in use, with their versions. */
export interface CoreObject extends Attached, Governed {
  readonly meta: Meta;
  readonly core_id: string;
  readonly protocol_version: string;
  readonly status: (typeof CORE_STATUSES)[number];
  readonly modules: readonly ModuleDescriptor[];
}

export interface ModuleDescriptor {
  readonly module_id: Module;
  readonly version: string;
  readonly status: (typeof MODULE_STATUSES)[number];
  readonly required?: boolean;
  readonly description?: string;
}

const isDescriptor: Is<ModuleDescriptor> = hasOnly(
  { module_id: isOneOf(MODULES), version: isFilled, status: isOneOf(MODULE_STATUSES) },
  { required: isFlag, description: isText },
);

export const coreFields: FieldsOf<CoreObject> = {
  always: {
    meta: isMeta,
    core_id: isId,
    protocol_version: isFilled,
    status: isOneOf(CORE_STATUSES),
    modules: isListOf(isDescriptor, { least: 1 }),
  },
  sometimes: { ...attached, ...governed },
};
