/** Faults in the earlier messages that models get again, and in their storage. */
import type { GuardMutant } from "./guard-mutant.ts";

const thread = "packages/kernel/src/thread";

export const threadGuards: readonly GuardMutant[] = [
  {
    name: "thread-read-without-its-end",
    file: "packages/folds/src/thread/fold-thread.ts",
    find: "entries.put(end.at, end.added, event.sequence);",
    replace: "",
  },
  {
    name: "thread-call-sent-bare",
    file: `${thread}/open-thread.ts`,
    find: "if (!thread.isRefused()) thread.say(closeCalls(thread));",
    replace: "",
  },
  {
    name: "thread-words-forgotten",
    file: `${thread}/open-thread.ts`,
    find: "if (!continues || isEmpty ||",
    replace: "if (isEmpty ||",
  },
  {
    name: "thread-shows-what-was-left-out",
    file: `${thread}/thread.ts`,
    find: "const left = entries.splice(0, leftCount);",
    replace: "const left = entries.splice(0, 0);",
  },
  {
    name: "thread-loses-an-answer",
    file: "packages/kernel/src/flow/run-prompt.ts",
    find: "if (!isEmptyAnswer(content)) conversation.hear(",
    replace: "if (round > 0) conversation.hear(",
  },
  {
    name: "thread-of-the-turn-before",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "ends.map(({ thread, head, since = sequence }) => [thread, { head, since }]),",
    replace: "ends.map(({ thread, head }) => [thread, { head, since: sequence }]),",
  },
];
