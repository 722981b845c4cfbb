/**
 * From what a model answered to the output of its loop. The answer is data: it can only become a
 * value.
 */

import type { ModelResult } from "@turnseal/ports";
import {
  type AnswerFault,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type ModelContent,
} from "@turnseal/protocol";
import { OUTPUT_BYTES_MAX } from "../limits.ts";
import { type Failed, fail, type Outcome, succeed } from "../outcome.ts";
import { filesOf } from "./message-files.ts";

const unfinished: ReadonlyMap<ModelResult["finishReason"], AnswerFault> = new Map([
  ["length", "ANSWER_CUT_OFF"],
  ["content-filter", "ANSWER_WITHHELD"],
  ["error", "ANSWER_BROKEN_OFF"],
]);

const words: Readonly<Record<AnswerFault, string>> = {
  ANSWER_BROKEN_OFF: "broke off its answer",
  ANSWER_CUT_OFF: "stopped at its length limit",
  ANSWER_EMPTY: "answered with nothing",
  ANSWER_WITHHELD: "withheld its answer",
  FILE_NOT_TAKEN: "does not take such a file",
  CONTEXT_TOO_LARGE: "would be asked more than it may read",
  MODEL_DRIFTED: "answered by another model than the one asked",
  TOOLS_NOT_OFFERED: "asked for a tool where none was offered",
  TOOLS_TOO_MANY: "asked for too many tools at once",
};

/** The failure of a prompt whose model answered, and not as asked. */
export function refuseAnswer(backend: string, fault: AnswerFault): Failed {
  return fail("BACKEND_FAILED", `${backend} ${words[fault]}`, { fault });
}

/** Returns the fault of an unfinished answer. A part of an answer is never used. */
export function findFault({
  finishReason,
}: Pick<ModelResult, "finishReason">): AnswerFault | undefined {
  return unfinished.get(finishReason);
}

/**
 * True for an answer without a word, without a file and without a tool. Thoughts alone are no
 * answer.
 */
export function isEmptyAnswer(content: readonly ModelContent[]): boolean {
  const isMore = content.some(({ kind }) => kind === "tool-call" || kind === "file");
  return !isMore && joinText(content).trim() === "";
}

/**
 * Reads the output from an answer: JSON where it is written as JSON, `{ text }` otherwise, with the
 * files of the answer where the loop has room for them. Many models put JSON into a fenced block:
 * it is read if the loop cannot take the text.
 */
export function readAnswer(
  content: readonly ModelContent[],
  fits: (output: JsonValue) => boolean = () => false,
): Outcome<JsonValue> {
  const text = joinText(content);
  if (text.length > OUTPUT_BYTES_MAX) {
    return fail("OUTPUT_VALIDATION_FAILED", `the answer is larger than ${OUTPUT_BYTES_MAX} bytes`);
  }
  const output = chooseOutput(text, fits);
  const files = filesOf({ role: "assistant", content });
  if (files.length === 0 || !isPlainObject(output)) return succeed(output);
  const whole: JsonValue = { ...(output as JsonObject), files: files as unknown as JsonValue };
  return succeed(fits(whole) ? whole : output);
}

function joinText(content: readonly ModelContent[]): string {
  let text = "";
  for (const part of content) if (part.kind === "text") text += part.text;
  return text.toWellFormed();
}

function chooseOutput(text: string, fits: (output: JsonValue) => boolean): JsonValue {
  const trimmed = text.trim();
  const plain = parseStructure(trimmed) ?? { text };
  const fenced = findFenced(trimmed);
  if (fenced === undefined || fits(plain)) return plain;
  return parseStructure(fenced.trim()) ?? plain;
}

/** The lines of a text that is one fenced block, and nothing else. */
function findFenced(text: string): string | undefined {
  const start = text.indexOf("\n");
  const end = text.lastIndexOf("\n");
  if (start < 0 || end <= start || text.slice(end + 1) !== FENCE) return undefined;
  return /^```[A-Za-z0-9]*\r?$/.test(text.slice(0, start)) ? text.slice(start, end) : undefined;
}

const FENCE = "```";

/** The value of a text that is a JSON object or list. */
function parseStructure(text: string): JsonValue | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
