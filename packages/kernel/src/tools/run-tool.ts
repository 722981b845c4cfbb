/** The body of a tool loop: one tool execution. */
import type { ToolBinding } from "@turnseal/ports";
import {
  invariant,
  isReservedTool,
  type JsonObject,
  type JsonValue,
  type Needs,
  nameNeeds,
  readNeeds,
  type ToolFacts,
  type ToolSpec,
} from "@turnseal/protocol";
import type { ToolAnswer } from "@turnseal/protocol/authoring";
import { admitTool, deny } from "../actions/admit-tool.ts";
import {
  describeCompensation,
  nameCompensated,
  refuseForeign,
} from "../actions/compensation-facts.ts";
import { type Execution, executeTool, reconcileTool } from "../actions/execute-tool.ts";
import { hasSecrets } from "../actions/give-secrets.ts";
import type { ToolOutput } from "../actions/tool-output.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { keptCallsOf } from "../definition/kept-calls.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { World } from "../world.ts";
import type { Admitted } from "./built-in.ts";
import { findBuiltInTool } from "./built-ins.ts";

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
  const builtIn = findBuiltInTool(name);
  if (builtIn !== undefined) {
    const call = { loop, spec, input, frame, world };
    const admitted = builtIn.admit(call);
    return admitted.kind === "ok" ? builtIn.run(call, admitted.value) : admitted;
  }
  const tool = isReservedTool(name)
    ? undefined
    : world.effects.tools.find(name, loop.definition.version);
  if (tool === undefined) return fail("TOOL_FAILED", `no function is bound to ${name}`);
  const foreign = refuseForeign(tool, input, { frame, world });
  if (foreign !== undefined) return foreign;
  const action = admitAction({ loop, spec, tool, frame, world }, input);
  if (action.kind !== "ok") return action;

  if (keptCallsOf(loop.definition) !== undefined || frame.cache !== undefined) {
    const recalled = await world.memory?.caches.recall({
      loop,
      input,
      frame,
      action: action.value,
    });
    if (recalled !== undefined) return recalled;
  }
  const outcome = await world.effects.journal.run(frame, action.value);
  if (outcome.kind !== "ok") return outcome;
  const { result, facts } = outcome.value;
  const refused = facts.action === "tool" ? facts.refused : undefined;
  if (refused === undefined) return succeed(result);
  return fail("OUTPUT_VALIDATION_FAILED", `${name} answered with what is not plain JSON`, {
    problems: [refused],
  });
}

interface ToolPlace {
  readonly loop: CheckedLoop;
  readonly spec: ToolSpec;
  readonly tool: ToolBinding;
  readonly frame: Frame;
  readonly world: World;
}

/** The action for an input, if the grant allows it. */
function admitAction(place: ToolPlace, input: JsonValue, continued?: Continued): Outcome<Action> {
  const { loop, spec, tool, frame } = place;
  const name = spec.implementation;
  const needs = askNeeds(tool, input);
  if (needs === undefined) return deny(name, "needs-unreadable");
  const facts = { name, version: loop.definition.version, effect: tool.effect };
  const admission = admitTool(frame, facts, { args: input, needs });
  if (admission.kind !== "ok") return admission;
  return succeed(toolAction(place, input, { needs, ...admission.value }, continued));
}

/**
 * Returns the tool's declared needs for these arguments. It is the operator's code, and may fail.
 */
function askNeeds(tool: ToolBinding, input: JsonValue): Needs | undefined {
  if (tool.needs === undefined) return {};
  try {
    return readNeeds(tool.needs(input));
  } catch {
    return undefined;
  }
}

/** Lists the needs and the terms that cover them, so that a verifier sees that none is missing. */
function describeTerms(needs: Needs, terms: readonly string[]): Pick<ToolFacts, "needs" | "terms"> {
  if (needs.terms === undefined) return {};
  const named = nameNeeds(needs).map((need) => ({ ...need }));
  return named.length === 0 ? {} : { needs: named, terms: [...terms] };
}

interface AdmittedNeeds extends Admitted {
  readonly needs: Needs;
}

/** The answer that an attempt goes on with, and the claim that asked. */
interface Continued {
  readonly answered: ToolAnswer;
  readonly claim: number;
}

function toolAction(
  place: ToolPlace,
  input: JsonValue,
  admitted: AdmittedNeeds,
  continued?: Continued,
): Action {
  const { needs, terms, approvals } = admitted;
  const { loop, spec, tool, frame, world } = place;
  const { secrets } = world.effects;
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
      // Its output is redacted for them.
      ...(hasSecrets(tool) ? { secrets: [...(tool.secrets ?? [])] } : {}),
      ...(tool.artifacts === undefined ? {} : { root: tool.artifacts.root }),
      ...describeCompensation(tool),
      ...nameCompensated(tool, input),
      ...(continued === undefined ? {} : { answers: continued.claim }),
    },
    request: continued === undefined ? input : { input, answer: continued.answered.answer },
    reserve: () => amounts,
    attempt: { toolCalls: 1 },
    ...(tool.takesBack === true
      ? {}
      : {
          asking: {
            loop: loop.definition.id,
            version: loop.definition.version,
            continueWith: (given, claim) =>
              toolAction(place, input, admitted, { answered: given, claim }),
          },
        }),
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
      // A compensation takes back the recorded effect, so its input cannot be edited.
      if (tool.takesBack) return deny(name, "rollback-missing");
      const { problems } = loop.validateInput(edited);
      return problems.length > 0
        ? fail("INPUT_VALIDATION_FAILED", `${name} cannot be given this`)
        : admitAction(place, edited, continued);
    },
    act: (given) => {
      // An attempt that ends before it shows anything has shown nothing.
      output = undefined;
      record = undefined;
      return executeTool(tool, input, {
        frame,
        given,
        config,
        secrets,
        spent: amounts,
        answered: continued?.answered,
        live: world.control?.live,
        files: world.memory?.files,
        artifacts: world.memory?.artifacts,
        onOutput,
        onRead: (path, digest) => {
          const root = tool.artifacts?.root;
          if (root !== undefined) world.memory?.caches.noteRead(frame.call, { root, path, digest });
        },
        onChanged,
      });
    },
    shown: () => output?.shown(),
    record: () => record?.(),
    ...(reconcile === undefined
      ? {}
      : { reconcile: (...asked) => reconcileTool({ ...tool, reconcile }, asked, secrets) }),
  };
}
