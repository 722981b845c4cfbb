/** The tool that starts a plan: people approve the whole plan before its first step. */
import {
  compilePlan,
  isPlainObject,
  isPlannedStep,
  type JsonObject,
  NOTE_TOOL,
  OUTPUT_TOOL,
  PLAN_TITLE_LENGTH_MAX,
  PLAN_TOOL,
  type PlanDecision,
  type PlanDocument,
  parsePlan,
  STORE_TOOL,
} from "@turnseal/protocol";
import { hasFields, isListOf } from "@turnseal/protocol/shape";
import { describeCompensation } from "../actions/compensation-facts.ts";
import { type Failed, fail, findRefusal, isDeclined, type Outcome, succeed } from "../outcome.ts";
import type { BuiltStep, Proposal } from "../plans/plans.ts";
import { listFinal } from "../registry/check-reversible.ts";
import { listBelow } from "../registry/list-below.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { type Admitted, admitRead, type BuiltIn, readAction, type ToolCall } from "./built-in.ts";

/** Proposes the plan, and answers when it was approved. */
export const startPlan: BuiltIn = {
  name: PLAN_TOOL,
  admit: admitRead(PLAN_TOOL),
  run: async (call, admitted) => {
    const { input, frame, world } = call;
    if (world.kind === "call")
      return fail("POLICY_DENIED", "a plan needs a run", { denial: "run-missing" });
    if (!isProposal(input))
      return fail("INPUT_VALIDATION_FAILED", `${PLAN_TOOL} takes a document and its steps`);
    const { plans } = world.memory;
    const { document, steps } = input;
    const plan = readCarriedOut(document, frame.loops.at(-2));
    if (plan === undefined)
      return fail("POLICY_DENIED", "only the loop that is made of a plan can ask for it", {
        denial: "plan-foreign",
      });
    const settled = await plans.settle(frame, () => refuseFinal(plan, world));
    if (settled === undefined) return { kind: "paused" };
    if (settled.kind === "error") return settled;
    const built = steps.map((step, index) => ({ ...step, ...nameCode(plan.steps[index], world) }));
    const proposal = plans.propose(frame, document, built);
    const outcome = await world.effects.journal.run(
      frame,
      planAction(describe(plan, proposal.content), call, admitted),
    );
    const decision = decisionOf(outcome);
    if (decision !== undefined) plans.decide(frame, proposal, decision);
    return outcome.kind === "ok" ? succeed(outcome.value.result) : outcome;
  },
};

function planAction(description: string, call: ToolCall, admitted: Admitted): Action {
  const action = readAction(PLAN_TOOL, call, admitted);
  return {
    ...action,
    // It does nothing itself: the cost of a plan is counted step by step.
    reserve: () => ({}),
    attempt: {},
    judged: {
      ...action.judged,
      gate: () => ({ kind: "ask", why: "tool-asks", description }),
      onReject: "stop",
    },
    act: async () => ({ result: { approved: true }, facts: { action: "tool" }, spent: {} }),
  };
}

/** Returns the plan if the loop is the one compiled from it. People approve what that loop does. */
function readCarriedOut(document: JsonObject, loop: string | undefined): PlanDocument | undefined {
  const parsed = parsePlan(document);
  const isCarriedOut = parsed.kind === "parsed" && compilePlan(parsed.plan).id === loop;
  return isCarriedOut ? parsed.plan : undefined;
}

/**
 * Refuses a reversible plan with a step that cannot be taken back. Its author may not have known
 * the bound functions.
 */
function refuseFinal(
  { reversible, steps }: PlanDocument,
  { identity: { loops }, effects: { tools } }: World,
): Failed | undefined {
  if (reversible !== true) return undefined;
  const called = steps.flatMap(({ loop, version }) => {
    const found = loops(loop, version);
    return found === undefined ? [] : listBelow(found, (id, of) => loops(id, of));
  });
  const [final] = listFinal(called, tools.find);
  return final && fail("POLICY_DENIED", final.message, { denial: "irreversible" });
}

/** The code that a claim of the step would name, where the step calls a tool. */
function nameCode(
  step: PlanDocument["steps"][number] | undefined,
  { identity: { loops }, effects: { tools } }: World,
): Pick<BuiltStep, "build" | "compensation" | "irreversible"> {
  const called = step === undefined ? undefined : loops(step.loop, step.version)?.definition;
  const name = called?.tool?.implementation;
  if (called === undefined || name === undefined) return {};
  const tool = tools.find(name, called.version);
  if (tool !== undefined) return { build: tool.build, ...describeCompensation(tool) };
  const build = builtIns.get(name);
  return build === undefined ? {} : { build };
}

/** Tools without a bound function. */
const builtIns = new Map([NOTE_TOOL, OUTPUT_TOOL, STORE_TOOL].map((name) => [name, "builtin"]));

const isSteps = isListOf(isPlannedStep);
const isProposal = hasFields({ document: isObject, steps: isSteps });

function isObject(value: unknown): value is JsonObject {
  return isPlainObject(value);
}

/** The question to people. The author of the plan wrote its title. */
function describe({ title, steps }: PlanDocument, proposed: Proposal["content"]): string {
  const count = steps.length === 1 ? "one step" : `${steps.length} steps`;
  const asked = `Carry out the plan "${title.slice(0, PLAN_TITLE_LENGTH_MAX)}", ${count}?`;
  return [asked, ...describeCompensations(steps, proposed.steps)].join(" ").toWellFormed();
}

/** Says which effects of the plan can be taken back, by the declarations of its tools. */
function describeCompensations(
  steps: PlanDocument["steps"],
  proposed: Proposal["content"]["steps"],
): readonly string[] {
  const name = (is: (step: Proposal["content"]["steps"][number]) => boolean) =>
    steps.flatMap(({ id }, index) => {
      const step = proposed[index];
      return step !== undefined && is(step) ? [id] : [];
    });
  const undone = name(({ compensation }) => compensation !== undefined);
  const final = name(({ irreversible }) => irreversible !== undefined);
  if (undone.length + final.length === 0) return [];
  const rest = undone.length + final.length < steps.length;
  return [
    ...(undone.length === 0 ? [] : [`Can be taken back: ${enumerate(undone)}.`]),
    ...(final.length === 0 ? [] : [`Cannot be taken back: ${enumerate(final)}.`]),
    ...(rest ? ["The other steps declare nothing of it."] : []),
  ];
}

/** A question is to be read: of many, some are named. */
const NAMED_MAX = 10;

function enumerate(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED_MAX).join(", ");
  return ids.length > NAMED_MAX ? `${named} and ${ids.length - NAMED_MAX} more` : named;
}

/** Returns undefined without a decision: it waits, was cancelled, or has no room. */
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
