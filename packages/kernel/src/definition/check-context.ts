/** Checks what a prompt wants to be shown of its thread (spec/context.md §5). */
import { isTaskStrategy, type PromptSpec } from "@turnseal/protocol";
import { SUMMARY_SHARE_MIN, THREAD_ENTRIES_MAX } from "../limits.ts";
import type { Report } from "./report.ts";

export function checkContext({ context, thread }: PromptSpec, report: Report): void {
  if (context === undefined) return;
  const { strategy, last, share, summarizer } = context;
  const refuse = (field: string, message: string, mend: string): void =>
    report.refuse({ rule: "setting-unfit", path: `/prompt/context${field}`, message, mend });
  // Notes are shown to prompts without a thread, too.
  if (thread === false && !isTaskStrategy(strategy))
    refuse("", "the prompt has no thread to be shown", "remove it, or `thread: false`");
  if (last !== undefined && strategy !== "flat")
    refuse("/last", `\`${strategy}\` shows no number of entries`, "remove it, or use `flat`");
  const ofSummary = { share, summarizer };
  for (const [field, value] of Object.entries(ofSummary))
    if (value !== undefined && strategy !== "summary")
      refuse(`/${field}`, `\`${strategy}\` summarises nothing`, "remove it, or use `summary`");
  if (share !== undefined && !(share >= SUMMARY_SHARE_MIN && share <= 1)) {
    const message = `${share} is no share of the window to begin at`;
    const mend = `write a number from ${SUMMARY_SHARE_MIN} to 1`;
    report.refuse({ rule: "field-type", path: "/prompt/context/share", message, mend });
  }
  if (last !== undefined && last > THREAD_ENTRIES_MAX) {
    const message = `at most ${THREAD_ENTRIES_MAX} entries are shown at once`;
    const mend = `write at most ${THREAD_ENTRIES_MAX}`;
    report.refuse({ rule: "field-type", path: "/prompt/context/last", message, mend });
  }
}
