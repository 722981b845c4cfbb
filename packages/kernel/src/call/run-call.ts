/**
 * One call: the LSEM lifecycle, the same for all three kinds (spec/lifecycle.md).
 *
 * 1. call.started comes first. Exactly one of call.completed and call.errored comes last, and
 *    nothing after it.
 * 2. The input is validated before any action; the output is validated before it leaves.
 * 3. Input and output are copies: neither side can change what the other was checked with.
 */

import { ROOT_PLACE } from "@turnseal/folds";
import {
  type CacheSpec,
  copyJson,
  type Grant,
  invariant,
  type JsonValue,
} from "@turnseal/protocol";
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
import { runTool } from "../tools/run-tool.ts";
import { openScope, ownsScope } from "../values/scope.ts";
import { hideLive, type World } from "../world.ts";

export interface CallRequest {
  readonly loop: CheckedLoop;
  readonly input: unknown;
  readonly call: string;
  readonly path: string;
  /** Its place in the definition; a root call is at the root. */
  readonly place?: string;
  /** The thread of the prompt that asked for it; a step has that of its composite. */
  readonly asker?: string | null;
  readonly parent?: Frame;
  readonly branch?: Branch;
  readonly hold?: Hold;
  readonly cache?: CacheSpec | undefined;
  /** When it has to have ended, where that is earlier than its caller has to. */
  readonly deadlineAt?: number;
  /** The grant of a root call. */
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
  world.memory?.plans.close(frame, outcome);
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
  const opened = { call, parentCall, ...at, deadlineAt, grant };
  const given = { hold: request.hold, cache: request.cache };
  return { frame: openFrame({ ...opened, ...given }, recorder), startedMs };
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
  await world.memory?.caches.remember(frame, output.value);
  if (ownsScope(frame.scope, frame.place)) world.memory?.notes.leave(frame);
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
    runCall({ ...child, parent: frame }, isUnseen ? hideLive(world) : world, own);
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

/** Returns the result of an equal call, or runs this one. */
function recallOr(
  called: RecalledCall,
  { memory }: World,
  make: () => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  if (memory === undefined || keptCallsOf(called.loop.definition) === undefined) return make();
  return memory.caches.recall(called).then((recalled) => recalled ?? make());
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
