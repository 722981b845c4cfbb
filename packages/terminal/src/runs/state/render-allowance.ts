import type { Allowance, Approver } from "@turnseal/views";
import { describeRule } from "../../inbox/render-request.ts";
import { type Line, line, toned } from "../../screen/line.ts";

/** Renders who allowed an effect, as one line. */
export function renderAllowance({
  tool,
  claim,
  terms,
  rule,
  approval,
  approvedBy,
  planned,
}: Allowance): Line {
  const names = approvedBy.map(describeApprover).join(" and ");
  const whole =
    planned === null ? "" : ` with the plan, as its step ${planned.step} (event ${planned.plan})`;
  const people = approval === null ? "" : `: approved by ${names}${whole}`;
  const by = [
    ...(rule === null ? [] : [describeRule(rule)]),
    ...(terms.length === 0 ? [] : [`grant term ${terms.join(", ")}`]),
  ];
  return line("  ", toned("strong", tool), ` (event ${claim})${people}; ${by.join("; ")}`);
}

function describeApprover({ by, roles, event }: Approver): string {
  return `${by}${roles.length === 0 ? "" : ` (${roles.join(", ")})`}, event ${event}`;
}
