import type { Mutant } from "./mutant.ts";

const thread = "packages/kernel/src/thread";
const strategies = `${thread}/strategies`;

/** Faults in what is summarised, and in what is shown in its place. */
export const summaryMutants: readonly Mutant[] = [
  {
    name: "summary-unmarked",
    file: `${strategies}/render-summary.ts`,
    find: 'text: lines.join("\\n"), origin',
    replace: "text, origin",
  },
  {
    name: "summary-as-the-operator",
    file: `${strategies}/render-summary.ts`,
    find: 'return { role: "user", text: lines.join("\\n"), origin: "summary" };',
    replace: 'return { role: "system", text: lines.join("\\n") };',
  },
  {
    name: "summarised-and-sent",
    file: `${strategies}/summary.ts`,
    find: "return { head, kept, from: summarized.to, summarized };",
    replace: "return { head, kept, from: thread.shown().from, summarized };",
  },
  {
    name: "newest-words-summarised",
    file: `${strategies}/summary.ts`,
    find: "const kept = [message, ...openWords(thread)(summarized.to)];",
    replace: "const kept = [message];",
  },
  {
    name: "summary-after-the-words",
    file: `${strategies}/summary.ts`,
    find: "const kept = [message, ...openWords(thread)(summarized.to)];",
    replace: "const kept = [...openWords(thread)(summarized.to), message];",
  },
  {
    name: "summary-that-is-no-shorter",
    file: `${strategies}/summary.ts`,
    find: "if (summaryTokens >= spanTokens + sumTokens(kept))",
    replace: "if (false)",
  },
  {
    name: "summary-without-room",
    file: `${strategies}/summary.ts`,
    find: "return isLong || Math.ceil(tokens * room.ratio) > room.tokensMax",
    replace: "return false",
  },
  {
    name: "asked-for-the-same-span-again",
    file: `${strategies}/summary.ts`,
    find: "const shown = showFlat(thread, head, share);",
    replace: "const shown = showFlat(thread, head, whole);",
  },
  {
    name: "not-said-why-there-is-no-summary",
    file: `${thread}/plan-request.ts`,
    find: "...(plan?.fault === undefined ? {} : { unsummarized: plan.fault }),",
    replace: "",
  },
  {
    name: "earlier-summary-forgotten",
    file: `${strategies}/render-span.ts`,
    find: 'if (summary?.role === "user") lines.push',
    replace: 'if (summary?.role === "system") lines.push',
  },
  {
    name: "another-summariser-passed-over",
    file: "packages/kernel/src/registry/list-references.ts",
    find: "return prompt.context.summarizer ?? SUMMARIZER_REFERENCE;",
    replace: "return SUMMARIZER_REFERENCE;",
  },
  {
    name: "summary-lost-with-the-process",
    file: `${thread}/read-thread.ts`,
    find: "kept: await toMessages(shown.kept),",
    replace: "kept: (await toMessages(shown.kept)).slice(1),",
  },
  {
    name: "nothing-shown-and-shown",
    file: `${strategies}/none.ts`,
    find: "thread.shown().from < room.callFrom",
    replace: "room.callFrom < 0",
  },
  {
    name: "last-passed-over",
    file: `${thread}/open-thread.ts`,
    find: "entriesMax: context.last ?? THREAD_ENTRIES_MAX,",
    replace: "entriesMax: THREAD_ENTRIES_MAX,",
  },
];
