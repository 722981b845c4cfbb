/**
 * One call: the LSEM lifecycle, the same for all three kinds (spec/lifecycle.md).
 *
 * 1. call.started comes first. Exactly one of call.completed and call.errored comes last, and
 *    nothing after it.
 * 2. Nothing acts before the input was validated; no output leaves before it was validated.
 * 3. Input and output are copies: neither side can change what the other was checked with.
 */
import { copyJson, type Grant, invariant, type JsonValue } from "@turnseal/protocol";
import { runTool } from "../actions/run-tool.ts";
import type { RecalledCall } from "../cache/call-caches.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { formatProblem } from "../definition/format-problem.ts";
import { keptCallsOf } from "../definition/kept-calls.ts";
import type { CallChild, NarrowedGrant } from "../flow/call-child.ts";
import { runFiltered } from "../flow/run-filtered.ts";
import { runFlow } from "../flow/run-flow.ts";
import { runPrompt } from "../flow/run-prompt.ts";
import { runSteps } from "../flow/run-steps.ts";
import type { Hold } from "../hold.ts";
import {
  COMPOSITE_TIMEOUT_MS_DEFAULT,
  INPUT_BYTES_MAX,
  OUTPUT_BYTES_MAX,
  PROMPT_TIMEOUT_MS_DEFAULT,
  TOOL_TIMEOUT_MS_DEFAULT,
} from "../limits.ts";
import { type Failed, fail, type Outcome, succeed } from "../outcome.ts";
import { type Branch, trunk } from "../resume/branch.ts";
import { type Frame, openFrame } from "../resume/frame.ts";
import type { Recorder } from "../resume/recorder.ts";
import { openScope, ownsScope } from "../scope.ts";
import { ROOT_PLACE } from "../thread/place.ts";
import type { World } from "../world.ts";

export interface CallRequest {
  readonly loop: CheckedLoop;
  readonly input: unknown;
  readonly call: string;
  readonly path: string;
  /** Where it stands in the definition; a root call stands at its root. */
  readonly place?: string;
  /**
   * The thread of the prompt that asked for it; of a step, the one that asked for its composite.
   */
  readonly asker?: string | null;
  readonly parent?: Frame;
  readonly branch?: Branch;
  readonly hold?: Hold;
  /** When it has to have ended, where that is earlier than its caller has to. */
  readonly deadlineAt?: number;
  /** What a root call may do. */
  readonly grant?: Grant;
  readonly narrowed?: NarrowedGrant;
}

const timeoutDefaults = {
  tool: TOOL_TIMEOUT_MS_DEFAULT,
  prompt: PROMPT_TIMEOUT_MS_DEFAULT,
  composite: COMPOSITE_TIMEOUT_MS_DEFAULT,
};

/** Runs a call from its first event to its last. */
export async function runCall(
  request: CallRequest,
  world: World,
  recorder: Recorder,
): Promise<Outcome<JsonValue>> {
  const { frame, startedMs } = startCall(request, recorder);
  const outcome = await runLifecycle(request, frame, { world, recorder });
  if (outcome.kind === "paused") return outcome;
  await frame.catchUp();
  world.plans?.close(frame, outcome);
  if (outcome.kind === "error") frame.record({ type: "call.errored", content: outcome.error });
  if (outcome.kind === "ok") {
    frame.recordSince(startedMs, (durationMs) => ({
      type: "call.completed",
      content: { durationMs },
    }));
  }
  return outcome;
}

function startCall(
  request: CallRequest,
  recorder: Recorder,
): { readonly frame: Frame; readonly startedMs: number } {
  const { loop, call, path, parent, narrowed } = request;
  const { id, version, kind, policy } = loop.definition;
  const startedMs = recorder.record(() => ({
    type: "call.started",
    call,
    ...(parent === undefined ? {} : { parentCall: parent.call }),
    content: { loop: id, version, digest: loop.digest, ...pickNarrowed(narrowed) },
  }));
  const ownDeadline = startedMs + (policy?.timeoutMs ?? timeoutDefaults[kind]);
  const outerDeadline = request.deadlineAt ?? parent?.deadlineAt ?? Number.POSITIVE_INFINITY;
  const deadlineAt = Math.min(ownDeadline, outerDeadline);
  const depth = (parent?.depth ?? 0) + 1;
  const branch = request.branch ?? parent?.branch ?? trunk;
  const grant = narrowed?.grant ?? request.grant ?? parent?.grant;
  const { place = ROOT_PLACE, asker = parent?.asker ?? null } = request;
  const parentCall = parent?.call;
  const scope = openScope(loop.definition.prompt, place, parent?.scope);
  const loops = [...(parent?.loops ?? []), id];
  const at = { path, place, scope, asker, depth, loops, branch };
  const opened = { call, parentCall, ...at, deadlineAt, grant, hold: request.hold };
  return { frame: openFrame(opened, recorder), startedMs };
}

