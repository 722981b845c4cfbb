/**
 * One decision of a model and the actions that it asks for.
 *
 * The verb of an action names its loop, and the verbs are fixed beforehand: a model chooses among
 * calls of the flow, and never makes one up.
 */
import { OUTPUT_PREVIEW_BYTES_MAX } from "@turnseal/kernel";
import type {
  CallNode,
  FlowNode,
  JsonSchema,
  LoopDef,
  MappingSource,
  PromptSpec,
} from "@turnseal/protocol";
import { NOTE_VERBS } from "./agent-notes.ts";
import { findTool, type Place, pickCache } from "./compile-call.ts";
import { addPrompt, findLlm, TEXT_OUTPUT } from "./compile-prompt.ts";
import { placed, quote, type Sight, type Sources } from "./compiling.ts";
import { FETCH_LOOP, FETCH_SAYS, FETCH_VERB } from "./fetch-loop.ts";
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
  /** The question to the model, with variables. */
  readonly task: string;
  readonly sight: Sight;
  /** Further inputs of the prompt. */
  readonly more: Sources;
  /** How the conversation goes on over several decisions. */
  readonly context?: Pick<PromptSpec, "thread" | "context" | "notesFrom">;
  /** Where several decisions follow each other: whether it notes, and what. */
  readonly agent?: AgentParts;
  /** The condition for executing an action. */
  readonly unlessStuck?: string;
}

export interface AgentParts {
  readonly hasNotes: boolean;
  /** Fields of the prompt's input that list notes, and are not shown as such. */
  readonly noted: Sources;
}

/** The nodes of a decision: `decision`, and `acts` with the result of each action. */
export function compileDecision(request: DecisionRequest, place: Place): FlowNode[] | undefined {
  const { prefix, sight } = request;
  const llm = findLlm(sight, place);
  const tools = findVerbs(place);
  if (llm === undefined || tools.includes(undefined)) return undefined;
  const verbs = tools.filter((loop) => loop !== undefined);
  const asked = askModel(request, { llm, verbs }, place);
  return asked && [...asked, carryOut(request, { llm, verbs, name: `${prefix}acts` }, place)];
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
  { prefix, name, task, sight, more, context = {}, agent }: DecisionRequest,
  { llm, verbs }: Deciding,
  place: Place,
): FlowNode[] | undefined {
  const isText = llm.format === "text";
  const own = listOwn(agent);
  const outputSchema = isText ? TEXT_OUTPUT : describeDecision(llm, verbs, own);
  const shown = Object.keys(more).map((field) => `\n\n${TITLES[field] ?? field}:\n{{${field}}}`);
  const text = `${task}${renderVerbs(verbs, own, isText)}`;
  const given = { ...more, ...agent?.noted };
  const request = { name, text, outputSchema, more: given, shown: shown.join(""), context };
  const called = addPrompt(request, sight, place);
  if (called === undefined) return undefined;
  const decision = `${prefix}decision`;
  const answer: CallNode = { kind: "call", name: isText ? `${prefix}answer` : decision, ...called };
  if (!isText) return [answer];
  bringAlong(INTENTS_LOOP, place);
  const { id: loopId, version: loopVersion } = INTENTS_LOOP;
  const inputMapping: Record<string, MappingSource> = {
    text: `$.${prefix}answer.output.text`,
    verbs: { const: { ...listWords(place), ...Object.fromEntries(own.map(([id]) => [id, [id]])) } },
    max: { const: llm.max_actions ?? ACTIONS_DEFAULT },
  };
  return [answer, { kind: "call", name: decision, loopId, loopVersion, inputMapping }];
}

/** The verbs that an agent has beside its loops, each with what it does. */
function listOwn(agent: AgentParts | undefined): readonly (readonly [string, string])[] {
  if (agent === undefined) return [];
  return [[FETCH_VERB, FETCH_SAYS], ...(agent.hasNotes ? Object.entries(NOTE_VERBS) : [])];
}

function bringAlong(loop: LoopDef, { compiling: { loops } }: Place): void {
  if (!loops.includes(loop)) loops.push(loop);
}

