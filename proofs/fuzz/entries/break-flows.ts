/** Flows in loop documents: their shape, their expressions, and what they come to at most. */
import { bindTools, createExecutor, createRegistry, type Registry } from "@turnseal/kernel";
import { type Clock, seededIds } from "@turnseal/ports";
import type { LoopDef } from "@turnseal/protocol";
import { breakCharacters, breakValue } from "../break-text.ts";
import { type Draft, timeAsync, timeStep } from "../case-report.ts";
import { checkBounds } from "../check-bounds.ts";
import { checkProblems } from "../check-problems.ts";
import { checkTrace } from "../check-trace.ts";
import { hostileExpressions } from "../hostile-expressions.ts";
import { listPlaces, readPlace, writePlace } from "../places.ts";
import type { Random } from "../random.ts";
import { companions, inputs } from "../valid-documents.ts";
import { flows } from "../valid-workflows.ts";

const question: LoopDef = {
  ...{ id: "ask", name: "ask", version: "1.0.0", kind: "tool", inputSchema: true },
  outputSchema: { type: "object" },
  tool: { implementation: "turnseal.question", config: { to: "person" } },
};

/** What a case executes at most: more says nothing about the document. */
const CALLS_MAX = 200;

export async function breakFlows(random: Random, draft: Draft): Promise<void> {
  const { flow, kind } = random.next() < 0.4 ? breakExpression(random) : breakShape(random);
  draft.kind = `flow: ${kind}`;
  const document = {
    ...{ id: "flow", name: "flow", version: "1.0.0", kind: "composite" },
    ...{ inputSchema: true, outputSchema: true, composite: { flow } },
  };
  draft.subjects.push(document);
  const registry = createRegistry();
  for (const loop of [...companions, question]) registry.register(loop);
  const registration = timeStep(draft, () => registry.register(document));
  if (registration.kind === "refused") {
    draft.outcomes.push(`refused ${registration.problems[0]?.rule}`);
    draft.problems.push(...checkProblems(registration.problems));
    return;
  }
  draft.outcomes.push("registered");
  draft.isAccepted = true;
  const calls = checkBounds(registration.loop, registry, draft);
  if (calls <= CALLS_MAX) await callFlow(registry, random.pick(inputs), draft);
}

interface BrokenFlow {
  readonly flow: unknown;
  readonly kind: string;
}

function breakShape(random: Random): BrokenFlow {
  const { broken, mutation } = breakValue<unknown>(random.pick(flows), random);
  return { flow: broken, kind: mutation };
}

const expressionFields: ReadonlySet<string> = new Set(["when", "until", "while", "cel"]);
const oddCel = [
  ...["(", ")", "[", "]", "{", "}", "'", '"', ".", ",", "&&", "||", "!", "?", ":", "%", "in "],
  ...["has(", "size(", "matches(", ".map(x, x)", ".all(x, ", "null", "1e9", "-", "item", "error"],
  ...["\u0000", "\ud800", "💡", "input".repeat(400), "(".repeat(40), "// ", "\n"],
];

/** Replaces or damages an expression of a flow. */
function breakExpression(random: Random): BrokenFlow {
  const flow: unknown = structuredClone(random.pick(flows));
  const held = { flow };
  const places = listPlaces(held).filter(
    (place) => expressionFields.has(place.key) && typeof readPlace(place) === "string",
  );
  if (places.length === 0) return breakShape(random);
  const place = random.pick(places);
  const isForeign = random.next() < 0.4;
  const text = String(readPlace(place));
  writePlace(
    place,
    isForeign ? random.pick(hostileExpressions) : breakCharacters(text, oddCel, random),
  );
  return { flow: held.flow, kind: isForeign ? "foreign expression" : "damaged expression" };
}

/** Timers fire at once. */
function hurriedClock(): Clock {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  return {
    now: () => nowMs,
    after: (delayMs, callback) => {
      const timer = setImmediate(() => {
        nowMs += delayMs;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}

async function callFlow(registry: Registry, input: unknown, draft: Draft): Promise<void> {
  draft.subjects.push({ input });
  const tools = {
    "local.fail": () => {
      throw new Error("as it was asked to");
    },
  };
  const executor = createExecutor({
    ...{ registry, clock: hurriedClock(), ids: seededIds("fuzz") },
    tools: bindTools(tools),
  });
  const result = await timeAsync(draft, () => executor.call("flow", input));
  draft.outcomes.push(result.status === "ok" ? "call ok" : `call ${result.error.code}`);
  draft.problems.push(...checkTrace(result));
}
