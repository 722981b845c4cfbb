/**
 * A thread has one writer at a time: two prompts that could run at once may not go on with the same
 * one (spec/context.md §1.5).
 */
import type { Problem } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listBelow, type Resolve } from "./list-below.ts";

/** Finds problems with the threads of a prompt and of its calls. */
export function checkThreads(loop: CheckedLoop, resolve: Resolve): Problem[] {
  const { prompt } = loop.definition;
  if (prompt === undefined) return [];
  const { tools = [], thread: own } = prompt;
  const problems: Problem[] = [];
  for (const [index, { loopId, loopVersion, independent = false }] of tools.entries()) {
    const tool = resolve(loopId, loopVersion);
    const below = tool === undefined ? [] : listBelow(tool, resolve);
    const path = `/prompt/tools/${index}`;
    const kept = below.find(({ definition }) => keepsThread(definition.prompt?.thread));
    if (independent && kept !== undefined)
      problems.push({
        rule: "thread-shared",
        path,
        message: `${loopId} may run beside itself, and ${kept.definition.id} has a thread`,
        mend: "do not offer it as independent, or give the prompt no thread",
      });
    const same = below.find(({ definition }) => definition.prompt?.thread === own);
    if (typeof own === "string" && same !== undefined)
      problems.push({
        rule: "thread-shared",
        path,
        message: `${same.definition.id} runs while ${loop.definition.id} waits for it, in the same thread ${own}`,
        mend: "give one of them another thread",
      });
  }
  return problems;
}

/**
 * The threads that a call of a loop can reach: names, and one word for the threads of places below
 * it.
 */
export function listThreads(loop: CheckedLoop, resolve: Resolve): readonly string[] {
  // Most tools reach nothing.
  if (loop.definition.kind === "tool") return [];
  const threads = new Set<string>();
  for (const { definition } of listBelow(loop, resolve)) {
    const thread = definition.prompt?.thread;
    if (typeof thread === "string") threads.add(thread);
    if (thread === true) threads.add(`/${loop.definition.id}`);
  }
  return [...threads];
}

function keepsThread(thread: boolean | string | undefined): boolean {
  return thread !== undefined && thread !== false;
}
