/** Compiles states, of which one is current, and their transitions. */
import { TRANSITIONS_DEFAULT } from "@turnseal/kernel";
import { type FlowNode, findNearest, type MachineNode, type StateSpec } from "@turnseal/protocol";
import { compileAction, type Place } from "./compile-call.ts";
import {
  type Around,
  compileChoice,
  compileSelect,
  DONE,
  type Going,
  joinBody,
  leadBy,
  listChoices,
  type TransitionSpec,
} from "./compile-choice.ts";
import { compileParallel } from "./compile-parallel.ts";
import { compileFile, compileWork, retryWhole } from "./compile-steps.ts";
import { addProblem, placed, quote, type Seen, type Sight } from "./compiling.ts";
import { compileCondition, findFileCondition, readAnswer, type Subject } from "./conditions.ts";
import { checkFitting } from "./fitting.ts";
import { toName } from "./variables.ts";
import { toBody, type Work } from "./work.ts";
import type { StateTable } from "./workflow-document.ts";

interface Machine {
  readonly states: readonly StateTable[];
  readonly initial: string | undefined;
  readonly maxTurns: number | undefined;
  readonly sight: Sight;
}

/** Compiles the list of states; the place is that of the list. */
export function compileStates(machine: Machine, place: Place): MachineNode | undefined {
  const { states, sight, maxTurns } = machine;
  const [first] = states;
  const initial = machine.initial ?? first?.name ?? "";
  if (!isKnown(initial, states))
    refuseState(initial, states, { ...place, path: "/workflow/initial_state" });
  const names = new Map<string, StateSpec>();
  const visited = listVisited(initial, states);
  for (const [index, state] of states.entries()) {
    const at = { compiling: place.compiling, path: `${place.path}/${index}` };
    checkFitting(state, at);
    if (names.has(state.name))
      addProblem(place.compiling, {
        rule: "binding-repeated",
        path: `${at.path}/name`,
        message: `there are two states \`${state.name}\``,
        mend: "choose another name",
      });
    // A state that is only part of another is no place to be in.
    const around = { states, sight: withStates(sight, states) };
    const spec = visited.has(state.name) ? compileState(state, around, at) : undefined;
    if (spec === undefined) continue;
    place.compiling.origins.set(spec, at.path);
    names.set(state.name, spec);
  }
  if (visited.has(DONE) && !names.has(DONE)) names.set(DONE, { terminal: true });
  const node: MachineNode = {
    ...{ kind: "machine", initial, states: Object.fromEntries(names) },
    maxTransitions: maxTurns ?? TRANSITIONS_DEFAULT,
  };
  return placed(place.compiling, place.path, node);
}

/** The last output of a state is known by its name. */
function withStates(sight: Sight, states: readonly StateTable[]): Sight {
  const seen = states.map(({ name }): [string, Seen] => {
    const field = `[${quote(name)}]`;
    return [toName(name), { cel: `states${field}`, path: `$.states${field}`, schema: true }];
  });
  return { ...sight, names: new Map(seen) };
}

/**
 * The states that a transition, a join or the beginning leads to, and states that are no part of
 * another.
 */
function listVisited(initial: string, states: readonly StateTable[]): ReadonlySet<string> {
  const parts = new Set(states.flatMap(({ parallel = [] }) => parallel));
  const alone = states.map(({ name }) => name).filter((name) => !parts.has(name));
  const targets = states.flatMap(({ transitions = [], join }) => [
    ...transitions.map(({ next }) => next),
    ...(join === undefined ? [] : [join]),
  ]);
  return new Set([initial, ...alone, ...targets]);
}

function isKnown(name: string, states: readonly StateTable[]): boolean {
  return states.some((state) => state.name === name);
}

function refuseState(name: string, states: readonly StateTable[], { compiling, path }: Place) {
  const names = states.map((state) => state.name);
  const nearest = findNearest(name, [...names, DONE]);
  return addProblem(compiling, {
    rule: "reference-unknown",
    path,
    message: `there is no state \`${name}\``,
    mend: nearest === undefined ? `write one of ${names.join(", ")}` : `write ${nearest}`,
  });
}

