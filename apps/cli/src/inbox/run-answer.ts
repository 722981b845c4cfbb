import { type AnswerToSend, answerMessage, checkAnswer, listMisfits } from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import type { ExitCode } from "../exit-codes.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { readJsonOption } from "../terminal/read-input.ts";
import { accept } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type PutOptions, putMessage } from "./put-message.ts";
import { openRegistry, reportAgainst, withRequest } from "./with-request.ts";

export interface AnswerOptions extends PutOptions {
  readonly from?: readonly string[];
  /** The answer, as JSON or `@file`. */
  readonly value: string;
}

/** `turnseal answer`: an answer to a question. An answer that does not fit is refused. */
export async function runAnswer(
  name: string,
  options: AnswerOptions,
  { terminal, environment }: Surroundings,
): Promise<ExitCode> {
  const next = `turnseal answer ${name} --value '<json>'`;
  const read = accept(await readJsonOption(options.value, "--value"), { next });
  const by = readIdentity(environment);
  const answer: AnswerToSend = { answer: read.value as JsonValue, by };
  return withRequest({ kind: "question", name }, options, async ({ known, request }, folder) => {
    const registry = await openRegistry({ known }, folder, options);
    const problems = listMisfits(registry, request, answer.answer);
    const check = () => checkAnswer(registry, { ...request, asked: request.request }, answer);
    const words = {
      done: `${request.loop} is answered by ${by.id}`,
      after: "the turn continues with this answer",
      facts: { question: request.id, by: by.id },
    };
    const message = answerMessage(request.run, request, answer);
    return (
      (await reportAgainst(check, { by, problems, terminal })) ??
      putMessage(message, { known, folder }, { ...options, terminal, words })
    );
  });
}
