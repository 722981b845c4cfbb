/**
 * The provider's answer: a pure function of the request. Each answer names a digest of all that was
 * read, so that one loss shows in every later request.
 */
import { createHash } from "node:crypto";
import type { Answer, Sent } from "./sent.ts";

/** Every so many words of the user the model calls a tool. */
const TOOL_EVERY = 3;

/** What has the provider ask for a tool in so many rounds. */
export function taskOf(rounds: number): string {
  return `Take ${rounds} steps.`;
}
const taskPattern = /^Take (\d+) steps\.$/;

export function answerBy(sent: Sent): Answer {
  const { pieces, parts } = sent;
  const digest = createHash("sha256").update(pieces.join("\n")).digest("hex");
  const words = parts.filter((part) => part.kind === "words");
  const last = parts.at(-1);
  const result = last?.kind === "result" ? last.text : undefined;
  const id = `call_${digest.slice(0, 24)}`;
  const steps = Number(taskPattern.exec(words.at(-1)?.text ?? "")?.[1] ?? 0);
  if (steps > 0) {
    const step = result === undefined ? 0 : readStep(result);
    return step < steps
      ? { kind: "call", id, tool: "local__step", input: { step: step + 1 } }
      : { kind: "text", text: `took ${step} steps` };
  }
  return result === undefined && words.length % TOOL_EVERY === 0
    ? { kind: "call", id, tool: "local__look", input: { at: digest } }
    : { kind: "text", text: `I was told ${words.length} things: ${digest}` };
}

/** No step where the result is of another kind, such as an error: the task begins again. */
function readStep(result: string): number {
  const { step = 0 } = JSON.parse(result) as { readonly step?: number };
  return step;
}
