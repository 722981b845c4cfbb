/**
 * Checks how a question is asked (spec/approval.md §5.2) before any person sees it. An impossible
 * time or role would otherwise fail too late.
 */
import { isPlainText, type JsonObject, type LoopDef, QUESTION_TOOL } from "@turnseal/protocol";
import { type Form, isCountWithin, isOneOf } from "@turnseal/protocol/shape";
import { QUESTION_ROLE_LENGTH_MAX, QUESTION_WITHIN_MS_MAX } from "../limits.ts";
import type { Report } from "./report.ts";

const fields: Readonly<Record<string, Form>> = {
  to: { accepts: isOneOf(["person", "agent"]), wanted: "`person` or `agent`" },
  role: {
    accepts: (value) => isPlainText(value, QUESTION_ROLE_LENGTH_MAX),
    wanted: `a text of at most ${QUESTION_ROLE_LENGTH_MAX} characters, without NUL`,
  },
  withinMs: {
    accepts: isCountWithin({ least: 1, most: QUESTION_WITHIN_MS_MAX }),
    wanted: `a whole number from 1 to ${QUESTION_WITHIN_MS_MAX}, in milliseconds`,
  },
};

/** The fault in the terms of a question; undefined if there is none. */
export function findQuestionFault(asks: JsonObject): string | undefined {
  const wrong = Object.entries(fields).find(
    ([name, { accepts }]) => asks[name] !== undefined && !accepts(asks[name]),
  );
  return wrong && `\`${wrong[0]}\` must be ${wrong[1].wanted}`;
}

export function checkQuestion({ tool }: LoopDef, report: Report): void {
  if (tool?.implementation !== QUESTION_TOOL) return;
  for (const [name, { accepts, wanted }] of Object.entries(fields)) {
    const value = tool.config?.[name];
    if (value === undefined || accepts(value)) continue;
    report.refuse({
      rule: "field-type",
      path: `/tool/config/${name}`,
      message: `tool/config/${name} must be ${wanted}`,
      mend: `write ${wanted}`,
    });
  }
}
