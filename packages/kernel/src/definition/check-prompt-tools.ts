/**
 * Checks what a prompt offers to its model.
 *
 * The document alone gives the number of tools and rounds. The names for the model follow from the
 * offered loops, so two names can only be compared once those are known.
 */
import {
  type LoopDef,
  type LoopReference,
  type Problem,
  type PromptSpec,
  ROUNDS_MAX,
  SIGNAL_NAME_LENGTH_MAX,
} from "@turnseal/protocol";
import { isCountWithin } from "@turnseal/protocol/shape";
import { OUTPUT_REPAIRS_MAX, PROMPT_TOOLS_MAX } from "../limits.ts";
import type { Report } from "./report.ts";
import { ALIAS_LENGTH_MAX, aliasOf } from "./tool-alias.ts";

/** Checks what needs nothing but the document. */
export function checkPromptTools(
  { tools = [], maxRounds = 1, outputRepairs = 0, feedback = "feedback" }: PromptSpec,
  report: Report,
): void {
  if (tools.length > PROMPT_TOOLS_MAX) {
    report.refuse({
      rule: "field-type",
      path: "/prompt/tools",
      message: `a prompt offers at most ${PROMPT_TOOLS_MAX} tools`,
      mend: "offer fewer tools, or split the prompt",
    });
  }
  if (!isCountWithin({ least: 1, most: ROUNDS_MAX })(maxRounds)) {
    report.refuse({
      rule: "field-type",
      path: "/prompt/maxRounds",
      message: `a prompt makes from 1 to ${ROUNDS_MAX} rounds`,
      mend: `write a whole number from 1 to ${ROUNDS_MAX}`,
    });
  }
  if (outputRepairs > OUTPUT_REPAIRS_MAX) {
    report.refuse({
      rule: "field-type",
      path: "/prompt/outputRepairs",
      message: `an output is repaired at most ${OUTPUT_REPAIRS_MAX} times`,
      mend: `write at most ${OUTPUT_REPAIRS_MAX}`,
    });
  }
  if (feedback.length > SIGNAL_NAME_LENGTH_MAX) {
    report.refuse({
      rule: "field-type",
      path: "/prompt/feedback",
      message: `the name of a signal has at most ${SIGNAL_NAME_LENGTH_MAX} characters`,
      mend: "write a shorter name",
    });
  }
}

/**
 * Checks the names under which a model knows the loops that are offered. A loop that is not known
 * yet has no name yet.
 */
export function checkToolNames(
  { tools = [] }: PromptSpec,
  resolve: (reference: LoopReference) => LoopDef | undefined,
): Problem[] {
  const problems: Problem[] = [];
  const taken = new Set<string>();
  for (const [index, reference] of tools.entries()) {
    const loop = resolve(reference);
    if (loop === undefined) continue;
    const name = aliasOf(loop);
    const path = `/prompt/tools/${index}`;
    if (name.length > ALIAS_LENGTH_MAX) {
      problems.push({
        rule: "field-type",
        path,
        message: `the model would know ${loop.id} by a name longer than ${ALIAS_LENGTH_MAX}`,
        mend: "give the tool a shorter implementation name",
      });
    }
    if (taken.has(name)) {
      problems.push({
        rule: "binding-repeated",
        path,
        message: `the model would know two loops as \`${name}\``,
        mend: "offer only one of them, or rename its implementation",
      });
    }
    taken.add(name);
  }
  return problems;
}
