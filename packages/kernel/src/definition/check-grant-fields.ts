import { formatPointer, type Mapping } from "@turnseal/protocol";
import type { Report } from "./report.ts";

/**
 * The parts of a grant that a step can narrow. Budgets belong to the run: a step's spending counts
 * there.
 */
const stepGrantFields = ["tools", "scopes", "terms", "handoffs", "depth", "perCall", "expiresAt"];

/** Refuses fields that a step or a node cannot narrow. */
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
