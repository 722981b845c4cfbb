/** Compiles the own work of a step or a state: a call of a tool, a prompt or another workflow. */
import {
  type CacheSpec,
  type CallNode,
  findNearest,
  type JsonSchema,
  type LoopDef,
  type MappingSource,
} from "@turnseal/protocol";
import { addPrompt, TEXT_OUTPUT } from "./compile-prompt.ts";
import { addProblem, type Compiling, placed, type Sight } from "./compiling.ts";
import { type Action, parseAction } from "./parse-action.ts";
import { findVariable, listTextVariables, toExpression, toSource } from "./variables.ts";
import type { Doing } from "./workflow-document.ts";

export interface Place {
  readonly compiling: Compiling;
  /** Of the step or the state, in the file. */
  readonly path: string;
}

/** A call, and what is known of its output. */
export interface Called {
  readonly node: CallNode;
  readonly schema: JsonSchema;
  /** True for an agent: one that stopped short is no success. */
  readonly isAgent?: boolean;
}

/**
 * Compiles the one key that says what to do; undefined, with a problem, if there are none or
 * several.
 */
export function compileCall(
  doing: Doing,
  { name, sight }: { readonly name: string; readonly sight: Sight },
  place: Place,
): Called | undefined {
  const { action, prompt, workflow, plugin } = doing;
  if (action !== undefined && plugin === undefined)
    return compileAction(action, sight, { ...place, path: `${place.path}/action` });
  if (workflow !== undefined) return compileNested(workflow, prompt, sight, place);
  if (plugin !== undefined) return compilePlugin(plugin, doing, sight, place);
  if (prompt === undefined)
    return addProblem(place.compiling, {
      rule: "field-missing",
      path: place.path,
      message: `${name} does nothing`,
      mend: "add an action, a prompt, a workflow, a plugin or steps",
    });
  const at = { ...place, path: `${place.path}/prompt` };
  const called = addPrompt({ name, text: prompt, outputSchema: TEXT_OUTPUT }, sight, at);
  return called && toCall(called, TEXT_OUTPUT, at);
}

/** A call of the loop that an action names by its verb; the place is that of the text. */
export function compileAction(text: string, sight: Sight, at: Place): Called | undefined {
  const parsed = parseAction(text);
  if (parsed.kind === "refused") {
    const { message, mend } = parsed;
    return addProblem(at.compiling, { rule: "field-type", path: at.path, message, mend });
  }
  const { action } = parsed;
  const loopId = at.compiling.verbs.get(action.verb) ?? action.verb;
  const loop = findTool(loopId, action.verb, at);
  const inputMapping = mapAction(action, sight, at);
  if (loop === undefined || inputMapping === undefined) return undefined;
  const cached = pickCache(loop, sight.strategies.cache);
  return toCall({ loopId, inputMapping, ...cached }, loop.outputSchema, at);
}

/** The target and the arguments of an action. */
export function mapAction(
  { target, args }: Omit<Action, "verb">,
  sight: Sight,
  place: Place,
): Record<string, MappingSource> | undefined {
  const source = target === undefined ? undefined : toSource(target, sight, place);
  if (target !== undefined && source === undefined) return undefined;
  const list = mapArgs(args, sight, place);
  if (list === undefined) return undefined;
  return { ...(source === undefined ? {} : { target: source }), args: list };
}

function mapArgs(args: readonly string[], sight: Sight, place: Place): MappingSource | undefined {
  if (args.every((word) => listTextVariables(word).length === 0)) return { const: [...args] };
  const parts = args.map((word) => toExpression(word, sight, place));
  return parts.includes(undefined) ? undefined : { cel: `[${parts.join(", ")}]` };
}

/** A loop that the operator has to register. */
export function findTool(
  loopId: string,
  word: string,
  { compiling, path }: Place,
): LoopDef | undefined {
  const loop = compiling.findLoop(loopId);
  if (loop !== undefined) return loop;
  const nearest = findNearest(word, [...compiling.verbs.keys(), ...compiling.loopIds]);
  const slip = nearest === undefined || nearest === word ? "" : `write ${nearest}, or `;
  const alias = loopId === word ? "" : `, which \`${word}\` means,`;
  return addProblem(compiling, {
    rule: "reference-unknown",
    path,
    message: `no loop \`${loopId}\`${alias} is registered`,
    mend: `${slip}export defineTool({ id: "${loopId}", … }) from a module beside this file: it is given { target, args }`,
  });
}

/** Another file, with its inputs under the same names; an agent has `prompt` as its task. */
function compileNested(
  file: string,
  prompt: string | undefined,
  sight: Sight,
  place: Place,
): Called | undefined {
  const at = { ...place, path: `${place.path}/workflow` };
  const nested = at.compiling.openNested(file);
  if (nested === undefined) return undefined;
  const inputMapping: Record<string, MappingSource> = {};
  for (const input of nested.inputs) {
    const isTask = input === "task" && prompt !== undefined;
    const seen = isTask ? undefined : findVariable(input, sight, at);
    const source = isTask
      ? toSource(prompt, sight, { ...place, path: `${place.path}/prompt` })
      : seen && (seen.path ?? { cel: seen.cel });
    if (source === undefined) return undefined;
    inputMapping[input] = source;
  }
  const { id: loopId, version: loopVersion, isAgent } = nested;
  return { ...toCall({ loopId, loopVersion, inputMapping }, true, at), isAgent };
}

/** Calls a loop of the operator, with the other keys as its input. */
function compilePlugin(
  plugin: string,
  { action, prompt, source }: Doing,
  sight: Sight,
  place: Place,
): Called | undefined {
  const at = { ...place, path: `${place.path}/plugin` };
  const loop = findTool(plugin, plugin, at);
  if (loop === undefined) return undefined;
  const texts = { action, prompt, source };
  const inputMapping: Record<string, MappingSource> = {};
  for (const [key, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    const mapped = toSource(text, sight, { ...place, path: `${place.path}/${key}` });
    if (mapped === undefined) return undefined;
    inputMapping[key] = mapped;
  }
  return toCall({ loopId: plugin, inputMapping }, loop.outputSchema, at);
}

/** The cache of a scope, for a tool of the operator without one of its own. */
export function pickCache(
  { kind, tool, policy }: LoopDef,
  cache: CacheSpec | undefined,
): Pick<CallNode, "cache"> {
  const isBuiltIn = tool?.implementation.startsWith("turnseal.") === true;
  const isTool = kind === "tool" && !isBuiltIn && policy?.cache === undefined;
  return isTool && cache !== undefined ? { cache } : {};
}

function toCall(
  call: Omit<CallNode, "kind">,
  schema: JsonSchema,
  { compiling, path }: Place,
): Called {
  return { node: placed(compiling, path, { kind: "call", ...call }), schema };
}
