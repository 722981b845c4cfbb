/** Routes by which people send messages to a run. Each answers once the message is durable. */
import type { z } from "@hono/zod-openapi";
import type { JsonValue } from "@turnseal/protocol";
import {
  abortGeneration,
  answerQuestion,
  cancelRun,
  decideApproval,
  resolveUnknown,
  retryProvider,
  revokeStanding,
  sendMessage,
  sendSignal,
  type Telling,
  type Word,
} from "@turnseal/sessions";
import type { ServerApp } from "./environment.ts";
import { parseBody } from "./parse-body.ts";
import { toResponse } from "./refusal.ts";
import {
  abortBody,
  answerBody,
  cancelBody,
  decisionBody,
  messageBody,
  resolutionBody,
  retryBody,
  revocationBody,
  signalBody,
} from "./schemas.ts";

export function addMessageRoutes(app: ServerApp): void {
  const add = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    say: (word: Word, body: z.output<Schema>) => Promise<Telling>,
  ): void => {
    app.post(`/v1/runs/:run/${path}`, async (context) => {
      const body = await parseBody(context.req.raw, schema);
      if (body.kind === "refused") return toResponse(body.refusal);
      const { host, caller } = context.var;
      const told = await say({ host, caller, run: context.req.param("run") }, body.value);
      if (told.kind === "refused") return toResponse(told.refusal);
      const { kind: _, message: __, ...answer } = told;
      return context.json(answer, 202);
    });
  };
  add("messages", messageBody, sendMessage);
  // Bodies were taken as JSON before they were held to a schema.
  add("signals", signalBody, (word, { payload, ...signal }) =>
    sendSignal(word, { ...signal, payload: payload as JsonValue }),
  );
  add("revocations", revocationBody, revokeStanding);
  add("decisions", decisionBody, ({ ...word }, { arguments: edited, ...decision }) =>
    decideApproval(word, {
      ...decision,
      ...(edited === undefined ? {} : { arguments: edited as JsonValue }),
    }),
  );
  add("answers", answerBody, (word, { question, answer }) =>
    answerQuestion(word, { question, answer: answer as JsonValue }),
  );
  add("resolutions", resolutionBody, (word, { result, ...resolution }) =>
    resolveUnknown(word, {
      ...resolution,
      ...(result === undefined ? {} : { result: result as JsonValue }),
    }),
  );
  add("abort", abortBody, abortGeneration);
  add("retry", retryBody, retryProvider);
  add("cancel", cancelBody, cancelRun);
}
