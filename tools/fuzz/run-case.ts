/** One case: something valid is broken, put through the kernel, and what must hold is checked. */
import { createExecutor, createRegistry, type Registry } from "@turnseal/kernel";
import { manualClock, seededIds } from "@turnseal/ports";
import {
  type JsonValue,
  listVariables,
  measureTemplate,
  parsePath,
  readPath,
  renderTemplate,
} from "@turnseal/protocol";
import { checkTrace } from "./check-trace.ts";
import { createLoopGraph } from "./create-loop-graph.ts";
import { hostileTexts } from "./hostile-patterns.ts";
import { type MutationName, mutations } from "./mutations.ts";
import { createRandom, type Random } from "./random.ts";
import { startStopwatch } from "./stopwatch.ts";
import { companions, documents, inputs, paths, templates } from "./valid-documents.ts";

export interface CaseReport {
  /** The longest time that one step of the kernel took. */
  readonly slowestMs: number;
  /** The way in which the case was broken. */
  readonly kind: string;
  /** What came out, one word each: `registered`, `refused json`, `call ok`, `call TIMEOUT`. */
  readonly outcomes: readonly string[];
  readonly problems: readonly string[];
  /** What was tried, to be shown when the case fails. */
  readonly subjects: readonly unknown[];
}

/** A report in the making. */
interface Draft {
  kind: string;
  slowestMs: number;
  readonly outcomes: string[];
  readonly problems: string[];
  readonly subjects: unknown[];
}

/** Every loop as it was written. */
const unbroken = createRegistry();
for (const loop of [...companions, ...documents]) unbroken.register(loop);

const mutationNames = Object.keys(mutations) as MutationName[];

/** Runs the case of this seed and number; the same two always give the same case. */
export async function runCase(seed: number, index: number): Promise<CaseReport> {
  const random = createRandom(`${seed}/${index}`);
  const draft: Draft = { kind: "", slowestMs: 0, outcomes: [], problems: [], subjects: [] };
  const chosen = random.next();
  if (chosen < 0.7) await breakDocument(random, draft);
  else if (chosen < 0.9) await breakInput(random, draft);
  else if (chosen < 0.97) breakText(random, draft);
  else await connectLoops(random, draft);
  return draft;
}

async function breakDocument(random: Random, draft: Draft): Promise<void> {
  const document = structuredClone(random.pick(documents));
  const mutation = random.pick(mutationNames);
  draft.kind = `document: ${mutation}`;
  draft.subjects.push(document);
  mutations[mutation](document, random);
  // Some are broken more than once, also by chance in the same place.
  while (random.next() < 0.25) mutations[random.pick(mutationNames)](document, random);

  const registry = createRegistry();
  for (const companion of companions) registry.register(companion);
  const mode = random.pick(["strict", "lenient"] as const);
  const registration = timeStep(draft, () => registry.register(document, { mode }));
  if (registration.kind === "refused") {
    draft.outcomes.push(`refused ${registration.problems[0]?.rule}`);
    return;
  }
  draft.outcomes.push("registered");
  const { loop } = registration;
  // What was accepted compiles, whatever it is given.
  timeStep(draft, () => [loop.validateInput(null), loop.validateOutput(null)]);
  timeStep(draft, () => registry.checkReferences());
  const { id } = loop.definition;
  await callLoop(registry, id, random.pick([...inputs, ...hostileTexts]), draft);
  await callLoop(registry, id, { name: random.pick(hostileTexts) }, draft);
}

function timeStep<Value>(draft: Draft, act: () => Value): Value {
  const readMs = startStopwatch();
  const value = act();
  draft.slowestMs = Math.max(draft.slowestMs, readMs());
  return value;
}

async function breakInput(random: Random, draft: Draft): Promise<void> {
  // The input is held by something, so that it can be replaced as a whole.
  const held = { input: structuredClone(random.pick(inputs)) };
  const mutation = random.pick(mutationNames);
  draft.kind = `input: ${mutation}`;
  draft.subjects.push(held);
  mutations[mutation](held, random);
  await callLoop(unbroken, random.pick(documents).id, held.input, draft);
}

async function callLoop(
  registry: Registry,
  loopId: string,
  input: unknown,
  draft: Draft,
): Promise<void> {
  draft.subjects.push({ loopId, input });
  const tools = {
    "local.fail": () => {
      throw new Error("as it was asked to");
    },
  };
  const executor = createExecutor({
    registry,
    clock: manualClock(),
    ids: seededIds("fuzz"),
    tools,
  });
  const readMs = startStopwatch();
  const result = await executor.call(loopId, input);
  draft.slowestMs = Math.max(draft.slowestMs, readMs());
  draft.outcomes.push(result.status === "ok" ? "call ok" : `call ${result.error.code}`);
  draft.problems.push(...checkTrace(result));
}

/** Paths and templates: broken characters, over values that are broken too. */
function breakText(random: Random, draft: Draft): void {
  const value = { input: structuredClone(random.pick(inputs)), steps: [] } as JsonValue;
  const isPath = random.next() < 0.6;
  const text = breakCharacters(random.pick(isPath ? paths : templates), random);
  draft.kind = isPath ? "path" : "template";
  draft.subjects.push(text, value);
  if (isPath) {
    const parsed = parsePath(text);
    if (parsed.kind === "path") draft.outcomes.push(readPath(value, parsed.segments).kind);
    else draft.outcomes.push("refused");
    return;
  }
  const rendered = renderTemplate(text, value);
  draft.outcomes.push(listVariables(text).length > 0 ? "rendered" : "only text");
  if (rendered.length !== measureTemplate(text, value)) draft.problems.push("measured wrong");
}

const oddCharacters = [
  ...["$", ".", "[", "]", "'", '"', "\\", "*", "..", "@", "?", "-", "0", "{{", "}}", " ", "\n"],
  ...["__proto__", ".constructor", "['__proto__']", "{{constructor}}", "\ud800", "\u0000", "💡"],
  ...["[99999999999999999999]", "\\u0041", ".length", "x".repeat(2_000)],
];

function breakCharacters(text: string, random: Random): string {
  let broken = text;
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(broken.length + 1);
    const removed = random.below(3);
    broken = broken.slice(0, at) + random.pick(oddCharacters) + broken.slice(at + removed);
  }
  return broken;
}

async function connectLoops(random: Random, draft: Draft): Promise<void> {
  draft.kind = "loops: cyclic references";
  const loops = createLoopGraph(random);
  draft.subjects.push(...loops);
  const registry = createRegistry();
  for (const loop of [...companions, ...loops]) registry.register(loop);
  const rules = new Set(registry.checkReferences().map(({ problem }) => problem.rule));
  draft.outcomes.push(...[...rules].map((rule) => `reported ${rule}`));
  await callLoop(registry, loops[0]?.id ?? "", { name: "Ada" }, draft);
}
