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
  parsePlan,
} from "@turnseal/protocol";
import { hasFields, isListOf } from "@turnseal/protocol/shape";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { type Failed, fail, findRefusal, isDeclined, type Outcome, succeed } from "../outcome.ts";
import type { BuiltStep, Proposal } from "../plans/plans.ts";
import { listFinal } from "../registry/check-reversible.ts";
import { listBelow } from "../registry/list-below.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { admitTool } from "./admit-tool.ts";
import { OUTPUT_TOOL } from "./read-output.ts";
import { describeWayBack } from "./way-back.ts";

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
  const settled = await plans.settle(frame, () => refuseFinal(plan, world));
  if (settled === undefined) return { kind: "paused" };
  if (settled.kind === "error") return settled;
  const built = steps.map((step, index) => ({ ...step, ...nameCode(plan.steps[index], world) }));
  const proposal = plans.propose(frame, document, built);
  const { terms, approvals } = admission.value;
  const { grant = {} } = frame;
  const description = describe(plan, proposal.content);
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

/**
 * A plan that is to be reversible does nothing that nothing takes back. Whoever proposed it may
 * have had no functions to look at.
 */
function refuseFinal(
  { reversible, steps }: PlanDocument,
  { loops, tools }: World,
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
  { loops, tools }: World,
): Pick<BuiltStep, "build" | "compensation" | "irreversible"> {
  const called = step === undefined ? undefined : loops(step.loop, step.version)?.definition;
  const name = called?.tool?.implementation;
  if (called === undefined || name === undefined) return {};
  const tool = tools.find(name, called.version);
  if (tool !== undefined) return { build: tool.build, ...describeWayBack(tool) };
  const build = builtIns.get(name);
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
function describe({ title, steps }: PlanDocument, proposed: Proposal["content"]): string {
  const count = steps.length === 1 ? "one step" : `${steps.length} steps`;
  const asked = `Carry out the plan "${title.slice(0, PLAN_TITLE_LENGTH_MAX)}", ${count}?`;
  return [asked, ...describeBack(steps, proposed.steps)].join(" ").toWellFormed();
}

/** What can be taken back of it, by what the tools declare of whose use the plan consists. */
function describeBack(
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