function compileState(state: StateTable, around: Around, place: Place): StateSpec | undefined {
  const { sight, states } = around;
  const { on_entry, on_exit, terminal = false, transitions = [] } = state;
  for (const [index, { next }] of transitions.entries())
    if (next !== DONE && !isKnown(next, states))
      refuseState(next, states, { ...place, path: `${place.path}/transitions/${index}/next` });
  const work = compileBody(state, around, place);
  const entry = compileEdge(on_entry, sight, { ...place, path: `${place.path}/on_entry` });
  const exit = compileEdge(on_exit, sight, { ...place, path: `${place.path}/on_exit` });
  if (work === undefined || entry === undefined || exit === undefined) return undefined;
  const going = terminal
    ? { body: work.node === undefined ? undefined : toBody(work) }
    : compileTransitions(state, work, around, place);
  if (going === undefined) return undefined;
  const { body, leads } = { leads: undefined, ...going };
  return {
    ...(body === undefined ? {} : { body: placed(place.compiling, place.path, body) }),
    ...(entry === "none" ? {} : { onEntry: entry }),
    ...(exit === "none" ? {} : { onExit: exit }),
    ...(terminal ? { terminal } : {}),
    ...(leads === undefined ? {} : { transitions: leads }),
  };
}

/** An action on the way in or out. */
function compileEdge(
  action: string | undefined,
  sight: Sight,
  place: Place,
): FlowNode | "none" | undefined {
  return action === undefined ? "none" : compileAction(action, sight, place)?.node;
}

type Body = { readonly node: undefined } | Work;

/** The body of a state: a terminal one may have none. */
function compileBody(state: StateTable, around: Around, place: Place): Body | undefined {
  const { action, prompt, plugin, workflow, for_each, parallel, terminal } = state;
  if (parallel !== undefined) return compileParallel({ state, ...around }, place);
  const does = action ?? prompt ?? plugin ?? workflow ?? for_each;
  if (does === undefined && terminal === true) return { node: undefined };
  const name = toName(state.name);
  if (plugin === "llm-decide")
    return retryWhole(compileChoice(state, around, place), state, around.sight);
  return compileWork(state, { name, sight: around.sight }, place);
}

function compileTransitions(
  state: StateTable,
  work: Body,
  { sight, states }: Around,
  place: Place,
): Going | undefined {
  const { transitions = [], join, plugin, llm_select } = state;
  if (work.node === undefined) return undefined;
  if (join !== undefined && isKnown(join, states))
    return { body: toBody(work), leads: [{ next: join }] };
  if (plugin === "llm-decide")
    return { body: toBody(work), leads: leadBy("result.output.next", listChoices(state, states)) };
  if (transitions.length === 0)
    return addProblem(place.compiling, {
      rule: "field-missing",
      path: place.path,
      message: `nothing leads on from the state \`${state.name}\``,
      mend: "add terminal = true, or [[states.transitions]]",
    });
  if (llm_select === true) return compileSelect(state, work, sight, place);
  return compileConditions(state, work, sight, place);
}

/** Conditions read the result of the body; a condition on a file runs after it. */
function compileConditions(
  { transitions = [], on_error }: StateTable,
  work: Work,
  sight: Sight,
  place: Place,
): Going | undefined {
  const asked: FlowNode[] = [];
  const whens = transitions.map(({ condition }, index) => {
    const file = condition === undefined ? undefined : findFileCondition(condition);
    if (condition === undefined || file === undefined) return undefined;
    const at = { ...place, path: `${place.path}/transitions/${index}/condition` };
    const call = compileFile(file.target, sight, at);
    if (call === undefined) return undefined;
    const name = `exists${asked.length + 1}`;
    asked.push({ ...call.node, name });
    return readAnswer(`result.output.${name}`, call.schema, "exists");
  });
  const isWrapped = asked.length > 0;
  const base = isWrapped ? "result.output" : "result";
  const { schema } = work;
  const subject: Subject = {
    ...{ status: `${base}.status`, output: `${base}.output`, ran: undefined, schema },
  };
  const leads = transitions.map(({ condition, next }, index): TransitionSpec => {
    const at = { ...place, path: `${place.path}/transitions/${index}/condition` };
    const when =
      whens[index] ??
      (condition === undefined || findFileCondition(condition) !== undefined
        ? undefined
        : compileCondition(condition, subject, at));
    return when === undefined ? { next } : { when, next };
  });
  const keeps =
    on_error === "skip" || transitions.some(({ condition }) => condition === "has_errors");
  const body: FlowNode = keeps ? { ...toBody(work), onError: "continue" } : toBody(work);
  if (!isWrapped) return { body, leads };
  const fields = Object.fromEntries(asked.map(({ name = "" }) => [name, `$.${name}.output`]));
  return { body: joinBody(body, asked, fields), leads };
}
