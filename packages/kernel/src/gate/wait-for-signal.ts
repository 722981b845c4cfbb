/**
 * A wait of a flow for a signal (spec/approval.md §5.5): a question that goes to no person.
 *
 * The run's writer decides which signal answers which wait, since it sees all of them in the order
 * of the log. This function records the wait, and reads the answer.
 */
import { answersQuestion, type EventOf, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { awaitReplay } from "../resume/await-replay.ts";
import type { Frame } from "../resume/frame.ts";
import { drifted } from "../resume/recorded-turn.ts";
import { actionKey } from "../step/action-key.ts";
import type { SignalWait } from "../step/journal.ts";
import { ownerOf, type TurnJournalOptions } from "../step/step.ts";

/** Records the wait, and returns the signal's payload, once it has come. */
export async function waitForSignal(
  frame: Frame,
  wait: SignalWait,
  options: TurnJournalOptions,
): Promise<Outcome<JsonValue>> {
  const { run, turn, recorded, appender } = options;
  const key = actionKey({ run, turn, path: frame.path + wait.path, ordinal: 0, retry: 0 });
  const [asked, ...said] = recorded.takeAsked(frame.call, key, wait.path);
  if (asked === undefined) return open(frame, wait, { ...options, key });
  const digest = appender.content.seal(requestOf(wait)).digest;
  if (asked.type !== "question.asked" || asked.content.digest !== digest)
    throw drifted(`event ${asked.sequence} waits for something else than the code now does`);
  const over = said.find((event) => event.type === "approval.expired");
  // The waiting item was withdrawn, so the call ends here.
  if (over?.content.because === "withdrawn") return pauseFor(wait, asked);
  if (over !== undefined) return expired(wait);
  const answered = said
    .filter((event) => event.type === "question.answered")
    .find((event) => answersQuestion(asked, event));
  if (answered !== undefined) return succeed(await appender.content.read(answered.content.answer));
  return continueWait(frame, wait, { ...options, key, asked });
}

interface WaitPlace extends TurnJournalOptions {
  readonly key: string;
}

async function open(
  frame: Frame,
  wait: SignalWait,
  { recorded, appender, turn, key }: WaitPlace,
): Promise<Outcome<JsonValue>> {
  // A cancel that is recorded ended the call here: that is not new, and is made again.
  const isOver = frame.isCancelled() && !frame.branch.isStopped();
  const mayWait = isOver || ((await awaitReplay({ recorded, frame })) && !frame.branch.isStopped());
  if (!mayWait) return { kind: "paused" };
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
  const { loop, version, signal, path, withinMs } = wait;
  const request = requestOf(wait);
  const { digest } = appender.content.seal(request);
  const asked = appender.push((nowMs) => ({
    ...ownerOf({ turn, frame }),
    type: "question.asked",
    content: {
      ...{ key, loop, version, to: "signal", digest, signal, path },
      decideBy: new Date(nowMs + withinMs).toISOString(),
    },
    attached: { request },
  }));
  return pauseFor(wait, asked);
}

async function continueWait(
  frame: Frame,
  wait: SignalWait,
  place: WaitPlace & { readonly asked: EventOf<"question.asked"> },
): Promise<Outcome<JsonValue>> {
  const { asked, key, recorded, appender, clock, turn } = place;
  const decideByMs = Date.parse(asked.content.decideBy ?? "");
  const isInTime = Math.max(clock.now(), appender.lastMs()) <= decideByMs;
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
  const isOver = !isInTime && (await awaitReplay({ recorded, frame })) && !frame.branch.isStopped();
  if (!isOver) return pauseFor(wait, asked);
  const { sequence: question, hash } = asked;
  appender.push(() => ({
    ...ownerOf({ turn, frame }),
    type: "approval.expired",
    content: { key, question, hash, path: wait.path },
  }));
  return expired(wait);
}

function pauseFor(
  { signal }: SignalWait,
  { content: { decideBy = "" } }: EventOf<"question.asked">,
): Outcome<JsonValue> {
  return { kind: "paused", signals: [signal], untilMs: Date.parse(decideBy) + 1 };
}

function expired({ signal, withinMs }: SignalWait): Outcome<JsonValue> {
  return fail("TIMEOUT", `no signal ${signal} came within ${withinMs} ms`);
}

/** The facts that the rules judge a signal by. */
function requestOf({ signal, schema }: SignalWait): JsonObject {
  return { signal, schema };
}
