import { type AnswerToSend, answerMessage, checkAnswer, listMisfits } from "@turnseal/host";
import type { JsonValue } from "@turnseal/protocol";
import type { ExitCode } from "../exit-codes.ts";
import { readIdentity } from "../terminal/read-identity.ts";
import { readJsonOption } from "../terminal/read-input.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type PutOptions, putMessage } from "./put-message.ts";
import { reportAgainst, withRegistry, withRequest } from "./with-request.ts";

export interface AnswerOptions extends PutOptions {
  readonly from?: readonly string[];
  /** The answer, as JSON or `@file`. */
  readonly value: string;
}

/** `turnseal answer`: an answer to a question. One that does not fit is not taken. */
export async function runAnswer(
  name: string,
  options: AnswerOptions,
  { terminal, environment }: Surroundings,
): Promise<ExitCode> {
  const read = await readJsonOption(options.value, "--value");
  if (read.kind === "unusable")
    return reportUsage(terminal, read.message, `turnseal answer ${name} --value '<json>'`);
  const by = readIdentity(environment);
  const answer: AnswerToSend = { answer: read.value as JsonValue, by };
  const spoken = { ...options, terminal };
  return withRequest({ kind: "question", name }, spoken, ({ known, request }, folder) =>
    withRegistry({ known, folder, from: options.from }, spoken, async (registry) => {
      const problems = listMisfits(registry, request, answer.answer);
      const check = () => checkAnswer(registry, request, answer);
      const words = {
        done: `${request.loop} is answered by ${by.id}`,
        after: "the turn continues with this answer",
        facts: { question: request.id, by: by.id },
      };
      return (
        (await reportAgainst(check, { by, problems, terminal })) ??
        putMessage(
          answerMessage(request.run, request, answer),
          { known, folder },
          { ...spoken, words },
        )
      );
    }),
  );
}
