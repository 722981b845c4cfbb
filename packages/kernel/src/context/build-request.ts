/** Builds the model request of a prompt loop from its input. */

import type { ModelRequest, ModelTool } from "@turnseal/ports";
import {
  type JsonSchema,
  type JsonValue,
  type ModelMessage,
  type PromptSpec,
  renderWithin,
} from "@turnseal/protocol";
import type { FileRef } from "@turnseal/protocol/files";
import { createValidator } from "../bounded/schema/schema-validator.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { PROMPT_LENGTH_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { TurnGuidance } from "../values/turn-guidance.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { renderGuidance } from "./render-guidance.ts";
import { renderSettings } from "./render-settings.ts";

/** The fields of a request besides its messages. */
export type RequestSettings = Omit<
  ModelRequest,
  "model" | "signal" | "onDelta" | "onFirstPiece" | "messages"
>;

export interface BuiltRequest {
  readonly settings: RequestSettings;
  /** The system prompt and guidance. */
  readonly head: readonly ModelMessage[];
  /** The rendered prompt. */
  readonly words: ModelMessage;
  readonly promptLength: number;
  /** Summaries of earlier turns without room, the oldest first. Content. */
  readonly leftOut: readonly string[];
}

interface PromptGiven {
  readonly input: JsonValue;
  readonly guidance: TurnGuidance;
  readonly tools: readonly ModelTool[];
  /** The files of the input that the model is shown. */
  readonly files: readonly FileRef[];
}

/** Renders the prompt, and sets the form of the answer. */
export function buildRequest(
  loop: CheckedLoop,
  prompt: PromptSpec,
  { input, guidance, tools, files }: PromptGiven,
): Outcome<BuiltRequest> {
  const text = renderWithin(prompt.template, input, PROMPT_LENGTH_MAX);
  if (text === undefined)
    return fail("BUDGET_EXCEEDED", `the prompt would be longer than ${PROMPT_LENGTH_MAX}`);
  const outputSchema = askedSchema(loop);
  const settings: RequestSettings = {
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...renderSettings(prompt, tools),
    ...(tools.length === 0 ? {} : { tools }),
  };
  const words: ModelMessage = { role: "user", text, ...(files.length === 0 ? {} : { files }) };
  const system = systemMessage(prompt);
  const build = (given: TurnGuidance) => [...system, ...renderGuidance(given)];
  const isTooLarge = (head: readonly ModelMessage[]): boolean => {
    const most = loop.definition.policy?.contextTokensMax;
    return most !== undefined && estimateTokens({ ...settings, messages: [...head, words] }) > most;
  };
  const fitted = fitSummaries(build, guidance, isTooLarge);
  return succeed({ settings, words, promptLength: text.length, ...fitted });
}

/** Leaves out summaries of earlier turns, the oldest first, until the request fits. */
function fitSummaries(
  build: (given: TurnGuidance) => readonly ModelMessage[],
  guidance: TurnGuidance,
  isTooLarge: (head: readonly ModelMessage[]) => boolean,
): Pick<BuiltRequest, "head" | "leftOut"> {
  const { summaries } = guidance;
  let head = build(guidance);
  let count = 0;
  while (count < summaries.length && isTooLarge(head)) {
    count += 1;
    head = build({ ...guidance, summaries: summaries.slice(count) });
  }
  return { head, leftOut: summaries.slice(0, count).map(({ text }) => text) };
}

function systemMessage({ systemPrompt }: PromptSpec): ModelMessage[] {
  return systemPrompt === undefined ? [] : [{ role: "system", text: systemPrompt }];
}

/**
 * A loop whose output may be `{ text }` asks for plain text; every other asks for JSON by its
 * schema.
 */
function askedSchema(loop: CheckedLoop): JsonSchema | undefined {
  const known = textLoops.get(loop);
  // By the schema alone: a refinement is about the words, and these are none.
  const acceptsText =
    known ?? createValidator(loop.definition.outputSchema)({ text: "text" }).length === 0;
  if (known === undefined) textLoops.set(loop, acceptsText);
  return acceptsText ? undefined : loop.definition.outputSchema;
}

// A loop never changes, so that this is found out once.
const textLoops = new WeakMap<CheckedLoop, boolean>();
