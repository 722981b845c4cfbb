/** Sends the suite's messages to a run, in the words of the host. */
import type { RunMessage } from "@turnseal/conformance/program";
import type { LocalHost } from "@turnseal/host";
import type { Inbox } from "@turnseal/ports";
import { isLoopError, type JsonObject } from "@turnseal/protocol";
import { attachmentsOf } from "./given-files.ts";

type Answer = Readonly<Record<string, unknown>>;

export interface Told {
  readonly host: LocalHost;
  readonly inbox: Inbox;
}

export async function sendToRun(
  { host, inbox }: Told,
  run: string,
  message: RunMessage,
): Promise<Answer> {
  const { row, key = "row" } = message;
  return answerRefusal(async () => {
    const put =
      row === undefined
        ? await putMessage(host, run, message)
        : await inbox.put({ run, key, kind: row.kind, body: row.body as JsonObject });
    return put.kind === "refused" ? { kind: "refused", code: put.reason } : { kind: put.kind };
  });
}

async function putMessage(
  host: LocalHost,
  run: string,
  { key, by: id = "suite", roles = [], turn, signal, resolve, decide, answer, revoke }: RunMessage,
): ReturnType<LocalHost["cancel"]> {
  const by = { id, roles };
  if (signal !== undefined) {
    const { files, ...said } = signal;
    const put = { ...said, key: key ?? signal.name, by: id };
    return host.signal(run, { ...put, ...attachmentsOf(files) });
  }
  if (resolve !== undefined) {
    const { action, ...word } = resolve;
    // A word that is none is sent all the same: the host is to refuse it.
    return host.resolve(run, {
      ...word,
      resolution: word.resolution as "happened",
      key: action,
      by,
    });
  }
  if (decide !== undefined) {
    const { approval, choice, ...said } = decide;
    return host.decide(run, approval, { ...said, choice, by } as never);
  }
  if (answer !== undefined) return host.answer(run, answer.question, { answer: answer.answer, by });
  if (revoke !== undefined) return host.revoke(run, revoke, by);
  const only = turn === undefined ? {} : { turn };
  return host.cancel(run, { key: key ?? "cancel", by: id, ...only });
}

/** An error with a code is an answer of the host. */
export async function answerRefusal(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    if (!isLoopError(error)) throw error;
    return { kind: "refused", code: error.code };
  }
}
