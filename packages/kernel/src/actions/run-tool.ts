/** The body of a tool loop: one tool execution. */
import type { Secrets, ToolBinding } from "@turnseal/ports";
import {
  HANDOFF_TOOL,
  invariant,
  type JsonObject,
  type JsonValue,
  type Needs,
  NOTE_TOOL,
  nameNeeds,
  PLAN_TOOL,
  QUESTION_TOOL,
  readNeeds,
  type ToolFacts,
  type ToolSpec,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { keptCallsOf } from "../definition/kept-calls.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import { admitTool, deny } from "./admit-tool.ts";
import { type Execution, executeTool, reconcileTool } from "./execute-tool.ts";
import { hasSecrets } from "./give-secrets.ts";
import { handOff } from "./hand-off.ts";
import { OUTPUT_TOOL, readOutput } from "./read-output.ts";
import { startPlan } from "./start-plan.ts";
import type { ToolOutput } from "./tool-output.ts";
import { describeWayBack, nameTaken, refuseForeign } from "./way-back.ts";
import { writeNote } from "./write-note.ts";

const noConfig: JsonObject = {};

/** Executes the tool that the operator bound to the name, if it may be executed. */
export async function runTool(
  loop: CheckedLoop,
  input: JsonValue,
  frame: Frame,
  world: World,
): Promise<Outcome<JsonValue>> {
  const spec = loop.definition.tool;
  invariant(spec !== undefined, "a tool loop has a tool");
  const name = spec.implementation;
  if (name === QUESTION_TOOL) return askOutside(loop, spec, input, { frame, world });
  const tool = world.tools.find(name, loop.definition.version);
  if (name === OUTPUT_TOOL && tool === undefined) return readOutput(loop, input, { frame, world });
  if (name === NOTE_TOOL && tool === undefined) return writeNote(loop, input, { frame, world });
  if (name === PLAN_TOOL) return startPlan(loop, input, { frame, world });
  if (name === HANDOFF_TOOL) return handOff(loop, spec, input, { frame, world });
  if (tool === undefined) return fail("TOOL_FAILED", `no function is bound to ${name}`);
  const foreign = refuseForeign(tool, input, { frame, world });
  if (foreign !== undefined) return foreign;
  const { secrets, live, files, artifacts } = world;
  const action = admitAction({ loop, spec, tool, frame, secrets, live, files, artifacts }, input);
  if (action.kind !== "ok") return action;

  if (keptCallsOf(loop.definition) !== undefined) {
    const recalled = await world.caches?.recall({ loop, input, frame, action: action.value });
    if (recalled !== undefined) return recalled;
  }
  const outcome = await world.journal.run(frame, action.value);
  if (outcome.kind !== "ok") return outcome;
  const { result, facts } = outcome.value;
  const refused = facts.action === "tool" ? facts.refused : undefined;
  if (refused === undefined) return succeed(result);
  return fail("OUTPUT_VALIDATION_FAILED", `${name} answered with what is not plain JSON`, {
    problems: [refused],
  });
}

async function askOutside(
  { definition: { id: loop, version } }: CheckedLoop,
  { config = noConfig }: ToolSpec,
  request: JsonValue,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<JsonValue>> {
  const facts = { name: QUESTION_TOOL, version, effect: "read" };
  const admission = admitTool(frame, facts, { args: request, needs: {} });
  if (admission.kind !== "ok") return admission;
  const { to, role, withinMs } = config;
  return world.journal.ask(frame, {
    loop,
    version,
    to: to === "agent" ? "agent" : "person",
    ...(typeof role === "string" ? { role } : {}),
    ...(typeof withinMs === "number" ? { withinMs } : {}),
    request,
  });
}

interface ToolPlace {
  readonly loop: CheckedLoop;
  readonly spec: ToolSpec;
  readonly tool: ToolBinding;
  readonly frame: Frame;
  readonly secrets: Secrets;
  readonly live: World["live"];
  readonly files: World["files"];
  readonly artifacts: World["artifacts"];
}

/** The action for an input, if the grant allows it. */
function admitAction(place: ToolPlace, input: JsonValue): Outcome<Action> {
  const { loop, spec, tool, frame } = place;
  const name = spec.implementation;
  const needs = askNeeds(tool, input);
  if (needs === undefined) return deny(name, "needs-unreadable");
  const facts = { name, version: loop.definition.version, effect: tool.effect };
  const admission = admitTool(frame, facts, { args: input, needs });
  if (admission.kind !== "ok") return admission;
  return succeed(toolAction(place, input, { needs, ...admission.value }));
}

/** What a tool says it needs for these arguments. It is the operator's code, and may fail. */
function askNeeds(tool: ToolBinding, input: JsonValue): Needs | undefined {
  if (tool.needs === undefined) return {};
  try {
    return readNeeds(tool.needs(input));
  } catch {
    return undefined;
  }
}

/** What was needed and what covers it, so that whoever verifies sees that nothing is left out. */
function describeTerms(needs: Needs, terms: readonly string[]): Pick<ToolFacts, "needs" | "terms"> {
  if (needs.terms === undefined) return {};
  const named = nameNeeds(needs).map((need) => ({ ...need }));
  return named.length === 0 ? {} : { needs: named, terms: [...terms] };
}

interface Admitted {
  readonly needs: Needs;
  /** The terms of the grant that allow it. */
  readonly terms: readonly string[];
  /** The roles whose approval these terms want. */
  readonly approvals: readonly string[];
}

function toolAction(place: ToolPlace, input: JsonValue, admitted: Admitted): Action {
  const { needs, terms, approvals } = admitted;
  const { loop, spec, tool, frame, secrets, live, files, artifacts } = place;
  const { implementation: name, config = noConfig } = spec;
  const { effect, build, reconcile, undo } = tool;
  let output: ToolOutput | undefined;
  let record: Action["record"];
  const onChanged: Execution["onChanged"] = (made) => {
    record = made;
  };
  const onOutput = (opened: ToolOutput): void => {
    output = opened;
  };
  const amounts = { toolCalls: 1, ...(effect === "read" ? {} : { effects: 1 }), ...needs.amounts };
  return {
    kind: "tool",
    name,
    ordinal: 0,
    effect,
    ...(undo === undefined ? {} : { undo }),
    facts: {
      ...{ action: "tool", tool: name, build, term: name },
      ...describeTerms(needs, terms),
      // They are cleared from whatever it says.
      ...(hasSecrets(tool) ? { secrets: [...(tool.secrets ?? [])] } : {}),
      ...(tool.artifacts === undefined ? {} : { root: tool.artifacts.root }),
      ...describeWayBack(tool),
      ...nameTaken(tool, input),
    },
    request: input,
    reserve: () => amounts,
    attempt: { toolCalls: 1 },
    judged: {
      loop: loop.definition.id,
      tool: { name, version: loop.definition.version, effect },
      args: input,
      grant: frame.grant ?? {},
      needs,
      approvals,
      ...(tool.gate === undefined ? {} : { gate: () => tool.gate?.(input) }),
    },
    revise: (edited) => {
      // What is taken back is what was done, and not what somebody would like that to be.
      if (tool.takesBack) return deny(name, "rollback-missing");
      const { problems } = loop.validateInput(edited);
      return problems.length > 0
        ? fail("INPUT_VALIDATION_FAILED", `${name} cannot be given this`)
        : admitAction(place, edited);
    },
    act: (given) => {
      // An attempt that ends before it shows anything has shown nothing.
      output = undefined;
      record = undefined;
      const told = { live, files, artifacts, onOutput, onChanged };
      return executeTool(tool, input, { frame, given, config, secrets, spent: amounts, ...told });
    },
    shown: () => output?.shown(),
    record: () => record?.(),
    ...(reconcile === undefined
      ? {}
      : { reconcile: (...asked) => reconcileTool({ ...tool, reconcile }, asked, secrets) }),
  };
}
