import type { Mutant } from "./mutant.ts";

const thread = "packages/kernel/src/thread";

/** Faults in what a thread holds, and in which one a prompt goes on with. */
export const threadMutants: readonly Mutant[] = [
  {
    name: "later-words-not-said",
    file: `${thread}/open-thread.ts`,
    find: "if (!continues || isEmpty ||",
    replace: "if (isEmpty ||",
  },
  {
    name: "result-before-its-call",
    file: `${thread}/thread.ts`,
    find: "pending.push(...messages);",
    replace: "pending.unshift(...messages);",
  },
  {
    name: "results-not-read-back",
    file: `${thread}/read-thread.ts`,
    find: "messages.push(message);",
    replace: 'if (message.role !== "tool") messages.push(message);',
  },
  {
    name: "empty-answer-said",
    file: "packages/kernel/src/flow/run-prompt.ts",
    find: "if (!isEmptyAnswer(content)) conversation",
    replace: "conversation",
  },
  {
    name: "interrupted-call-sent-bare",
    file: `${thread}/open-thread.ts`,
    find: "if (!thread.isRefused()) thread.say(closeCalls(thread));",
    replace: "",
  },
  {
    name: "results-of-a-broken-turn-lost",
    file: "packages/kernel/src/flow/run-prompt.ts",
    find: 'if (outcome.kind === "error") place.add(told);',
    replace: "",
  },
  {
    name: "end-of-a-turn-not-read-back",
    file: "packages/folds/src/thread/fold-thread.ts",
    find: "entries.put(end.at, end.added, event.sequence);",
    replace: "",
  },
  {
    name: "thread-of-any-run",
    file: `${thread}/thread-cache.ts`,
    find: "function keyOf(run: string, name: string, head: string): string {\n",
    replace:
      'function keyOf(run: string, name: string, head: string): string {\n  if (name !== "") return name;\n',
  },
  {
    name: "no-thread-is-the-root-thread",
    file: `${thread}/name-thread.ts`,
    find: "(thread ?? place === ROOT_PLACE)",
    replace: "(thread || place === ROOT_PLACE)",
  },
  {
    name: "every-prompt-has-a-thread",
    file: `${thread}/name-thread.ts`,
    find: "thread ?? place === ROOT_PLACE",
    replace: 'thread ?? place !== ""',
  },
  {
    name: "thread-of-another-place",
    file: `${thread}/name-thread.ts`,
    find: "? place : undefined",
    replace: "? ROOT_PLACE : undefined",
  },
  {
    name: "name-is-a-place",
    file: `${thread}/name-thread.ts`,
    find: 'if (typeof thread === "string") return thread;',
    replace: 'if (typeof thread === "string") return place;',
  },
  {
    name: "two-writers-of-one-loop",
    file: "packages/kernel/src/registry/check-threads.ts",
    find: "if (independent && kept !== undefined)",
    replace: "if (independent && kept === loop)",
  },
  {
    name: "two-writers-of-one-name",
    file: "packages/kernel/src/registry/check-threads.ts",
    find: 'if (typeof own === "string" && same !== undefined)',
    replace: 'if (typeof own === "string" && same === loop)',
  },
];
