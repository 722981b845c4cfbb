/** From a prompt loop and its input to what a model is asked. */
import type { ModelMessage, ModelRequest } from "@turnseal/ports";
import {
  type JsonSchema,
  type JsonValue,
  type LoopDef,
  measureTemplate,
  type PromptSpec,
  renderTemplate,
} from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { PROMPT_LENGTH_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { TurnGuidance } from "../turn-guidance.ts";
import { renderGuidance } from "./render-guidance.ts";

export interface BuiltRequest {
  readonly request: Omit<ModelRequest, "model" | "signal">;
  readonly promptLength: number;
}

/** Renders the prompt and says what form the answer should have. */
export function buildRequest(
  loop: CheckedLoop,
  prompt: PromptSpec,
  { input, guidance }: { readonly input: JsonValue; readonly guidance: TurnGuidance },
): Outcome<BuiltRequest> {
  if (measureTemplate(prompt.template, input) > PROMPT_LENGTH_MAX) {
    return fail("BUDGET_EXCEEDED", `the prompt would be longer than ${PROMPT_LENGTH_MAX}`);
  }
  const text = renderTemplate(prompt.template, input);
  const outputSchema = askedSchema(loop);
  return succeed({
    promptLength: text.length,
    request: {
      messages: [...systemMessage(prompt), ...renderGuidance(guidance), { role: "user", text }],
      ...(outputSchema === undefined ? {} : { outputSchema }),
      ...(prompt.maxTokens === undefined ? {} : { maxOutputTokens: prompt.maxTokens }),
      ...(prompt.temperature === undefined ? {} : { temperature: prompt.temperature }),
    },
  });
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
  const acceptsText = known ?? loop.validateOutput({ text: "text" }).length === 0;
  if (known === undefined) textLoops.set(loop, acceptsText);
  return acceptsText ? undefined : loop.definition.outputSchema;
}

// A loop never changes, so that this is found out once.
const textLoops = new WeakMap<CheckedLoop, boolean>();

/** The backend that a prompt loop asks: `mock`, or none, is the scripted model. */
export function backendOf(definition: LoopDef): { readonly id: string; readonly model?: string } {
  const { backend } = definition;
  if (backend === undefined) return { id: "scripted" };
  return backend.id === "mock" ? { ...backend, id: "scripted" } : backend;
}
