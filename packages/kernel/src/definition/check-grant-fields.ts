import { formatPointer, type Mapping } from "@turnseal/protocol";
import type { Report } from "./report.ts";

/** What a step can be given less of. Budgets are the run's: what a step spends counts there. */
const stepGrantFields = ["tools", "scopes", "terms", "handoffs", "depth", "perCall", "expiresAt"];

/** Refuses what no step and no node can be given less of. */
export function checkGrantFields(mapping: Mapping, path: string, report: Report): void {
  for (const field of Object.keys(mapping)) {
    if (stepGrantFields.includes(field)) continue;
    report.refuse({
      rule: "grant-field",
      path: path + formatPointer([field]),
      message: `a step cannot be given less of \`${field}\``,
      mend: `use one of ${stepGrantFields.join(", ")}`,
    });
  }
}