function pickNarrowed(narrowed: NarrowedGrant | undefined): Partial<NarrowedGrant> {
  return narrowed === undefined ? {} : { grant: narrowed.grant, proof: narrowed.proof };
}

async function runLifecycle(
  { loop, input }: CallRequest,
  frame: Frame,
  { world, recorder }: { readonly world: World; readonly recorder: Recorder },
): Promise<Outcome<JsonValue>> {
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled before it began");

  const startedMs = frame.lastMs();
  const accepted = validateInput(loop, input);
  if (accepted.kind !== "ok") return accepted;
  frame.recordSince(startedMs, (durationMs) => ({
    type: "call.input.validated",
    content: { durationMs },
  }));

  const produced = await runBody(loop, accepted.value, frame, { world, recorder });
  if (produced.kind !== "ok") return produced;

  await frame.catchUp();
  const producedMs = frame.lastMs();
  const output = validateOutput(loop, produced.value);
  if (output.kind !== "ok") return output;
  frame.recordSince(producedMs, (durationMs) => ({
    type: "call.output.validated",
    content: { durationMs },
  }));
  if (keptCallsOf(loop.definition) !== undefined) await world.caches?.remember(frame, output.value);
  if (ownsScope(frame.scope, frame.place)) world.notes?.leave(frame);
  return output;
}

function runBody(
  loop: CheckedLoop,
  input: JsonValue,
  frame: Frame,
  { world, recorder }: { readonly world: World; readonly recorder: Recorder },
): Promise<Outcome<unknown>> {
  const { kind, prompt } = loop.definition;
  const callChild: CallChild = ({ recorder: own = recorder, isUnseen = false, ...child }) =>
    runCall({ ...child, parent: frame }, isUnseen ? hideWorld(world) : world, own);
  switch (kind) {
    case "prompt":
      invariant(prompt !== undefined, "a prompt loop has a prompt");
      return recallOr({ loop, input, frame }, world, () =>
        runFiltered(loop, input, { frame, world, callChild }, (passed, parts) =>
          runPrompt(loop, prompt, passed, parts),
        ),
      );
    case "tool":
      return runTool(loop, input, frame, world);
    case "composite":
      return loop.flow === undefined
        ? runSteps(loop, input, { frame, world, callChild })
        : runFlow(loop, input, { frame, world, callChild });
  }
}

/** What an equal call gave, or what this one gives. */
function recallOr(
  called: RecalledCall,
  { caches }: World,
  make: () => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  if (caches === undefined || keptCallsOf(called.loop.definition) === undefined) return make();
  return caches.recall(called).then((recalled) => recalled ?? make());
}

/** The same, and nobody watches what is being written. */
function hideWorld({ live: _, ...world }: World): World {
  return world;
}

function validateInput(loop: CheckedLoop, input: unknown): Outcome<JsonValue> {
  const copied = copyJson(input, INPUT_BYTES_MAX);
  if (copied.kind === "refused")
    return invalid("INPUT_VALIDATION_FAILED", "input", [copied.reason]);
  const { problems, words } = loop.validateInput(copied.value);
  return problems.length === 0
    ? succeed(copied.value)
    : invalid("INPUT_VALIDATION_FAILED", "input", problems, words);
}

function validateOutput(loop: CheckedLoop, output: unknown): Outcome<JsonValue> {
  const copied = copyJson(output, OUTPUT_BYTES_MAX);
  if (copied.kind === "refused")
    return invalid("OUTPUT_VALIDATION_FAILED", "output", [copied.reason]);
  const { problems, words } = loop.validateOutput(copied.value);
  return problems.length === 0
    ? succeed(copied.value)
    : invalid("OUTPUT_VALIDATION_FAILED", "output", problems, words);
}

function invalid(
  code: "INPUT_VALIDATION_FAILED" | "OUTPUT_VALIDATION_FAILED",
  what: "input" | "output",
  problems: readonly string[],
  words: readonly string[] = [],
): Failed {
  const failed = fail(code, `the ${what} does not match the loop's ${what}Schema`, {
    problems: problems.map(formatProblem),
  });
  return words.length === 0 ? failed : { ...failed, reason: words.join("\n") };
}
