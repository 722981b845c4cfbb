/**
 * Asks the caller of `run` and `resume` about each open request, and sends the answer to the run.
 *
 * 1. The caller's own code decides, and names the person. No text of a model becomes an answer.
 * 2. An answer passes the same checks as one of `decide`, `answer` or `resolve`.
 * 3. One call asks about a request once. A refused answer is not asked for again.
 */
import type { PutAnswer } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import type { AnswerToSend, DecisionToSend, UnknownAnswer } from "../messages/inbox-messages.ts";
import type { PersonRequest } from "../messages/requests.ts";
import type { RunClient } from "./run-client.ts";
import type { RunOutcome } from "./run-outcome.ts";

/** How many requests one call answers. Further ones stay open, and are in its outcome. */
export const ANSWERS_MAX = 1_000;

/**
 * A person's answer to a request. An approval takes `choice`, a question takes `answer`, and an
 * unknown action takes `resolution`.
 */
export type RequestAnswer = DecisionToSend | AnswerToSend | UnknownAnswer;

/** Answers one request in the name of a person, or leaves it open with undefined. */
export type AnswerRequest = (
  request: PersonRequest,
) => RequestAnswer | undefined | Promise<RequestAnswer | undefined>;

export interface AnswerOptions {
  /**
   * Called for each open request. The run goes on with the answers until no request is left, or
   * until the rest is left open. If it throws, the request stays open and the call rejects.
   */
  readonly answer?: AnswerRequest;
}

interface Answering<Output> {
  readonly client: Pick<RunClient, "decide" | "answer" | "resolve">;
  readonly answer: AnswerRequest;
  readonly resume: () => Promise<RunOutcome<Output>>;
}

/** Answers open requests and drives the run on, until one round answers nothing. */
export async function answerRequests<Output>(
  first: RunOutcome<Output>,
  { client, answer, resume }: Answering<Output>,
): Promise<RunOutcome<Output>> {
  const asked = new Set<string>();
  let outcome = first;
  for (;;) {
    let answered = 0;
    for (const request of outcome.requests) {
      const state = stateOf(request);
      if (asked.has(state) || asked.size >= ANSWERS_MAX) continue;
      asked.add(state);
      const given = await answer(request);
      if (given === undefined) continue;
      await sendAnswer(request, given, client);
      answered++;
    }
    if (answered === 0) return outcome;
    outcome = await resume();
  }
}

/** A second approver makes another state of the same request, which is asked about again. */
function stateOf(request: PersonRequest): string {
  const approved = request.kind === "unknown" ? 0 : request.approvedBy.length;
  return `${request.hash}:${approved}`;
}

async function sendAnswer(
  request: PersonRequest,
  given: RequestAnswer,
  client: Answering<unknown>["client"],
): Promise<void> {
  let told: PutAnswer;
  try {
    told = await putAnswer(request, given, client);
  } catch (error) {
    // Somebody was faster, or its time is over: the log says which, and the run goes on.
    if (isLoopError(error) && CLOSED.has(error.code)) return;
    throw error;
  }
  if (told.kind === "refused")
    throw new HostError(
      "ANSWER_REFUSED",
      `the inbox of run ${request.run} refused the answer: ${told.reason}`,
    );
}

const CLOSED: ReadonlySet<string> = new Set(["REQUEST_UNKNOWN", "CLAIM_NOT_UNKNOWN"]);

async function putAnswer(
  { kind, run, id }: PersonRequest,
  given: RequestAnswer,
  client: Answering<unknown>["client"],
): Promise<PutAnswer> {
  const isObject = typeof given === "object" && given !== null;
  if (!isObject) throw new HostError("ANSWER_REFUSED", KINDS[kind]);
  if (kind === "approval" && "choice" in given) return client.decide(run, id, given);
  if (kind === "question" && "answer" in given) return client.answer(run, id, given);
  if (kind === "unknown" && "resolution" in given)
    return client.resolve(run, { ...given, key: id });
  throw new HostError("ANSWER_REFUSED", KINDS[kind]);
}

const KINDS = {
  approval: "an approval takes an answer such as { choice, by }",
  question: "a question takes an answer such as { answer, by }",
  unknown: "an unknown action takes an answer such as { resolution, by }",
} as const;
