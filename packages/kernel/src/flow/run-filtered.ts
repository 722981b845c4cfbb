/**
 * The filters around a prompt (spec/loop.md §2.10): loops that pass, change or refuse its input and
 * its output.
 *
 * 1. A filter is a child like any other: it passes admission, it is recorded, and it costs.
 * 2. A filter that answers with neither yes nor no refuses.
 * 3. A refusal is recorded by its name alone. The words of a filter are content, for the caller.
 */

import { placeBelow } from "@turnseal/folds";
import {
  type CallErrorCode,
  isPlainObject,
  type JsonValue,
  type LoopReference,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { formatProblem } from "../definition/format-problem.ts";
import { DEPTH_MAX } from "../limits.ts";
import { type Failed, fail, isRefusedByPerson, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import { hideLive, type World } from "../world.ts";
import type { CallChild } from "./call-child.ts";

interface FilterParts {
  readonly frame: Frame;
  readonly world: World;
  readonly callChild: CallChild;
}

type Body = (input: JsonValue, parts: FilterParts) => Promise<Outcome<JsonValue>>;

/** Runs a body on the filtered input, and filters its output. */
export function runFiltered(
  loop: CheckedLoop,
  input: JsonValue,
  parts: FilterParts,
  body: Body,
): Promise<Outcome<JsonValue>> {
  const { policy } = loop.definition;
  const hasFilters = policy?.inputFilters !== undefined || policy?.outputFilters !== undefined;
  return hasFilters ? runBetween(loop, input, parts, body) : body(input, parts);
}

async function runBetween(
  loop: CheckedLoop,
  input: JsonValue,
  parts: FilterParts,
  body: Body,
): Promise<Outcome<JsonValue>> {
  const { inputFilters = [], outputFilters = [] } = loop.definition.policy ?? {};
  const taken = await runFilters("input", inputFilters, input, parts);
  if (taken.kind !== "ok") return taken;
  const problems = taken.value === input ? [] : loop.validateInput(taken.value).problems;
  if (problems.length > 0)
    return fail(
      "INPUT_VALIDATION_FAILED",
      "what a filter made of the input does not fit the loop",
      {
        problems: problems.map(formatProblem),
      },
    );
  const given = await body(taken.value, outputFilters.length === 0 ? parts : hideParts(parts));
  return given.kind === "ok" ? runFilters("output", outputFilters, given.value, parts) : given;
}

/** Hides live output that an output filter may still refuse. */
function hideParts(parts: FilterParts): FilterParts {
  return { ...parts, world: hideLive(parts.world) };
}

async function runFilters(
  side: "input" | "output",
  filters: readonly LoopReference[],
  value: JsonValue,
  parts: FilterParts,
): Promise<Outcome<JsonValue>> {
  let current = value;
  for (const [step, filter] of filters.entries()) {
    const outcome = await callFilter(filter, current, { side, step, ...parts });
    if (outcome.kind === "error") return failFilter(outcome, filter);
    if (outcome.kind === "paused") return outcome;
    const verdict = readVerdict(outcome.value, current);
    if (verdict.kind !== "passed") return refuse(filter, side, verdict);
    current = verdict.value;
  }
  return succeed(current);
}

interface FilterPlace extends FilterParts {
  readonly side: "input" | "output";
  readonly step: number;
}

async function callFilter(
  { loopId, loopVersion }: LoopReference,
  value: JsonValue,
  { side, step, frame, world, callChild }: FilterPlace,
): Promise<Outcome<JsonValue>> {
  const loop = world.identity.loops(loopId, loopVersion);
  if (loop === undefined) return fail("LOOP_NOT_FOUND", `the filter ${loopId} is not registered`);
  if (frame.depth >= DEPTH_MAX)
    return fail("DEPTH_EXCEEDED", `calls nest deeper than ${DEPTH_MAX}`);
  const path = `${frame.path}/filters/${side}/${step}`;
  const child = world.identity.ids.create(path);
  if (frame.isTraceFull(child)) return fail("BUDGET_EXCEEDED", "the trace is full");
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
  await frame.catchUp(child);
  frame.record({ type: "child.started", content: { child, loop: loopId, step, filter: side } });
  const place = placeBelow(frame.place, `filters/${side}/${step}`);
  const given = { loop, input: { value }, call: child, path, place, asker: null };
  const outcome = await callChild(given);
  if (outcome.kind === "paused") return outcome;
  await frame.catchUp(child);
  frame.record({ type: "child.completed", content: { child, status: outcome.kind } });
  return outcome;
}

type Verdict =
  | { readonly kind: "passed"; readonly value: JsonValue }
  | { readonly kind: "refused"; readonly words: string | undefined }
  | { readonly kind: "unclear" };

const verdictFields: ReadonlySet<string> = new Set(["allow", "value", "reason"]);

function readVerdict(output: JsonValue, value: JsonValue): Verdict {
  if (!isPlainObject(output) || Object.keys(output).some((name) => !verdictFields.has(name)))
    return { kind: "unclear" };
  const { allow, reason } = output;
  if (allow === true)
    return {
      kind: "passed",
      value: Object.hasOwn(output, "value") ? (output["value"] as JsonValue) : value,
    };
  if (allow !== false) return { kind: "unclear" };
  return { kind: "refused", words: typeof reason === "string" ? reason : undefined };
}

function refuse(
  { loopId }: LoopReference,
  side: "input" | "output",
  verdict: Exclude<Verdict, { readonly kind: "passed" }>,
): Failed {
  if (verdict.kind === "unclear")
    return fail("POLICY_DENIED", `the filter ${loopId} said neither yes nor no`, {
      denial: "filter-failed",
    });
  const refused = fail("POLICY_DENIED", `the filter ${loopId} refused the ${side}`, {
    denial: `${side}-refused`,
  });
  return verdict.words === undefined ? refused : { ...refused, reason: verdict.words };
}

/** Failures that end the prompt with their own code; any other failure of a filter is a refusal. */
const keepsCode: ReadonlySet<CallErrorCode> = new Set([
  "CANCELLED",
  "DEPTH_EXCEEDED",
  "BUDGET_EXCEEDED",
  "TIMEOUT",
]);

function failFilter(outcome: Failed, { loopId }: LoopReference): Failed {
  const { code } = outcome.error;
  if (keepsCode.has(code) || isRefusedByPerson(outcome.error)) return outcome;
  const failed = fail("POLICY_DENIED", `the filter ${loopId} failed: ${code}`, {
    denial: "filter-failed",
  });
  return outcome.reason === undefined ? failed : { ...failed, reason: outcome.reason };
}
