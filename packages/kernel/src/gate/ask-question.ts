/**
 * A question to somebody outside: asked once, and answered once (spec/approval.md §5).
 *
 * It acts on nothing, so nothing is claimed and nothing reserved. The answer is checked against the
 * loop's own output schema like any other output; what does not fit is not taken into the log.
 */
import {
  answersQuestion,
  type ContentDigest,
  type EventOf,
  type JsonObject,
  type JsonValue,
} from "@turnseal/protocol";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { awaitReplay, wasLeftBehind } from "../resume/await-replay.ts";
import type { Frame } from "../resume/frame.ts";
import { drifted } from "../resume/recorded-turn.ts";
import { actionKey } from "../step/action-key.ts";
import type { Question } from "../step/journal.ts";
import { ownerOf, type TurnJournalOptions } from "../step/step.ts";

export async function askQuestion(
  frame: Frame,
  question: Question,
  options: TurnJournalOptions,
): Promise<Outcome<JsonValue>> {
  const { run, turn, recorded, appender } = options;
  const refused = recorded.refusalOf(frame.call);
  if (refused !== undefined) return { kind: "error", error: refused };
  const { of } = question;
  // The claim of the tool has the key of the call's own place.
  const place = of === undefined ? frame.path : `${frame.path}?`;
  const key = actionKey({ run, turn, path: place, ordinal: 0, retry: of?.attempt ?? 0 });
  const [asked, ...said] = recorded.takeAsked(frame.call, key);
  if (asked === undefined) return ask(frame, question, { ...options, key });
  if (asked.type !== "question.asked" || asked.content.digest !== digestOf(question, options))
    throw drifted(`event ${asked.sequence} asks another question than the code now asks`);

  const over = said.find((event) => event.type === "approval.expired");
  // The asking item was withdrawn, so the call ends here.
  if (over?.content.because === "withdrawn") return { kind: "paused", isAsked: true };
  if (over !== undefined) {
    if (!recorded.hasMore(frame.call)) await awaitReplay({ recorded, frame });
    return expired(question);
  }
  const answered = said
    .filter((event) => event.type === "question.answered")
    .find((event) => answersQuestion(asked, event));
  if (answered !== undefined) {
    const answer = await appender.content.read(answered.content.answer);
    if (!recorded.hasMore(frame.call)) await awaitReplay({ recorded, frame });
    return succeed(answer);
  }
  return wait(frame, question, { ...options, key, asked });
}

type Asked = EventOf<"question.asked">;

interface QuestionPlace extends TurnJournalOptions {
  readonly key: string;
}

async function ask(
  frame: Frame,
  question: Question,
  { recorded, appender, turn, key, ...options }: QuestionPlace,
): Promise<Outcome<JsonValue>> {
  const mayAsk = (await awaitReplay({ recorded, frame })) && !frame.branch.isStopped();
  if (!mayAsk) return { kind: "paused", isAsked: true };
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
  const { loop, version, to, role, excluded, withinMs, request, of } = question;
  const digest = digestOf(question, { ...options, recorded, appender, turn });
  const asked = appender.push((nowMs) => ({
    ...ownerOf({ turn, frame }),
    type: "question.asked",
    content: {
      key,
      loop,
      version,
      to,
      digest,
      ...(role === undefined ? {} : { role }),
      ...(excluded === undefined ? {} : { excluded }),
      ...(of === undefined ? {} : { claim: of.claim }),
      ...(withinMs === undefined ? {} : { decideBy: new Date(nowMs + withinMs).toISOString() }),
    },
    attached: { request },
  }));
  return pauseUntil(asked);
}

async function wait(
  frame: Frame,
  question: Question,
  { asked, key, recorded, appender, clock, turn }: QuestionPlace & { readonly asked: Asked },
): Promise<Outcome<JsonValue>> {
  const { decideBy } = asked.content;
  const isInTime =
    decideBy === undefined || Math.max(clock.now(), appender.lastMs()) <= Date.parse(decideBy);
  const isOpen = isInTime && !frame.isCancelled();
  if (isOpen || (await wasLeftBehind({ recorded, frame }))) return pauseUntil(asked);
  if (frame.isCancelled()) {
    if (!recorded.hasMore(frame.call)) await awaitReplay({ recorded, frame });
    return fail("CANCELLED", "the call was cancelled");
  }
  if (!(await awaitReplay({ recorded, frame })) || frame.branch.isStopped())
    return pauseUntil(asked);
  const { sequence, hash } = asked;
  appender.push(() => ({
    ...ownerOf({ turn, frame }),
    type: "approval.expired",
    content: { key, question: sequence, hash },
  }));
  return expired(question);
}

function pauseUntil({ content: { decideBy } }: Asked): Outcome<JsonValue> {
  if (decideBy === undefined) return { kind: "paused", isAsked: true };
  return { kind: "paused", isAsked: true, untilMs: Date.parse(decideBy) + 1 };
}

function expired({ loop }: Question): Outcome<JsonValue> {
  const message = `${loop} was not answered in time`;
  return fail("POLICY_DENIED", message, { denial: "approval-expired" });
}

function digestOf(question: Question, { appender }: TurnJournalOptions): ContentDigest {
  return appender.content.seal(question as unknown as JsonObject).digest;
}
