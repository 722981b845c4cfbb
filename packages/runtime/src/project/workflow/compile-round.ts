/**
 * One decision of a model and the actions that it asks for.
 *
 * The loop of an action is named by its verb, and which verbs there are is known beforehand: a
 * model chooses among calls that the flow has, and never makes one up.
 */
import type {
  CallNode,
  FlowNode,
  JsonSchema,
  LoopDef,
  MappingSource,
  PromptSpec,
} from "@turnseal/protocol";
import { findTool, type Place } from "./compile-call.ts";
import { addPrompt, findLlm, TEXT_OUTPUT } from "./compile-prompt.ts";
import { placed, quote, type Sight, type Sources } from "./compiling.ts";
import { INTENTS_LOOP } from "./intents-loop.ts";
import type { Work } from "./work.ts";
import type { LlmTable } from "./workflow-document.ts";

/** Actions of one decision, where a file does not say. */
const ACTIONS_DEFAULT = 1;

interface RoundRequest {
  readonly name: string;
  readonly sight: Sight;
}

/** A step that lets the model decide once. */
export function compileRound(
  prompt: string | undefined,
  { name, sight }: RoundRequest,
  place: Place,
): Work | undefined {
  const task = prompt ?? "{task}";
  const nodes = compileDecision({ prefix: `${name}_`, name, task, sight, more: {} }, place);
  if (nodes === undefined) return undefined;
  const node: FlowNode = {
    kind: "sequence",
    nodes,
    outputMapping: {
      done: `$.${name}_decision.output.done`,
      results: `$.${name}_acts.output`,
    },
  };
  return { before: [], node: placed(place.compiling, place.path, node), schema: true };
}

export interface DecisionRequest {
  /** Before the names of its nodes. */
  readonly prefix: string;
  /** Of its prompt. */
  readonly name: string;
  /** What is asked, with variables. */
  readonly task: string;
  readonly sight: Sight;
  /** What else the prompt is given. */
  readonly more: Sources;
  /** How the conversation goes on over several decisions. */
  readonly context?: Pick<PromptSpec, "thread" | "context">;
  /** When an action is carried out. */
  readonly unlessStuck?: string;
}

/** The nodes of a decision: `decision`, and `acts` with what each action came to. */
export function compileDecision(request: DecisionRequest, place: Place): FlowNode[] | undefined {
  const { prefix, sight } = request;
  const llm = findLlm(sight, place);
  const tools = findVerbs(place);
  if (llm === undefined || tools.includes(undefined)) return undefined;
  const verbs = tools.filter((loop) => loop !== undefined);
  const asked = askModel(request, { llm, verbs }, place);
  return asked && [...asked, carryOut(request, { llm, verbs, name: `${prefix}acts` })];
}

/** Every loop that a verb may mean. */
function findVerbs(place: Place): (LoopDef | undefined)[] {
  const ids = new Set(place.compiling.verbs.values());
  return [...ids].sort().map((id) => findTool(id, id, place));
}

interface Deciding {
  readonly llm: LlmTable;
  readonly verbs: readonly LoopDef[];
}

function askModel(
  { prefix, name, task, sight, more, context = {} }: DecisionRequest,
  { llm, verbs }: Deciding,
  place: Place,
): FlowNode[] | undefined {
  const isText = llm.format === "text";
  const outputSchema = isText ? TEXT_OUTPUT : describeDecision(llm, verbs);
  const shown = Object.keys(more).map((field) => `\n\n${TITLES[field] ?? field}:\n{{${field}}}`);
  const text = `${task}${renderVerbs(verbs, isText)}`;
  const request = { name, text, outputSchema, more, shown: shown.join(""), context };
  const called = addPrompt(request, sight, place);
  if (called === undefined) return undefined;
  const decision = `${prefix}decision`;
  const answer: CallNode = { kind: "call", name: isText ? `${prefix}answer` : decision, ...called };
  if (!isText) return [answer];
  if (!place.compiling.loops.includes(INTENTS_LOOP)) place.compiling.loops.push(INTENTS_LOOP);
  const { id: loopId, version: loopVersion } = INTENTS_LOOP;
  const inputMapping: Record<string, MappingSource> = {
    text: `$.${prefix}answer.output.text`,
    verbs: { const: listWords(place) },
    max: { const: llm.max_actions ?? ACTIONS_DEFAULT },
  };
  return [answer, { kind: "call", name: decision, loopId, loopVersion, inputMapping }];
}

const TITLES: Readonly<Record<string, string>> = {
  results: "What the actions before gave",
  failed: "What failed so far",
};

/** The words of each loop, as intents are read by them. */
function listWords({ compiling: { verbs } }: Place): Record<string, string[]> {
  const words = new Map<string, string[]>();
  for (const [word, id] of [...verbs].sort()) {
    const known = words.get(id);
    if (known === undefined) words.set(id, [word]);
    else known.push(word);
  }
  return Object.fromEntries(words);
}

const ASK_DECISION =
  "Say which actions are next, and whether nothing is left to do after them. The verbs:";
const ASK_LINES =
  "Write each action on a line of its own: its verb, its target, its arguments. " +
  "Write done on a line when nothing is left to do. The verbs:";

function renderVerbs(verbs: readonly LoopDef[], isText: boolean): string {
  const lines = verbs.map(({ id, description }) =>
    description === undefined ? `- ${id}` : `- ${id}: ${description}`,
  );
  const how = isText ? ASK_LINES : ASK_DECISION;
  return `\n\n${how}\n${lines.join("\n")}`;
}

function describeDecision(llm: LlmTable, verbs: readonly LoopDef[]): JsonSchema {
  const { thinking = false, max_actions: maxItems = ACTIONS_DEFAULT } = llm;
  const action = {
    type: "object",
    properties: {
      verb: { enum: verbs.map(({ id }) => id) },
      target: { type: "string" },
      args: { type: "array", items: { type: "string" } },
    },
    required: ["verb"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: {
      ...(thinking ? { thinking: { type: "string" } } : {}),
      actions: { type: "array", maxItems, items: action },
      done: { type: "boolean" },
    },
    required: [...(thinking ? ["thinking"] : []), "actions", "done"],
    additionalProperties: false,
  };
}

/** Each action in turn, or all at once; one that fails is told to the model, and stops nothing. */
function carryOut(
  { prefix, sight, unlessStuck }: DecisionRequest,
  { llm, verbs, name }: Deciding & { readonly name: string },
): FlowNode {
  const { retry } = sight.strategies;
  const inputMapping: Record<string, MappingSource> = {
    target: "$.action.target",
    args: { cel: "has(action.args) ? action.args : []" },
  };
  const did: FlowNode = {
    ...{ kind: "branch", name: `${prefix}did`, onError: "continue" },
    ...(unlessStuck === undefined ? {} : { when: unlessStuck }),
    cases: verbs.map(({ id: loopId }) => ({
      when: `action.verb == ${quote(loopId)}`,
      do: { kind: "call", loopId, inputMapping, ...(retry === undefined ? {} : { retry }) },
    })),
  };
  const result = Object.fromEntries(
    ["status", "output", "error"].map((field) => [field, `$.${prefix}did.${field}`]),
  );
  return {
    ...{ kind: "forEach", name, items: `$.${prefix}decision.output.actions`, as: "action" },
    max: llm.max_actions ?? ACTIONS_DEFAULT,
    ...(llm.parallel === true ? {} : { concurrency: 1 }),
    body: {
      kind: "sequence",
      nodes: [did],
      outputMapping: { verb: "$.action.verb", target: "$.action.target", ...result },
    },
  };
}
