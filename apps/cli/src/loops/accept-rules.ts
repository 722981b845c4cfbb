import type { ReadRules } from "@turnseal/runtime/project";
import { accept } from "../terminal/refusal.ts";

/** Accepts the files of rules. A command without its rules does not start. */
export function acceptRules(read: ReadRules, { json }: { readonly json?: boolean } = {}) {
  const next = "the same command with --policy <file>";
  return accept(read, { json, next, fix: "turnseal policy check <file>" });
}