const TITLES: Readonly<Record<string, string>> = {
  results: "What the actions before gave",
  failed: "What failed so far",
  left: "Parts that are left",
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
const ASK_ANSWER =
  "\nWhen nothing is left to do, say in your answer, for a person: what was done, what was changed, and what is left.";
const ASK_LINES =
  "Write each action on a line of its own: its verb, its target, its arguments. " +
  "Write done on a line when nothing is left to do. The verbs:";

type OwnVerbs = ReturnType<typeof listOwn>;

function renderVerbs(verbs: readonly LoopDef[], own: OwnVerbs, isText: boolean): string {
  const lines = verbs.map(({ id, description }) =>
    description === undefined ? `- ${id}` : `- ${id}: ${description}`,
  );
  const how = isText ? ASK_LINES : ASK_DECISION;
  const more = own.map(([verb, says]) => `- ${verb}: ${says}`);
  const end = own.length === 0 ? "" : ASK_ANSWER;
  return `\n\n${how}\n${[...lines, ...more].join("\n")}${end}`;
}

function describeDecision(llm: LlmTable, verbs: readonly LoopDef[], own: OwnVerbs): JsonSchema {
  const { thinking = false, max_actions: maxItems = ACTIONS_DEFAULT } = llm;
  const action = {
    type: "object",
    properties: {
      verb: { enum: [...verbs.map(({ id }) => id), ...own.map(([verb]) => verb)] },
      target: { type: "string" },
      args: { type: "array", items: { type: "string" } },
      ...(own.length === 0 ? {} : { from: { type: "integer", minimum: 0 } }),
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
      ...(own.length === 0 ? {} : { answer: { type: "string" } }),
    },
    required: [...(thinking ? ["thinking"] : []), "actions", "done"],
    additionalProperties: false,
  };
}

/**
 * Each action in turn, or all at once; a failed one is reported to the model, and the rest go on.
 */
function carryOut(
  { prefix, sight, unlessStuck, agent }: DecisionRequest,
  { llm, verbs, name }: Deciding & { readonly name: string },
  place: Place,
): FlowNode {
  const { retry, cache, preview } = sight.strategies;
  const inputMapping: Record<string, MappingSource> = {
    target: "$.action.target",
    args: { cel: "has(action.args) ? action.args : []" },
  };
  const did: FlowNode = {
    ...{ kind: "branch", name: `${prefix}did`, onError: "continue" },
    ...(unlessStuck === undefined ? {} : { when: unlessStuck }),
    cases: [
      ...verbs.map((loop) => ({
        when: `action.verb == ${quote(loop.id)}`,
        do: {
          ...{ kind: "call", loopId: loop.id, inputMapping },
          ...(retry === undefined ? {} : { retry }),
          ...pickCache(loop, cache),
          ...(agent === undefined ? {} : { preview: preview ?? OUTPUT_PREVIEW_BYTES_MAX }),
        } satisfies CallNode,
      })),
      ...(agent === undefined ? [] : [fetchOutput(place)]),
    ],
  };
  const result = Object.fromEntries(
    ["status", "output", "error"].map((field) => [field, `$.${prefix}did.${field}`]),
  );
  return {
    ...{ kind: "forEach", name, items: listActs(prefix, agent), as: "action" },
    max: llm.max_actions ?? ACTIONS_DEFAULT,
    ...orderActs(llm),
    body: {
      kind: "sequence",
      nodes: [did],
      outputMapping: { verb: "$.action.verb", target: "$.action.target", ...result },
    },
  };
}

/** One action may need another before it: it waits for that one, and so for a person. */
function orderActs({ parallel = false, max_actions = ACTIONS_DEFAULT }: LlmTable) {
  if (parallel) return {};
  return max_actions === 1 ? { concurrency: 1 } : { concurrency: 1, scope: "shared" as const };
}

/** Notes are no actions. */
function listActs(prefix: string, agent: AgentParts | undefined): MappingSource {
  const actions = `${prefix}decision.output.actions`;
  if (agent?.hasNotes !== true) return `$.${actions}`;
  return { cel: `${actions}.filter(a, !(a.verb in ${JSON.stringify(Object.keys(NOTE_VERBS))}))` };
}

/** Reads on in a result that was shown in part. */
function fetchOutput(place: Place): { readonly when: string; readonly do: CallNode } {
  bringAlong(FETCH_LOOP, place);
  const { id: loopId, version: loopVersion } = FETCH_LOOP;
  const inputMapping = {
    handle: "$.action.target",
    from: { cel: "has(action.from) ? action.from : 0" },
  };
  const call: CallNode = { kind: "call", loopId, loopVersion, inputMapping };
  return { when: `action.verb == ${quote(FETCH_VERB)}`, do: call };
}
