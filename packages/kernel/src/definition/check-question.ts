/**
 * Checks how a question is asked (spec/approval.md §5.2), once and before anybody is: a time that
 * no calendar has, or a role that no store keeps, would be found when it is too late.
 */
import { isPlainText, type LoopDef } from "@turnseal/protocol";
import { QUESTION_ROLE_LENGTH_MAX, QUESTION_WITHIN_MS_MAX } from "../limits.ts";
import type { Report } from "./report.ts";

/**
 * The tool that is somebody outside: what it is given is asked, and what is answered is its output.
 */
export const QUESTION_TOOL = "turnseal.question";

interface FieldCheck {
  readonly isGood: (value: unknown) => boolean;
  readonly wanted: string;
}

const fields: Readonly<Record<string, FieldCheck>> = {
  to: {
    isGood: (value) => value === "person" || value === "agent",
    wanted: "`person` or `agent`",
  },
  role: {
    isGood: (value) => isPlainText(value, QUESTION_ROLE_LENGTH_MAX),
    wanted: `a text of at most ${QUESTION_ROLE_LENGTH_MAX} characters, without NUL`,
  },
  withinMs: {
    isGood: (value) => isCount(value, QUESTION_WITHIN_MS_MAX),
    wanted: `a whole number from 1 to ${QUESTION_WITHIN_MS_MAX}, in milliseconds`,
  },
};

export function checkQuestion({ tool }: LoopDef, report: Report): void {
  if (tool?.implementation !== QUESTION_TOOL) return;
  for (const [name, { isGood, wanted }] of Object.entries(fields)) {
    const value = tool.config?.[name];
    if (value === undefined || isGood(value)) continue;
    report.refuse({
      rule: "field-type",
      path: `/tool/config/${name}`,
      message: `tool/config/${name} must be ${wanted}`,
      mend: `write ${wanted}`,
    });
  }
}

function isCount(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max;
}
