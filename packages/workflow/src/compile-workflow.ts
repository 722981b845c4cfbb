/**
 * From a workflow file to loops: a composite with a flow, and the prompts that it asks.
 *
 * 1. States come before steps, and steps before a model that decides.
 * 2. The result depends on the meaning of the file alone: comments, the order of keys and the place
 *    of tables do not change it.
 */
import type {
  FlowNode,
  JsonObject,
  JsonSchema,
  LoopDef,
  LoopPolicy,
  Problem,
} from "@turnseal/protocol";
import { DEVELOPMENT_VERSION } from "@turnseal/protocol/authoring";
import { compileAgent, TURNS_DEFAULT } from "./compile-agent.ts";
import { compileStates } from "./compile-states.ts";
import { compileSteps } from "./compile-steps.ts";
import { addProblem, type Compiling, type Sight } from "./compiling.ts";
import { findDeadKeys } from "./dead-keys.ts";
import { checkRetry } from "./fitting.ts";
import { DONE_WORDS, VERBS_DEFAULT } from "./parse-intents.ts";
import { fillStrategies, NO_STRATEGIES } from "./strategies.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

/** The surroundings of a file. */
export interface WorkflowPlace
  extends Pick<Compiling, "findLoop" | "loopIds" | "openNested" | "readText"> {
  /** The name of a workflow without one. */
  readonly name: string;
}

export type CompiledWorkflow =
  | {
      readonly kind: "compiled";
      /** The workflow first. */
      readonly loops: readonly LoopDef[];
      readonly inputs: readonly string[];
      /** Where in the file a part of one of the loops comes from, as JSON Pointers. */
      readonly originOf: (loop: LoopDef, pointer: string) => string;
    }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

const MS = 1_000;

export function compileWorkflow(
  document: WorkflowDocument,
  surroundings: WorkflowPlace,
): CompiledWorkflow {
  const compiled = compileMeaning(document, surroundings);
  if (compiled.kind === "refused") return compiled;
  const problems = findDeadKeys(document, (other) => {
    const meant = compileMeaning(other, surroundings);
    return meant.kind === "refused" ? undefined : JSON.stringify(meant.loops);
  });
  return problems.length === 0 ? compiled : { kind: "refused", problems };
}

function compileMeaning(document: WorkflowDocument, surroundings: WorkflowPlace): CompiledWorkflow {
  const compiling = begin(document, surroundings);
  const body = compileBody(document, compiling);
  const { problems, origins } = compiling;
  if (body?.flow === undefined || problems.length > 0) return { kind: "refused", problems };
  const { flow, goal } = body;
  const { description, limits } = document.workflow ?? {};
  const { timeout_seconds } = limits ?? {};
  const policy: LoopPolicy = {
    ...(timeout_seconds === undefined ? {} : { timeoutMs: Math.round(timeout_seconds * MS) }),
    ...(goal === undefined ? {} : { goal }),
  };
  const { id, version } = compiling;
  const loop: LoopDef = {
    ...{ id, name: id, version, kind: "composite" },
    ...(description === undefined ? {} : { description }),
    inputSchema: describeInputs(compiling),
    outputSchema: true,
    composite: { flow },
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
  };
  return {
    kind: "compiled",
    loops: [loop, ...compiling.loops],
    inputs: [...compiling.inputs.keys()].sort(),
    originOf: (of, pointer) => findOrigin(of, pointer, origins),
  };
}

function begin({ workflow = {} }: WorkflowDocument, place: WorkflowPlace): Compiling {
  const { name, version = DEVELOPMENT_VERSION, inputs, verbs = VERBS_DEFAULT } = workflow;
  const words = Object.entries(verbs).flatMap(([id, list]) =>
    [id, ...list].map((word) => [word, id] as const),
  );
  const { findLoop, loopIds, openNested, readText } = place;
  const compiling: Compiling = {
    ...{ id: name ?? place.name, version, findLoop, loopIds, openNested, readText },
    verbs: new Map(words),
    declared: inputs && new Map(Object.entries(inputs)),
    inputs: new Map(),
    loops: [],
    origins: new WeakMap(),
    problems: [],
  };
  for (const [word, id] of words)
    if (DONE_WORDS.includes(word))
      addProblem(compiling, {
        rule: "binding-name",
        path: `/workflow/verbs/${id}`,
        message: `\`${word}\` says that nothing is left to do, and is no verb`,
        mend: "choose another word",
      });
  return compiling;
}

