/**
 * The tools that a model asks for in one round (spec/lifecycle.md §7).
 *
 * 1. The model's words decide nothing: a tool it names must be one that the prompt offers, and
 *    passes admission like any other.
 * 2. They act in the order of the answer; neighbours that are declared independent act at the same
 *    time. Results go to the model in the order of the answer, and not in the order of their ends.
 * 3. The model sees a failed or refused tool in its result. A limit or a cancel ends the prompt.
 */

import { placeBelow } from "@turnseal/folds";
import {
  type CallErrorCode,
  DECLINED,
  type JsonValue,
  type ModelContent,
  type ModelMessage,
} from "@turnseal/protocol";
import { findToolErrors, parseArguments, type ToolCall } from "../context/find-tool-errors.ts";
import { DEPTH_MAX } from "../limits.ts";
import { fail, isDeclined, isRefusedByPerson, type Outcome, succeed } from "../outcome.ts";
import { type Branch, runInOrder } from "../resume/branch.ts";
import { type Frame, forkFrame } from "../resume/frame.ts";
import { findResultFiles } from "../thread/find-result-files.ts";
import type { World } from "../world.ts";
import type { CallChild } from "./call-child.ts";
import type { OfferedTools } from "./offer-tools.ts";
import { showOutput } from "./show-output.ts";
import { waitForAll } from "./wait-for-all.ts";

export interface PromptParts {
  readonly frame: Frame;
  readonly world: World;
  readonly callChild: CallChild;
}

/** A refusal or a failure of a tool is for the model to deal with; these end the prompt instead. */
const endsPrompt: ReadonlySet<CallErrorCode> = new Set([
  "CANCELLED",
  "DEPTH_EXCEEDED",
  "BUDGET_EXCEEDED",
  "TIMEOUT",
]);

interface Round {
  readonly round: number;
  readonly offered: OfferedTools;
  /** The thread of the prompt; null where it has none. */
  readonly thread: string | null;
}

export interface CalledTools {
  /** The results for the model, of the calls that ended, in the order of the answer. */
  readonly told: readonly ModelMessage[];
  /** Whether it is all, or why the prompt ends or waits. */
  readonly outcome: Outcome<undefined>;
}

/** Calls what an answer asks for. */
export async function callTools(
  content: readonly ModelContent[],
  { round, offered, thread }: Round,
  parts: PromptParts,
): Promise<CalledTools> {
  const { frame, world } = parts;
  const errors = new Map(
    findToolErrors(content, (name) => offered.has(name)).map(({ part, error }) => [part, error]),
  );
  const asked = [...content.entries()].flatMap(([part, call]) =>
    call.kind === "tool-call" ? [{ call, error: errors.get(part) }] : [],
  );
  const inUse = findThreadsInUse(asked, offered);
  const forks: Frame[] = [];
  let isOver = false;
  const runs = asked.map(({ call, error }, step) => ({
    isIndependent: offered.get(call.toolName)?.isIndependent === true,
    run: async (branch: Branch): Promise<Outcome<JsonValue>> => {
      if (error !== undefined) return succeed({ error });
      if (inUse.has(step)) return succeed({ error: "THREAD_IN_USE" });
      const path = `${frame.path}/rounds/${round}/tools/${step}`;
      const child = world.identity.ids.create(path);
      // After a tool that ended the prompt none begins, but recorded ones are repeated.
      if (isOver && !frame.hasBegun(child)) return fail("CANCELLED", "an earlier tool failed");
      const fork = forkFrame(frame, branch);
      forks.push(fork);
      const place = { step, path, child, offered, thread, ...parts, frame: fork };
      const result = await callTool(call, place);
      isOver ||= result.kind === "error";
      return result;
    },
  }));
  // A tool that waits for a person does not stop the others from asking and acting.
  const results = await runInOrder(runs, frame);
  frame.recorder.log?.join(forks);
  const told: ModelMessage[] = [];
  for (const [index, { call }] of asked.entries()) {
    const result = results[index];
    if (result?.kind !== "ok") continue;
    const { toolCallId, toolName } = call;
    const files = await findResultFiles(result.value, world.memory?.files);
    const message = { role: "tool", toolCallId, toolName, result: result.value } as const;
    told.push({ ...showOutput(message, offered, parts), ...files });
  }
  return { told, outcome: joinResults(results) };
}

/**
 * Finds the calls of one answer that would go on with a thread of an earlier one, which may wait in
 * the middle of it.
 */
function findThreadsInUse(
  asked: readonly { readonly call: ToolCall }[],
  offered: OfferedTools,
): ReadonlySet<number> {
  const [taken, inUse] = [new Set<string>(), new Set<number>()];
  for (const [step, { call }] of asked.entries()) {
    const { threads = [] } = offered.get(call.toolName) ?? {};
    if (threads.some((thread) => taken.has(thread))) inUse.add(step);
    for (const thread of threads) taken.add(thread);
  }
  return inUse;
}

function joinResults(results: readonly Outcome<JsonValue>[]): Outcome<undefined> {
  const isHanded = results.some((result) => result.kind === "paused" && result.isHanded === true);
  const failed = results.find(({ kind }) => kind === "error");
  // A failure, or a cancel, ends nothing before the runs have ended that were started beside it.
  if (failed?.kind === "error" && !isHanded) return failed;
  return results.every(({ kind }) => kind === "ok") ? succeed(undefined) : waitForAll(results);
}

interface ToolCallPlace extends PromptParts {
  readonly step: number;
  readonly path: string;
  readonly child: string;
  readonly offered: OfferedTools;
  readonly thread: string | null;
}

async function callTool(
  { toolName, input: text }: ToolCall,
  place: ToolCallPlace,
): Promise<Outcome<JsonValue>> {
  const { frame, callChild, offered, path, child, step, thread: asker } = place;
  const loop = offered.get(toolName)?.loop;
  const input = parseArguments(text);
  if (loop === undefined || input === undefined) return succeed({ error: "TOOL_UNKNOWN" });
  if (frame.depth >= DEPTH_MAX)
    return fail("DEPTH_EXCEEDED", `calls nest deeper than ${DEPTH_MAX}`);
  // The worker before may have died after it recorded the begin of one tool, and not of this one:
  // parallel parts are repeated first.
  await frame.catchUp(child);
  if (frame.isTraceFull(child)) return fail("BUDGET_EXCEEDED", "the trace is full");
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");

  const { id } = loop.definition;
  frame.record({ type: "child.started", content: { child, loop: id, step } });
  const { recorder, branch } = frame;
  const below = placeBelow(frame.place, `tools/${id}`);
  const outcome = await callChild({
    ...{ loop, input, call: child, path, branch, recorder, asker },
    place: below,
  });
  if (outcome.kind === "paused") return outcome;
  await frame.catchUp(child);
  frame.record({ type: "child.completed", content: { child, status: outcome.kind } });
  if (outcome.kind === "ok") return outcome;
  const { code, details } = outcome.error;
  if (endsPrompt.has(code) || isRefusedByPerson(outcome.error)) return outcome;
  return succeed({
    error: code,
    problems: details.problems ?? [],
    ...(isDeclined(outcome.error) ? { denial: DECLINED } : {}),
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
  });
}
