/**
 * The message that starts a run: its whole specification, checked, with every default filled in.
 */

import { ROOT_PLACE } from "@turnseal/folds";
import {
  checkCaches,
  checkFlowTargets,
  checkSummarizer,
  checkTargets,
  checkThreads,
  compilePolicy,
  nameThread,
  pinReferences,
  type Registry,
} from "@turnseal/kernel";
import type { InboxMessage } from "@turnseal/ports";
import {
  copyJson,
  digestPolicy,
  type ForkedFrom,
  type Grant,
  type GuidanceDocument,
  isPlanLoop,
  type JsonObject,
  type JsonValue,
  type LoopDef,
  type Policy,
  parseBounds,
  parseGrant,
  parsePlan,
  type RunBounds,
  type RunSpec,
  VALUE_BYTES_MAX,
} from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { mapSignal } from "../decide/map-signal.ts";
import { HostError } from "../host-error.ts";
import { isNameOrAbsent, STARTER_LENGTH_MAX } from "../inbox/draft-start.ts";
import { checkSchedule } from "../schedule/next-tick.ts";
import { listLoopsToKeep } from "../state/pinned-loops.ts";
import { boundByGoal } from "./bound-by-goal.ts";
import type { FilesToAttach } from "./files-to-attach.ts";
import { pinRunGuidance } from "./pin-run-guidance.ts";

export interface StartOptions {
  readonly grant: Grant;
  /** Documents for every turn. They are untrusted, and grant nothing. */
  readonly guidance?: readonly GuidanceDocument[];
  readonly bounds?: Partial<RunBounds>;
  /** The rules that its actions are judged by. Without any, the grant alone decides. */
  readonly policy?: Policy;
  /** The turn of another run whose input this one begins with. */
  readonly forkedFrom?: ForkedFrom;
  /** The starter, as the operator's own function identifies them; the host itself if absent. */
  readonly by?: string;
  /** The starter instead of a person: the name of a webhook or a schedule. */
  readonly source?: string;
  /** The same key starts the same run: a second start with equal input is no second run. */
  readonly key?: string;
  /** The key of the message that is the input: `isFirstMessage` recognises it later. */
  readonly message?: string;
  /** Files, by the JSON Pointer to where the input names them. */
  readonly files?: FilesToAttach;
}

/** The most that a run's input may be. */
export const RUN_INPUT_BYTES_MAX = VALUE_BYTES_MAX;

export interface RunToStart {
  readonly run: string;
  readonly input: unknown;
  readonly start: StartOptions;
}

export function startMessage(
  registry: Registry,
  loop: Loop<never, unknown>,
  { run, input, start }: RunToStart,
): InboxMessage {
  const { policy, guidance = [], by, source } = start;
  const spec = createSpec(registry, loop, { ...start, bounds: boundsOf(loop, input, start) });
  // The rules can be read by now.
  checkStarter(start);
  const definitions = listLoopsToKeep(spec, registry);
  const body = {
    spec: spec as unknown as JsonObject,
    input: copyInput(input),
    ...(policy === undefined ? {} : { policy: policy as unknown as JsonObject }),
    ...textsOf(guidance),
    ...(definitions === undefined ? {} : { definitions: definitions as unknown as JsonValue }),
    ...(by === undefined ? {} : { by }),
    ...(source === undefined ? {} : { source }),
  };
  return { run, key: "start", kind: "start", body };
}

/** Names that can be kept; rules that exclude the starter need to know the starter. */
function checkStarter({
  policy,
  by,
  source,
}: Pick<StartOptions, "policy" | "by" | "source">): void {
  const wanted = `a text of at most ${STARTER_LENGTH_MAX} characters`;
  if (!isNameOrAbsent(by)) throw new HostError("STARTER_REFUSED", `\`by\` is ${wanted}`);
  if (!isNameOrAbsent(source)) throw new HostError("STARTER_REFUSED", `\`source\` is ${wanted}`);
  const rule = policy?.rules.find(({ exclude = [] }) => exclude.includes("starter"));
  if (rule !== undefined && by === undefined)
    throw new HostError(
      "STARTER_MISSING",
      `rule ${rule.id} excludes the starter of the run from approving, and no starter is named: give \`by\``,
    );
}

/**
 * The rollback options and the goal of its loop or its plan count, unless the start has its own.
 */
function boundsOf(
  { definition: { id, policy } }: Loop<never, unknown>,
  input: unknown,
  { bounds = {} }: Pick<StartOptions, "bounds">,
): Partial<RunBounds> {
  const parsed = isPlanLoop(id) ? parsePlan(input) : undefined;
  const { rollbackOn } = (parsed?.kind === "parsed" ? parsed.plan : policy) ?? {};
  const given = boundByGoal(policy, bounds);
  return rollbackOn === undefined ? given : { rollbackOn, ...given };
}

