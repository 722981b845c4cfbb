/**
 * Turns a parsed pattern into automata, by Thompson's construction.
 *
 * 1. Counted repetition is written out. A repetition that may stop nests: `a{0,2}` is `(a(a)?)?`,
 *    as an engine counts, because `a?a?` could match one `a` in two ways.
 * 2. A lookaround is an automaton of its own, and a condition in the one around it. The automaton
 *    of a lookahead is reversed: it reads from the end of the text, and finds the places where the
 *    body can begin.
 * 3. Building stops when the nodes are spent, so a short source cannot ask for endless work.
 */
import type { AST } from "@eslint-community/regexpp";
import { InvariantError } from "@turnseal/protocol";
import { type Automaton, type AutomatonNode, CONDITION, type Program } from "./automaton.ts";
import type { CodePoints } from "./code-points.ts";
import { isNullable } from "./is-nullable.ts";
import { type CharacterNode, readCharacterSet, wordCharacters } from "./read-character-set.ts";

/** The nodes of a pattern and its lookarounds, with repetition written out. */
export const PATTERN_NODES_MAX = 5_000;

/** The shared state of the automata of one pattern. */
interface Workshop {
  readonly sets: Map<string, { readonly id: number; readonly points: CodePoints }>;
  readonly lookarounds: Automaton[];
  readonly lookaroundIds: Map<AST.LookaroundAssertion, number>;
  spentNodes: number;
  loopCount: number;
}

interface Draft {
  readonly workshop: Workshop;
  readonly nodes: AutomatonNode[];
  readonly direction: Automaton["direction"];
  conditions: number;
}

/** Where an element leads, and the endless repetition that it is in. */
interface Place {
  readonly next: number;
  readonly loop: number;
}

/** The automata of a pattern, or undefined when they need more nodes than allowed. */
export function createProgram(pattern: AST.Pattern): Program | undefined {
  const workshop: Workshop = {
    sets: new Map([["\\w", { id: 0, points: wordCharacters }]]),
    lookarounds: [],
    lookaroundIds: new Map(),
    spentNodes: 0,
    loopCount: 0,
  };
  const main = createAutomaton(workshop, pattern.alternatives, "forward");
  if (isSpent(workshop)) return undefined;
  const sets = [...workshop.sets.values()].map(({ points }) => points);
  return { main, lookarounds: workshop.lookarounds, sets };
}

function createAutomaton(
  workshop: Workshop,
  alternatives: readonly AST.Alternative[],
  direction: Automaton["direction"],
): Automaton {
  const draft: Draft = { workshop, nodes: [], direction, conditions: 0 };
  const next = addNode(draft, { kind: "accept" });
  const start = addAlternatives(draft, alternatives, { next, loop: 0 });
  return { nodes: draft.nodes, start, direction, conditions: draft.conditions };
}

function addNode(draft: Draft, node: AutomatonNode): number {
  draft.workshop.spentNodes += 1;
  return draft.nodes.push(node) - 1;
}

function isSpent(workshop: Workshop): boolean {
  return workshop.spentNodes > PATTERN_NODES_MAX;
}

// Every function below adds nodes that lead to `place.next`, and returns the first of them.

function addAlternatives(
  draft: Draft,
  alternatives: readonly AST.Alternative[],
  place: Place,
): number {
  return alternatives
    .map(({ elements }) => addSequence(draft, elements, place))
    .reduceRight((other, next) => addNode(draft, { kind: "split", next, other }));
}

function addSequence(draft: Draft, elements: readonly AST.Element[], place: Place): number {
  // Nodes are added from the one read last to the one read first.
  const ordered = draft.direction === "forward" ? elements.toReversed() : elements;
  return ordered.reduce(
    (next, element) => addElement(draft, element, { ...place, next }),
    place.next,
  );
}

