/** The tool that lets a plan start: people are asked for the whole of it, before its first step. */
import {
  compilePlan,
  isPlainObject,
  isPlannedStep,
  type JsonObject,
  type JsonValue,
  NOTE_TOOL,
  PLAN_TITLE_LENGTH_MAX,
  PLAN_TOOL,
  type PlanDecision,
  type PlanDocument,
  type PlannedStep,
  parsePlan,
} from "@turnseal/protocol";
import { hasFields, isListOf } from "@turnseal/protocol/shape";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { type Failed, fail, findRefusal, isDeclined, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { admitTool } from "./admit-tool.ts";
import { OUTPUT_TOOL } from "./read-output.ts";

/** Proposes the plan, and answers when it was approved. */
export async function startPlan(
  { definition: { id: loop, version } }: CheckedLoop,
  input: JsonValue,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<JsonValue>> {
  const tool = { name: PLAN_TOOL, version, effect: "read" } as const;
  const admission = admitTool(frame, tool, { args: input, needs: {} });
  if (admission.kind !== "ok") return admission;
  const { plans, journal } = world;
  if (plans === undefined)
    return fail("POLICY_DENIED", "a plan needs a run", { denial: "run-missing" });
  if (!isProposal(input))
    return fail("INPUT_VALIDATION_FAILED", `${PLAN_TOOL} takes a document and its steps`);
  const { document, steps } = input;
  const plan = readCarriedOut(document, frame.loops.at(-2));
  if (plan === undefined)
    return fail("POLICY_DENIED", "only the loop that is made of a plan can ask for it", {
      denial: "plan-foreign",
    });
  if (!(await plans.settle(frame))) return { kind: "paused" };
  const built = steps.map((step, index) => ({ ...step, ...nameBuild(plan.steps[index], world) }));
  const proposal = plans.propose(frame, document, built);
  const { terms, approvals } = admission.value;
  const { grant = {} } = frame;
  const description = describe(document, steps);
  const action: Action = {
    kind: "tool",
    name: PLAN_TOOL,
    ordinal: 0,
    effect: "read",
    facts: {
      action: "tool",
      tool: PLAN_TOOL,
      build: "builtin",
      term: PLAN_TOOL,
      ...(terms.length === 0 ? {} : { terms: [...terms] }),
    },
    request: input,
    // Nothing is done by it: what the plan costs is counted step by step.
    reserve: () => ({}),
    attempt: {},
    judged: {
      ...{ loop, tool, args: input, grant, needs: {}, approvals },
      gate: () => ({ kind: "ask", why: "tool-asks", description }),
      onReject: "stop",
    },
    act: async () => ({ result: { approved: true }, facts: { action: "tool" }, spent: {} }),
  };
  const outcome = await journal.run(frame, action);
  const decision = decisionOf(outcome);
  if (decision !== undefined) plans.decide(frame, proposal, decision);
  return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
}

/** Whoever approves a plan approves what its loop does: another loop could do anything after it. */
function readCarriedOut(document: JsonObject, loop: string | undefined): PlanDocument | undefined {
  const parsed = parsePlan(document);
  const isCarriedOut = parsed.kind === "parsed" && compilePlan(parsed.plan).id === loop;
  return isCarriedOut ? parsed.plan : undefined;
}

/** The build that a claim of the step would name, where the step calls a tool. */
function nameBuild(
  step: PlanDocument["steps"][number] | undefined,
  { loops, tools }: World,
): { readonly build?: string } {
  const called = step === undefined ? undefined : loops(step.loop, step.version)?.definition;
  const name = called?.tool?.implementation;
  if (called === undefined || name === undefined) return {};
  const build = tools.find(name, called.version)?.build ?? builtIns.get(name);
  return build === undefined ? {} : { build };
}

/** What needs no function. */
const builtIns = new Map([NOTE_TOOL, OUTPUT_TOOL].map((name) => [name, "builtin"]));

const isSteps = isListOf(isPlannedStep);
const isProposal = hasFields({ document: isObject, steps: isSteps });

function isObject(value: unknown): value is JsonObject {
  return isPlainObject(value);
}

/** What people are asked. Whoever wrote the plan wrote its title. */
function describe({ title }: JsonObject, steps: readonly PlannedStep[]): string {
  const named = typeof title === "string" ? ` "${title.slice(0, PLAN_TITLE_LENGTH_MAX)}"` : "";
  const count = steps.length === 1 ? "one step" : `${steps.length} steps`;
  return `Carry out the plan${named}, ${count}?`.toWellFormed();
}

/** Nothing, where it is not decided: it waits, or was cancelled, or there is no room for it. */
function decisionOf(outcome: Outcome<unknown>): PlanDecision | undefined {
  if (outcome.kind === "paused") return undefined;
  return outcome.kind === "ok" ? "approved" : refusalOf(outcome);
}

function refusalOf({ error }: Failed): PlanDecision | undefined {
  if (error.code !== "POLICY_DENIED") return undefined;
  if (isDeclined(error)) return "rejected";
  switch (findRefusal(error)) {
    case "approval-rejected":
      return "rejected";
    case "approval-expired":
      return "expired";
    case undefined:
      return "denied";
  }
}