interface Body {
  readonly flow: FlowNode | undefined;
  /** The goal of a run of the workflow: an agent has to be done. */
  readonly goal?: NonNullable<LoopPolicy["goal"]>;
}

function compileBody(document: WorkflowDocument, compiling: Compiling): Body | undefined {
  const { workflow = {} } = document;
  checkRetry(workflow.retry, { compiling, path: "/workflow/retry" });
  const strategies = fillStrategies(workflow, NO_STRATEGIES);
  const sight: Sight = {
    ...{ names: new Map(), shown: [], above: [], scopes: [], isMachine: false },
    strategies,
  };
  const states = pickList(document, "states", compiling);
  const steps = pickList(document, "steps", compiling);
  const { initial_state: initial, limits = {}, stall = {} } = workflow;
  const { max_turns: maxTurns } = limits;
  if (states !== undefined && steps !== undefined)
    return addProblem(compiling, {
      rule: "setting-unfit",
      path: steps.path,
      message: "a file with states is a machine, and its steps have no effect",
      mend: "remove the steps, or make states of them",
    });
  if (states !== undefined) {
    const machine = {
      states: states.list,
      initial,
      maxTurns,
      sight: { ...sight, isMachine: true },
    };
    return { flow: compileStates(machine, { compiling, path: states.path }) };
  }
  if (steps !== undefined) {
    const at = { compiling, path: steps.path, prefix: "step" };
    return { flow: { kind: "sequence", ...compileSteps(steps.list, sight, at) } };
  }
  if (strategies.llm === undefined || strategies.llm === false)
    return addProblem(compiling, {
      rule: "field-missing",
      path: "/workflow",
      message: "the workflow has neither states nor steps, nor a model that decides",
      mend: "add [[steps]], [[states]] or [workflow.llm]",
    });
  const request = { sight, maxTurns: maxTurns ?? TURNS_DEFAULT, stall };
  const flow = compileAgent(request, { compiling, path: "/workflow/llm" });
  return { flow, goal: { path: "$.output.done", equals: true } };
}

/** A list stands at the top or in the workflow, and not in both. */
function pickList<Key extends "states" | "steps">(
  document: WorkflowDocument,
  key: Key,
  compiling: Compiling,
) {
  const { workflow = {} } = document;
  const [top, own] = [document[key], workflow[key]];
  if (top !== undefined && own !== undefined)
    addProblem(compiling, {
      rule: "setting-unfit",
      path: `/${key}`,
      message: `\`${key}\` stand at the top and in the workflow`,
      mend: `move them into one list, [[${key}]] or [[workflow.${key}]]`,
    });
  const list = (own ?? top) as NonNullable<WorkflowDocument[Key]> | undefined;
  if (list === undefined || list.length === 0) return undefined;
  return { list, path: own === undefined ? `/${key}` : `/workflow/${key}` };
}

/** Callers must bring every variable that nothing in the file defines. */
function describeInputs({ inputs, declared }: Compiling): JsonSchema {
  const names = [...new Set([...inputs.keys(), ...(declared?.keys() ?? [])])].sort();
  const properties = names.map((name) => {
    const description = declared?.get(name);
    const type = inputs.get(name)?.isList === true ? { type: "array" } : {};
    return [name, { ...type, ...(description === undefined ? {} : { description }) }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: names,
    additionalProperties: false,
  };
}

/** The names of the fields of a loop in a workflow file. */
const KEYS: Readonly<Record<string, string>> = { id: "name", policy: "limits", when: "condition" };

/** Finds the origin of a place in a loop, by the closest known value around it. */
function findOrigin(loop: LoopDef, pointer: string, origins: WeakMap<object, string>): string {
  let origin = origins.get(loop) ?? "/workflow";
  let rest: string[] = [];
  let part: unknown = loop;
  for (const key of pointer.split("/").slice(1)) {
    part = Object.hasOwn(Object(part), key) ? (part as JsonObject)[key] : undefined;
    const known = typeof part === "object" && part !== null ? origins.get(part) : undefined;
    origin = known ?? origin;
    rest = known === undefined ? [...rest, KEYS[key] ?? key] : [];
  }
  return `${origin}${rest.map((key) => `/${key}`).join("")}`;
}
