/** Checks what a prompt wants to be shown of its thread (spec/context.md §5). */
import type { PromptSpec } from "@turnseal/protocol";
import { THREAD_ENTRIES_MAX } from "../limits.ts";
import type { Report } from "./report.ts";

export function checkContext({ context, thread }: PromptSpec, report: Report): void {
  if (context === undefined) return;
  const { strategy, last } = context;
  const refuse = (field: string, message: string, mend: string): void =>
    report.refuse({ rule: "setting-unfit", path: `/prompt/context${field}`, message, mend });
  if (thread === false)
    refuse("", "the prompt has no thread to be shown", "remove it, or `thread: false`");
  if (last !== undefined && strategy !== "flat")
    refuse("/last", `\`${strategy}\` shows no number of entries`, "remove it, or use `flat`");
  if (last !== undefined && last > THREAD_ENTRIES_MAX) {
    const message = `at most ${THREAD_ENTRIES_MAX} entries are shown at once`;
    const mend = `write at most ${THREAD_ENTRIES_MAX}`;
    report.refuse({ rule: "field-type", path: "/prompt/context/last", message, mend });
  }
}