/** Builds the specification of the run, with every default filled in. */
function createSpec(
  registry: Registry,
  { definition }: Loop<never, unknown>,
  { grant, bounds, policy, forkedFrom, guidance = [] }: StartOptions,
): RunSpec {
  const loop = registry.resolve(definition.id, definition.version);
  if (loop === undefined)
    throw new HostError(
      "LOOP_UNKNOWN",
      `${definition.id} ${definition.version} is not one of the host's loops`,
    );
  const pinned = pinReferences(registry, loop);
  checkBetween(pinned, registry);
  const parsed = parseGrant(grant);
  if ("problem" in parsed) throw new HostError("GRANT_REFUSED", parsed.problem);
  return {
    loop: definition.id,
    version: definition.version,
    pinned,
    grant: parsed,
    ...(policy === undefined ? {} : { policy: pinPolicy(policy) }),
    ...(guidance.length === 0 ? {} : { guidance: pinRunGuidance(guidance).pinned }),
    ...(forkedFrom === undefined ? {} : { forkedFrom }),
    bounds: parseRunBounds(bounds ?? {}, definition),
  };
}

/**
 * Unregistered loops cannot be called. For two prompts that run at once, the order of their writes
 * would be random. A cached answer hides the actions of a call; and a summariser must not act.
 */
function checkBetween(pinned: RunSpec["pinned"], { resolve }: Registry): void {
  for (const { id, version } of Object.values(pinned)) {
    const loop = resolve(id, version);
    if (loop === undefined) continue;
    const [found] = [
      ...checkTargets(loop, resolve),
      ...checkThreads(loop, resolve),
      ...checkFlowTargets(loop, resolve),
      ...checkCaches(loop, resolve),
      ...checkSummarizer(loop, resolve),
    ];
    if (found !== undefined)
      throw new HostError("LOOP_REFUSED", `loop ${id} is refused: ${found.message}; ${found.mend}`);
  }
}

function parseRunBounds(bounds: Partial<RunBounds>, loop: LoopDef): RunBounds {
  const parsed = parseBounds(bounds);
  if ("problem" in parsed) throw new HostError("BOUNDS_REFUSED", parsed.problem);
  const { summaries = 0, onRoundsExhausted } = parsed;
  const hasThread = nameThread(loop, ROOT_PLACE) !== undefined;
  if (hasThread && summaries > 0)
    throw new HostError(
      "BOUNDS_REFUSED",
      `\`summaries\` are for a prompt without a thread, and ${loop.id} has one: leave them out`,
    );
  if (!hasThread && onRoundsExhausted === "continue")
    throw new HostError(
      "BOUNDS_REFUSED",
      `\`onRoundsExhausted\` is \`continue\` only for a prompt with a thread, and ${loop.id} has none`,
    );
  const problem = (parsed.schedules ?? []).map(checkSchedule).find((found) => found !== undefined);
  if (problem !== undefined) throw new HostError("BOUNDS_REFUSED", problem);
  return { ...mapAwaited(parsed, loop), ...parsed };
}

/** A run that awaits one signal reads its text, unless its bounds say what further turns read. */
function mapAwaited(
  { awaits = [], schedules, nextInput }: RunBounds,
  loop: LoopDef,
): Pick<Partial<RunBounds>, "nextInput"> {
  const [signal, ...others] = awaits;
  const isOne = signal !== undefined && others.length === 0 && schedules === undefined;
  if (nextInput !== undefined || !isOne || !PATH_NAME.test(signal)) return {};
  const mapping = mapSignal(loop, signal);
  return mapping === undefined ? {} : { nextInput: mapping };
}

/** A name that a path takes without quotes. */
const PATH_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function pinPolicy(policy: Policy): NonNullable<RunSpec["policy"]> {
  const compiled = compilePolicy(policy);
  if (compiled.kind === "refused")
    throw new HostError(
      "POLICY_REFUSED",
      compiled.problems.map(({ message }) => message).join("; "),
    );
  return { name: policy.name, digest: digestPolicy(policy) };
}

function textsOf(guidance: readonly GuidanceDocument[]): { readonly guidance?: string[] } {
  return guidance.length === 0 ? {} : { guidance: guidance.map(({ text }) => text) };
}

function copyInput(input: unknown): JsonValue {
  const copied = copyJson(input, RUN_INPUT_BYTES_MAX);
  if (copied.kind === "refused") throw new HostError("INPUT_REFUSED", `the input ${copied.reason}`);
  return copied.value;
}
