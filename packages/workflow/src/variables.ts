/**
 * Texts with variables: `{file}`, `{item}`, `{context}`, or the name of an earlier step, with its
 * fields after dots.
 *
 * 1. A value is put in as it is and never read again, so no value splits a word or names another.
 * 2. A variable that nothing in the file defines is an input of the workflow, which every call must
 *    bring.
 */
import { findNearest, type MappingSource } from "@turnseal/protocol";
import { addProblem, type Compiling, quote, type Seen, type Sight } from "./compiling.ts";

const VARIABLE = /\{\{?([A-Za-z_][\w-]*(?:\.\w+)*)\}?\}/g;

/** Names that stand for something else where they are known at all. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ["item", "`{item}` is known where a step has `for_each`"],
  ["index", "`{index}` is not known; write {item}"],
  ["last", "`{last}` is not known in a text; name a step"],
  ["result", "`{result}` is not known in a text; name a step"],
  ["error", "`{error}` is not known in a text"],
  ["steps", "`{steps}` is not known; name a step"],
  ["input", "`{input}` is not known; name what is in it, such as {file}"],
]);

/** The variables of a text, as they are written. */
export function listTextVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), ([, name]) => name ?? ""))];
}

/** A text in which each variable is written otherwise. */
export function renameVariables(text: string, rename: (name: string) => string): string {
  return text.replaceAll(VARIABLE, (_, name: string) => rename(name));
}

/** Names of steps are those of CEL. */
export function toName(written: string): string {
  return written.replaceAll("-", "_");
}

/** The value of a text once its variables are known. */
export function toSource(
  text: string,
  sight: Sight,
  at: { readonly compiling: Compiling; readonly path: string },
): MappingSource | undefined {
  const names = listTextVariables(text);
  if (names.length === 0) return { const: text };
  const [first = ""] = names;
  if (text === `{${first}}`) {
    const seen = findVariable(first, sight, at);
    return seen === undefined ? undefined : (seen.path ?? { cel: seen.cel });
  }
  const cel = toExpression(text, sight, at);
  return cel === undefined ? undefined : { cel };
}

/** The same as an expression of a text, or of the value where a variable is all of it. */
export function toExpression(
  text: string,
  sight: Sight,
  at: { readonly compiling: Compiling; readonly path: string },
): string | undefined {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    const [written, name = ""] = match;
    const seen = findVariable(name, sight, at);
    if (seen === undefined) return undefined;
    if (written === text) return seen.cel;
    if (isListOrObject(seen))
      return addProblem(at.compiling, {
        rule: "mapping-expression",
        path: at.path,
        message: `\`{${name}}\` is no text, so that it cannot stand inside one`,
        mend: `let {${name}} be a word of its own, or name a field of it`,
      });
    if (match.index > end) parts.push(quote(text.slice(end, match.index)));
    parts.push(`string(${seen.cel})`);
    end = match.index + written.length;
  }
  if (end < text.length) parts.push(quote(text.slice(end)));
  return parts.length === 0 ? quote("") : parts.join(" + ");
}

function isListOrObject({ schema }: Seen): boolean {
  const type = typeof schema === "object" ? schema["type"] : undefined;
  return type === "array" || type === "object";
}

/** The value of a variable; undefined, with a problem, if it is unknown. */
export function findVariable(
  written: string,
  sight: Sight,
  at: { readonly compiling: Compiling; readonly path: string },
): Seen | undefined {
  const [first = "", ...fields] = written.split(".");
  const seen = findRoot(first, sight, at);
  if (seen === undefined || fields.length === 0) return seen;
  return readFields(seen, fields);
}

/** The field below a value; a whole number is an item of a list. */
export function readFields({ cel, path, schema }: Seen, fields: readonly string[]): Seen {
  const steps = fields.map((field) => (/^\d+$/.test(field) ? `[${field}]` : `.${field}`)).join("");
  let below = schema;
  for (const field of fields) below = findSchema(below, field);
  return { cel: `${cel}${steps}`, path: path && `${path}${steps}`, schema: below };
}

/** The schema of a field, as far as a schema says it. */
export function findSchema(schema: Seen["schema"], field: string): Seen["schema"] {
  const { properties, items } = Object(schema) as { properties?: object; items?: Seen["schema"] };
  const own = properties !== undefined && Object.hasOwn(properties, field);
  if (own) return (properties as Record<string, Seen["schema"]>)[field] ?? true;
  return /^\d+$/.test(field) ? (items ?? true) : true;
}

function findRoot(
  written: string,
  sight: Sight,
  { compiling, path }: { readonly compiling: Compiling; readonly path: string },
): Seen | undefined {
  const name = toName(written);
  const known = sight.names.get(name);
  if (known !== undefined) return known;
  if (name === "context") return findContext(sight);
  const message = TAKEN.get(name);
  const declared = compiling.declared;
  if (message !== undefined || (declared !== undefined && !declared.has(name))) {
    const nearest = findNearest(name, [...(declared?.keys() ?? []), ...sight.names.keys()]);
    return addProblem(compiling, {
      rule: "mapping-root",
      path,
      message: message ?? `\`{${written}}\` is not known here`,
      mend: nearest === undefined ? `add ${name} to workflow.inputs` : `write {${nearest}}`,
    });
  }
  return useInput(name, compiling, false);
}

/** An input that calls of the workflow have to bring. */
export function useInput(name: string, { inputs }: Compiling, isList: boolean): Seen {
  inputs.set(name, { isList: isList || (inputs.get(name)?.isList ?? false) });
  const schema = isList ? { type: "array" } : true;
  return { cel: `input.${name}`, path: `$.input.${name}`, schema };
}

/** Texts of an expression: what stands in them reads nothing. */
const CEL_TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** The expression after `cel:`; its inputs must be brought, too. */
export function readExpression(
  text: string,
  { compiling, path }: { readonly compiling: Compiling; readonly path: string },
): string | undefined {
  const cel = text.slice("cel:".length).trim();
  const { declared } = compiling;
  const read = cel.replaceAll(CEL_TEXT, '""').matchAll(/(?<![\w.])input\.([A-Za-z_]\w*)/g);
  for (const [, name = ""] of read) {
    if (declared !== undefined && !declared.has(name)) {
      const nearest = findNearest(name, [...declared.keys()]);
      return addProblem(compiling, {
        rule: "mapping-root",
        path,
        message: `\`input.${name}\` is not among workflow.inputs`,
        mend: nearest === undefined ? `add ${name} to workflow.inputs` : `write input.${nearest}`,
      });
    }
    useInput(name, compiling, false);
  }
  return cel;
}

/** The results that the strategy of a scope shows. */
function findContext({ isMachine, shown, above, strategies }: Sight): Seen {
  const { strategy, last } = strategies.context;
  if (isMachine && strategy !== "none")
    return { cel: "states", path: "$.states", schema: { type: "object" } };
  const all = strategy === "task_tree" ? [...above, ...shown] : shown;
  const picked = strategy === "none" ? [] : strategy === "flat" ? all.slice(-last) : all;
  return { cel: `[${picked.join(", ")}]`, path: undefined, schema: { type: "array" } };
}
