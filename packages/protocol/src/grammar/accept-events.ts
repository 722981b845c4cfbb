/**
 * Reads a log by the grammar: each event moves things from state to state, and an event that breaks
 * a rule is refused (spec/grammar.md).
 *
 * 1. Rules are data, and the specification prints them.
 * 2. All rules of an event are checked in the state before it. Then each of them moves its thing.
 * 3. The first refusal is the last: later events are not judged.
 */
import type { LoopEvent } from "../events/event.ts";
import { isLogEventType } from "../events/event-types.ts";
import { GRAMMAR } from "./grammar.ts";
import type { Fields, Grammar, Rule, Wanted } from "./rule.ts";

export interface Acceptor {
  /** The rule that the event breaks; undefined if the event may stand there. */
  accept(event: LoopEvent): Rule | undefined;
}

interface Thing {
  readonly state: string;
  readonly kept: Readonly<Record<string, unknown>>;
  /** How deep it stands below others of its kind. */
  readonly level: number;
}

const NOTHING: Thing = { state: "none", kept: {}, level: 0 };

/** Each of these makes another thing of a thing. */
const MOVING = ["to", "keep", "levels"] as const;

export function createAcceptor(grammar: Grammar = GRAMMAR): Acceptor {
  const rulesFor = indexRules(grammar);
  const isOfTurn = (rule: Rule): boolean => grammar.things.turn.includes(rule.of ?? "");
  const ofRun = new Map<string, Thing>();
  let ofTurn = new Map<string, Thing>();
  let broken: Rule | undefined;
  const find = (rule: Rule, name: string): Thing =>
    (isOfTurn(rule) ? ofTurn : ofRun).get(name) ?? NOTHING;
  const levelOf = (rule: Rule, event: LoopEvent): number =>
    find(rule, nameThing({ ...rule, id: rule.under ?? [] }, event)).level + 1;
  const isWithin = (rule: Rule, event: LoopEvent): boolean =>
    rule.levels === undefined || levelOf(rule, event) <= rule.levels;
  const move = (rule: Rule, name: string, event: LoopEvent): void => {
    const { state, kept, level } = find(rule, name);
    const after = {
      state: rule.to ?? state,
      kept: { ...kept, ...readFields(rule.keep, event) },
      level: rule.levels === undefined ? level : levelOf(rule, event),
    };
    (isOfTurn(rule) ? ofTurn : ofRun).set(name, after);
  };
  return {
    accept: (event) => {
      if (broken !== undefined) return broken;
      const asked = rulesFor(event.type)
        .filter(({ when }) => hasAll(when, event))
        .map((rule) => ({ rule, name: nameThing(rule, event) }));
      broken = asked.find(
        ({ rule, name }) => !holds(rule, find(rule, name), event) || !isWithin(rule, event),
      )?.rule;
      if (broken !== undefined) return broken;
      if (event.type === "turn.started") ofTurn = new Map();
      for (const { rule, name } of asked)
        if (MOVING.some((field) => rule[field] !== undefined)) move(rule, name, event);
      return undefined;
    },
  };
}

/** Finds the rules of each type of event once. */
function indexRules({ rules }: Grammar): (type: string) => readonly Rule[] {
  const known = new Map<string, readonly Rule[]>();
  return (type) => {
    const name = isLogEventType(type) ? type : "vendor";
    const found = known.get(name) ?? rules.filter((rule) => isAbout(rule, name));
    known.set(name, found);
    return found;
  };
}

function isAbout({ on, but = [] }: Rule, type: string): boolean {
  return (on === "*" || on.includes(type)) && !but.includes(type);
}

function holds(rule: Rule, { state, kept }: Thing, event: LoopEvent): boolean {
  if (rule.from?.includes(state) === false || rule.not?.includes(state)) return false;
  const isNew = state === "none";
  const agrees = (fields: Fields = {}, is: (field: unknown, known: unknown) => boolean): boolean =>
    Object.entries(fields).every(([name, path]) => is(fieldOf(event, path), kept[name]));
  return (
    hasAll(rule.only, event) &&
    (isNew || agrees(rule.same, (field, known) => field === known)) &&
    agrees(rule.next, (field, known) => field === (isNew ? 1 : Number(known) + 1)) &&
    (isNew || agrees(rule.least, (field, known) => String(field) >= String(known))) &&
    agrees(rule.below, (field, known) => Number(field) < Number(known))
  );
}

function hasAll(wanted: Rule["only"], event: LoopEvent): boolean {
  return Object.entries(wanted ?? {}).every(([path, want]) => isWanted(want, fieldOf(event, path)));
}

function isWanted(want: Wanted, field: unknown): boolean {
  return typeof want === "boolean" ? (field !== undefined) === want : want.includes(field);
}

function nameThing({ of = "", id }: Rule, event: LoopEvent): string {
  return id === undefined ? of : JSON.stringify([of, ...id.map((path) => fieldOf(event, path))]);
}

function readFields(fields: Fields = {}, event: LoopEvent): Record<string, unknown> {
  const read = Object.entries(fields).map(([name, path]) => [name, fieldOf(event, path)]);
  return Object.fromEntries(read);
}

function fieldOf(event: LoopEvent, path: string): unknown {
  return path.split(".").reduce<unknown>(readField, event);
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
