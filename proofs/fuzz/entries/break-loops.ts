/** Loop documents, inputs, paths and templates, put through the kernel. */
import { bindTools, createExecutor, createRegistry, type Registry } from "@turnseal/kernel";
import { manualClock, seededIds } from "@turnseal/ports";
import {
  type JsonValue,
  listVariables,
  parsePath,
  readPath,
  renderTemplate,
  renderWithin,
} from "@turnseal/protocol";
import { breakCharacters, breakValue, mutationNames } from "../break-text.ts";
import { type Draft, timeAsync, timeStep } from "../case-report.ts";
import { checkTrace } from "../check-trace.ts";
import { createLoopGraph } from "../create-loop-graph.ts";
import { hostileTexts } from "../hostile-patterns.ts";
import { mutations } from "../mutations.ts";
import type { Random } from "../random.ts";
import { companions, documents, inputs, paths, templates } from "../valid-documents.ts";

/** Every loop as it was written. */
const unbroken = createRegistry();
for (const loop of [...companions, ...documents]) unbroken.register(loop);

/** Breaks something about loops. */
export async function breakLoops(random: Random, draft: Draft): Promise<void> {
  const chosen = random.next();
  if (chosen < 0.7) await breakDocument(random, draft);
  else if (chosen < 0.9) await breakInput(random, draft);
  else if (chosen < 0.97) breakText(random, draft);
  else await connectLoops(random, draft);
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
  draft.isAccepted = true;
  const { loop } = registration;
  // An accepted loop compiles, and takes any input.
  timeStep(draft, () => [loop.validateInput(null), loop.validateOutput(null)]);
  timeStep(draft, () => registry.checkReferences());
  const { id } = loop.definition;
  await callLoop(registry, id, random.pick([...inputs, ...hostileTexts]), draft);
  await callLoop(registry, id, { name: random.pick(hostileTexts) }, draft);
}

async function breakInput(random: Random, draft: Draft): Promise<void> {
  const { broken, mutation } = breakValue(random.pick(inputs), random);
  draft.kind = `input: ${mutation}`;
  draft.isAccepted = await callLoop(unbroken, random.pick(documents).id, broken, draft);
}

/** Calls a loop, and answers whether it went well. */
async function callLoop(
  registry: Registry,
  loopId: string,
  input: unknown,
  draft: Draft,
): Promise<boolean> {
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
    tools: bindTools(tools),
  });
  const result = await timeAsync(draft, () => executor.call(loopId, input));
  draft.outcomes.push(result.status === "ok" ? "call ok" : `call ${result.error.code}`);
  draft.problems.push(...checkTrace(result));
  return result.status === "ok";
}

/** Paths and templates: broken characters, over values that are broken too. */
function breakText(random: Random, draft: Draft): void {
  const value = { input: structuredClone(random.pick(inputs)), steps: [] } as JsonValue;
  const isPath = random.next() < 0.6;
  const text = breakCharacters(random.pick(isPath ? paths : templates), oddCharacters, random);
  draft.kind = isPath ? "path" : "template";
  draft.subjects.push(text, value);
  if (isPath) {
    const parsed = parsePath(text);
    draft.isAccepted = parsed.kind === "path";
    if (parsed.kind === "path") draft.outcomes.push(readPath(value, parsed.segments).kind);
    else draft.outcomes.push("refused");
    return;
  }
  const rendered = renderTemplate(text, value);
  draft.isAccepted = true;
  draft.outcomes.push(listVariables(text).length > 0 ? "rendered" : "only text");
  const { length } = rendered;
  const isFitting = renderWithin(text, value, length) === rendered;
  if (!isFitting || renderWithin(text, value, length - 1) !== undefined)
    draft.problems.push("measured wrong");
}

const oddCharacters = [
  ...["$", ".", "[", "]", "'", '"', "\\", "*", "..", "@", "?", "-", "0", "{{", "}}", " ", "\n"],
  ...["__proto__", ".constructor", "['__proto__']", "{{constructor}}", "\ud800", "\u0000", "💡"],
  ...["[99999999999999999999]", "\\u0041", ".length", "x".repeat(2_000)],
];

async function connectLoops(random: Random, draft: Draft): Promise<void> {
  draft.kind = "loops: cyclic references";
  const loops = createLoopGraph(random);
  draft.subjects.push(...loops);
  const registry = createRegistry();
  for (const loop of [...companions, ...loops]) registry.register(loop);
  const rules = new Set(registry.checkReferences().map(({ problem }) => problem.rule));
  draft.outcomes.push(...[...rules].map((rule) => `reported ${rule}`));
  draft.isAccepted = await callLoop(registry, loops[0]?.id ?? "", { name: "Ada" }, draft);
}
