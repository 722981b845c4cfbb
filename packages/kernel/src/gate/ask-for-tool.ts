/**
 * The question of a tool that needs an answer in the middle of its call (spec/approval.md §5.6).
 *
 * The answer makes the next attempt of the tool, with a key and a claim of its own.
 */
import type { ToolQuestion } from "@turnseal/protocol/authoring";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { Action } from "../step/action.ts";
import type { Question } from "../step/journal.ts";
import type { TurnJournalOptions } from "../step/step.ts";
import { askQuestion } from "./ask-question.ts";

interface Asking {
  readonly action: Action;
  readonly asks: ToolQuestion;
  readonly of: NonNullable<Question["of"]>;
}

/** Asks, and answers with the action that continues. */
export async function askForTool(
  frame: Frame,
  { action, asks, of }: Asking,
  options: TurnJournalOptions,
): Promise<Outcome<Action>> {
  const { name, asking } = action;
  // A group is committed as a whole, and people approved a rollback as it was shown.
  if (asking === undefined || frame.hold !== undefined)
    return fail(
      "TOOL_FAILED",
      `${name} needs an answer, and no person is asked in a group or a rollback`,
    );
  const { loop, version, continueWith } = asking;
  const { question, schema, to = "person", role, withinMs, state } = asks;
  const outcome = await askQuestion(
    frame,
    {
      ...{ loop, version, to, of, request: { question, schema } },
      ...(role === undefined ? {} : { role }),
      ...(withinMs === undefined ? {} : { withinMs }),
    },
    options,
  );
  if (outcome.kind !== "ok") return outcome;
  const answered = { answer: outcome.value, ...(state === undefined ? {} : { state }) };
  return succeed(continueWith(answered, of.claim));
}
