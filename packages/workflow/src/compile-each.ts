/** A step for each item of a list. */
import type { FlowNode, ForEachNode, JsonSchema, MappingSource } from "@turnseal/protocol";
import { compileAction, type Place } from "./compile-call.ts";
import { placed, type Seen, type Sight } from "./compiling.ts";
import { refusePython } from "./conditions.ts";
import { findSchema, findVariable, readExpression, toName, useInput } from "./variables.ts";
import { toBody, type Work } from "./work.ts";
import type { Doing } from "./workflow-document.ts";

/** Items at most, where a step does not say. */
const ITEMS_DEFAULT = 100;

interface EachRequest {
  readonly doing: Doing;
  readonly name: string;
  readonly sight: Sight;
  /** Compiles the work for one item, with its name in sight. */
  readonly compileItem: (sight: Sight) => Work | undefined;
}

/** The name of the plugin that runs items at once. */
const FANOUT = "fanout";

/** True for what goes through a list. */
export function isEach({ for_each, plugin }: Doing): boolean {
  return for_each !== undefined || plugin === "for-each" || plugin === FANOUT;
}

export function compileEach(request: EachRequest, place: Place): Work | undefined {
  const { doing, name, sight, compileItem } = request;
  const list = findItems(doing, { name, sight }, place);
  if (list === undefined) return undefined;
  const as = toName(doing.as ?? "item");
  const seen: Seen = { cel: as, path: `$.${as}`, schema: findSchema(list.schema, "0") };
  const work = compileItem({ ...sight, names: new Map([...sight.names, [as, seen]]) });
  if (work === undefined) return undefined;
  const { concurrency, max_items: max = ITEMS_DEFAULT } = doing;
  const atOnce = doing.plugin === FANOUT ? concurrency : 1;
  const node: ForEachNode = {
    ...{ kind: "forEach", items: list.items, max, body: toBody(work) },
    ...(as === "item" ? {} : { as }),
    ...(atOnce === undefined ? {} : { concurrency: atOnce }),
    ...(doing.on_error === "skip" ? { onItemError: "continue" } : {}),
  };
  const items = doing.on_error === "skip" ? true : work.schema;
  return {
    before: list.before,
    node: placed(place.compiling, place.path, node),
    schema: { type: "array", items },
  };
}

interface Items {
  readonly before: readonly FlowNode[];
  readonly items: MappingSource;
  readonly schema: JsonSchema;
}

function findItems(
  { for_each, source }: Doing,
  { name, sight }: { readonly name: string; readonly sight: Sight },
  { compiling, path }: Place,
): Items | undefined {
  const key = for_each === undefined ? "source" : "for_each";
  const at = { compiling, path: `${path}/${key}` };
  const written = for_each ?? source;
  if (written === undefined) {
    const message = "there is no list to go through";
    const mend = "add for_each, or the source that gives it";
    compiling.problems.push({ rule: "field-missing", path, message, mend });
    return undefined;
  }
  if (typeof written !== "string")
    return { before: [], items: { const: [...written] }, schema: { type: "array" } };
  if (written.startsWith("python:")) return refusePython(written, key, at);
  if (written.startsWith("cel:")) {
    const cel = readExpression(written, at);
    return cel === undefined ? undefined : fixed({ cel });
  }
  const [, variable] = /^\{([\w.-]+)\}$/.exec(written) ?? [];
  if (variable !== undefined) return readVariable(variable, sight, at);
  const known = sight.names.get(toName(written));
  if (known !== undefined) return fixed(known.path ?? { cel: known.cel }, known.schema);
  return callSource(written, { name: `${name}_items`, sight }, at);
}

function fixed(items: MappingSource, schema: JsonSchema = true): Items {
  return { before: [], items, schema };
}

/** An input that is gone through is a list. */
function readVariable(variable: string, sight: Sight, at: Place): Items | undefined {
  const seen = findVariable(variable, sight, at);
  if (seen === undefined) return undefined;
  if (seen.cel === `input.${toName(variable)}`) useInput(toName(variable), at.compiling, true);
  return fixed(seen.path ?? { cel: seen.cel }, seen.schema);
}

/** The list that a loop gives: its output, or the field `items` of it. */
function callSource(
  action: string,
  { name, sight }: { readonly name: string; readonly sight: Sight },
  at: Place,
): Items | undefined {
  const called = compileAction(action, sight, at);
  if (called === undefined) return undefined;
  const inner = findSchema(called.schema, "items");
  const isWrapped = inner !== true;
  const node = placed(at.compiling, at.path, { ...called.node, name });
  return {
    before: [node],
    items: `$.${name}.output${isWrapped ? ".items" : ""}`,
    schema: isWrapped ? inner : called.schema,
  };
}
