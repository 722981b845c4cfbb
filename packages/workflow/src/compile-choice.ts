/** Where a state leads to when a model, or a loop of the operator's, chooses. */
import type { FlowNode, Mapping, MappingSource, StateSpec } from "@turnseal/protocol";
import { compileCall, type Place } from "./compile-call.ts";
import { addPrompt } from "./compile-prompt.ts";
import { addProblem, quote, type Sight } from "./compiling.ts";
import { toName } from "./variables.ts";
import { toBody, type Work } from "./work.ts";
import type { StateTable } from "./workflow-document.ts";

export type TransitionSpec = NonNullable<StateSpec["transitions"]>[number];

/** The end that a transition may name without a state of that name. */
export const DONE = "done";

/** The surroundings of a state. */
export interface Around {
  readonly states: readonly StateTable[];
  readonly sight: Sight;
}

/** The body of a state, and its transitions. */
export interface Going {
  readonly body: FlowNode | undefined;
  readonly leads: readonly TransitionSpec[];
}

/** A body whose result is shown beside the answer after it. */
export function joinBody(body: FlowNode, more: readonly FlowNode[], fields: Mapping): FlowNode {
  const own = ["status", "output", "error"].map((field) => [field, `$.did.${field}`] as const);
  return {
    kind: "sequence",
    nodes: [{ ...body, name: "did" }, ...more],
    outputMapping: { ...Object.fromEntries(own), ...fields },
  };
}

/** A model names the next of the states that transitions lead to. */
export function compileSelect(
  state: StateTable,
  work: Work,
  sight: Sight,
  place: Place,
): Going | undefined {
  const { transitions = [], name } = state;
  const index = transitions.findIndex(({ condition }) => condition !== undefined);
  if (index >= 0)
    return addProblem(place.compiling, {
      rule: "setting-unfit",
      path: `${place.path}/transitions/${index}/condition`,
      message: "where a model chooses, a transition has no condition",
      mend: "remove the condition, or llm_select",
    });
  const choices = [...new Set(transitions.map(({ next }) => next))];
  const request = {
    name: `${toName(name)}_select`,
    text: `Which state comes after ${name}? One of: ${choices.join(", ")}.`,
    outputSchema: describeChoice(choices),
    more: { gave: "$.did.output" },
    shown: "\n\nWhat it gave:\n{{gave}}",
  };
  const called = addPrompt(request, sight, { ...place, path: `${place.path}/llm_select` });
  if (called === undefined) return undefined;
  const chosen: FlowNode = { kind: "call", name: "chosen", ...called };
  const body = joinBody(toBody(work), [chosen], { next: "$.chosen.output.next" });
  return { body, leads: leadBy("result.output.next", choices) };
}

/** The first is taken where the answer names none: only a loop of the operator's could. */
export function leadBy(cel: string, choices: readonly string[]): TransitionSpec[] {
  const [first = DONE] = choices;
  return [...choices.map((next) => ({ when: `${cel} == ${quote(next)}`, next })), { next: first }];
}

function describeChoice(choices: readonly string[]) {
  return {
    type: "object",
    properties: { next: { enum: [...choices] } },
    required: ["next"],
    additionalProperties: false,
  };
}

/** Where a decision may lead: where transitions do, or to every other state. */
export function listChoices(
  { name, transitions }: StateTable,
  states: readonly StateTable[],
): string[] {
  const others = states.map((state) => state.name).filter((other) => other !== name);
  const named = transitions?.map(({ next }) => next) ?? [];
  return [...new Set(named.length > 0 ? named : [...others, DONE])];
}

/** A state in which a model, or a loop of the operator's, decides where to go. */
export function compileChoice(
  state: StateTable,
  { sight, states }: Around,
  place: Place,
): Work | undefined {
  const choices = listChoices(state, states);
  const name = toName(state.name);
  const own = place.compiling.findLoop("llm-decide");
  if (own !== undefined) {
    const called = compileCall(state, { name, sight }, place);
    if (called === undefined) return undefined;
    const inputMapping: Record<string, MappingSource> = {
      ...called.node.inputMapping,
      choices: { const: choices },
    };
    return { before: [], node: { ...called.node, inputMapping }, schema: called.schema };
  }
  const outputSchema = describeChoice(choices);
  const text = state.prompt ?? "Given {context}, what comes next?";
  const at = { ...place, path: `${place.path}/prompt` };
  const shown = `\n\nAnswer with one of: ${choices.join(", ")}.`;
  const called = addPrompt({ name, text, outputSchema, shown }, sight, at);
  return called && { before: [], node: { kind: "call", ...called }, schema: outputSchema };
}
