import type { Allowance, Approver } from "@turnseal/host";
import { describeRule } from "../inbox/render-request.ts";
import { type Line, line, toned } from "../terminal/line.ts";

/** Renders who allowed an effect, as one line. */
export function renderAllowance({
  tool,
  claim,
  terms,
  rule,
  approval,
  approvedBy,
}: Allowance): Line {
  const people =
    approval === null ? "" : `: approved by ${approvedBy.map(describeApprover).join(" and ")}`;
  const by = [
    ...(rule === null ? [] : [describeRule(rule)]),
    ...(terms.length === 0 ? [] : [`grant term ${terms.join(", ")}`]),
  ];
  return line("  ", toned("strong", tool), ` (event ${claim})${people}; ${by.join("; ")}`);
}

function describeApprover({ by, roles, event }: Approver): string {
  return `${by}${roles.length === 0 ? "" : ` (${roles.join(", ")})`}, event ${event}`;
}
