/** From a foreign value to an object of a graph, or to the first field that is wrong. */
import { isPlainObject } from "../canonical-json.ts";
import { type Fields, findWrongField, type WrongField } from "../shape.ts";
import { type CollabObject, collabFields } from "./collab-object.ts";
import { type ConfirmObject, confirmFields } from "./confirm-object.ts";
import { type ContextObject, contextFields } from "./context-object.ts";
import { type CoreObject, coreFields } from "./core-object.ts";
import { type DialogObject, dialogFields } from "./dialog-object.ts";
import { type ExtensionObject, extensionFields } from "./extension-object.ts";
import { type NetworkObject, networkFields } from "./network-object.ts";
import { type PlanObject, planFields, type StepObject, stepFields } from "./plan-object.ts";
import { type RoleObject, roleFields } from "./role-object.ts";
import {
  type SegmentObject,
  segmentFields,
  type TraceObject,
  traceFields,
} from "./trace-object.ts";

export interface ObjectOf {
  readonly context: ContextObject;
  readonly plan: PlanObject;
  readonly step: StepObject;
  readonly trace: TraceObject;
  readonly segment: SegmentObject;
  readonly confirm: ConfirmObject;
  readonly role: RoleObject;
  readonly collab: CollabObject;
  readonly dialog: DialogObject;
  readonly extension: ExtensionObject;
  readonly network: NetworkObject;
  readonly core: CoreObject;
}
/** The types of a node of a graph. */
export type ObjectType = keyof ObjectOf;

const fieldsOf: Readonly<Record<ObjectType, Fields>> = {
  context: contextFields,
  plan: planFields,
  step: stepFields,
  trace: traceFields,
  segment: segmentFields,
  confirm: confirmFields,
  role: roleFields,
  collab: collabFields,
  dialog: dialogFields,
  extension: extensionFields,
  network: networkFields,
  core: coreFields,
};

export type ParsedObject<Type extends ObjectType> =
  | { readonly kind: "parsed"; readonly object: ObjectOf[Type] }
  | { readonly kind: "refused"; readonly field: string; readonly fault: WrongField["fault"] };

/** Reads an object of a type; a refusal names the first field that is wrong, or none. */
export function parseObject<Type extends ObjectType>(
  type: Type,
  value: unknown,
): ParsedObject<Type> {
  if (!isPlainObject(value)) return { kind: "refused", field: "", fault: "wrong" };
  const wrong = findWrongField(fieldsOf[type], value);
  if (wrong !== undefined) return { kind: "refused", field: wrong.name, fault: wrong.fault };
  // Every field was checked by the check that the compiler holds against the type.
  return { kind: "parsed", object: value as unknown as ObjectOf[Type] };
}

/** The first invalid field of an edit of this type; null removes a field. */
export function findWrongEdit(
  type: ObjectType,
  fields: Readonly<Record<string, unknown>>,
): WrongField | undefined {
  const { always, sometimes } = fieldsOf[type];
  for (const [name, value] of Object.entries(fields)) {
    const isNeeded = Object.hasOwn(always, name);
    if (!isNeeded && !Object.hasOwn(sometimes, name)) return { name, fault: "unknown" };
    if (isNeeded && value === null) return { name, fault: "missing" };
    const check = isNeeded ? always[name] : sometimes[name];
    if (value !== null && check?.(value) !== true) return { name, fault: "wrong" };
  }
  return undefined;
}