function addElement(draft: Draft, element: AST.Element, place: Place): number {
  if (isSpent(draft.workshop)) return place.next;
  switch (element.type) {
    case "Character":
    case "CharacterClass":
    case "CharacterSet":
      return addNode(draft, { kind: "character", set: findSet(draft.workshop, element), ...place });
    case "Group":
    case "CapturingGroup":
      return addAlternatives(draft, element.alternatives, place);
    case "Quantifier":
      return addRepetition(draft, element, place);
    case "Assertion":
      return addCondition(draft, element, place);
    default:
      throw new InvariantError(`${element.type} was not refused`);
  }
}

function findSet({ sets }: Workshop, node: CharacterNode): number {
  const known = sets.get(node.raw);
  if (known !== undefined) return known.id;
  const id = sets.size;
  sets.set(node.raw, { id, points: readCharacterSet(node) });
  return id;
}

function addRepetition(draft: Draft, quantifier: AST.Quantifier, place: Place): number {
  const { element, min, max } = quantifier;
  const isEndless = max === Number.POSITIVE_INFINITY;
  const required = isEndless && min > 0 ? min - 1 : min;
  let next = isEndless ? addLoop(draft, quantifier, place) : place.next;
  for (let count = min; !isEndless && count < max && !isSpent(draft.workshop); count += 1) {
    const pass = addPass(draft, element, { ...place, next });
    next = addNode(draft, { kind: "split", next: pass, other: place.next });
  }
  for (let count = 0; count < required && !isSpent(draft.workshop); count += 1) {
    const first = addElement(draft, element, { ...place, next });
    // An element without nodes would be repeated for nothing, and that up to billions of times.
    if (first === next) break;
    next = first;
  }
  return next;
}

function addLoop(draft: Draft, { element, min }: AST.Quantifier, place: Place): number {
  draft.workshop.loopCount += 1;
  const loop = place.loop === 0 ? draft.workshop.loopCount : place.loop;
  const branch = addNode(draft, { kind: "split", next: place.next, other: place.next });
  const pass = addPass(draft, element, { next: branch, loop });
  draft.nodes[branch] = { kind: "split", next: pass, other: place.next };
  if (min === 0) return branch;
  // The first pass of `+` is required, so it may be empty: it is entered behind its `begin`.
  const entry = draft.nodes[pass];
  return entry?.kind === "begin" ? entry.next : pass;
}

/** One pass of a repetition that could as well have stopped. */
function addPass(draft: Draft, element: AST.Element, place: Place): number {
  if (!isNullable(element)) return addElement(draft, element, place);
  const pass = addNode(draft, { kind: "end", pass: draft.nodes.length, next: place.next });
  const next = addElement(draft, element, { ...place, next: pass });
  return addNode(draft, { kind: "begin", pass, next });
}

function addCondition(draft: Draft, assertion: AST.Assertion, { next }: Place): number {
  const bit = findCondition(draft.workshop, assertion);
  const holds = "negate" in assertion ? !assertion.negate : true;
  draft.conditions |= bit;
  return addNode(draft, { kind: "condition", bit, holds, next });
}

function findCondition(workshop: Workshop, assertion: AST.Assertion): number {
  switch (assertion.kind) {
    case "start":
      return CONDITION.textStart;
    case "end":
      return CONDITION.textEnd;
    case "word":
      return CONDITION.wordEdge;
    case "lookahead":
    case "lookbehind":
      return CONDITION.lookaround << findLookaround(workshop, assertion);
  }
}

function findLookaround(workshop: Workshop, assertion: AST.LookaroundAssertion): number {
  const known = workshop.lookaroundIds.get(assertion);
  if (known !== undefined) return known;
  const direction = assertion.kind === "lookahead" ? "backward" : "forward";
  const automaton = createAutomaton(workshop, assertion.alternatives, direction);
  const id = workshop.lookarounds.push(automaton) - 1;
  workshop.lookaroundIds.set(assertion, id);
  return id;
}
