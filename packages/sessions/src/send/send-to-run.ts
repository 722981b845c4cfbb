/**
 * Messages from people to a run.
 *
 * Keys that clients make up are kept apart by person, so that no key collides with another
 * person's.
 */

import type { RunProjection } from "@turnseal/folds";
import type { SignalAnswer, UnknownAnswer } from "@turnseal/host";
import type { PutAnswer } from "@turnseal/ports";
import type { ApprovalChoice, JsonValue, Pattern, StandingTerms } from "@turnseal/protocol";
import { parseGenerationId } from "@turnseal/protocol/events";
import { describeQueued, findAwaitedProvider } from "@turnseal/views";
import { type Caller, isOperator } from "../caller.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { SessionHost } from "../session-host.ts";

export interface Told {
  readonly kind: "told";
  readonly status: "stored" | "known";
  /** The reason that its turn waits, in words; absent if it begins by itself. */
  readonly queued?: string;
  /** Of a signal: the id by which the log names it. */
  readonly message?: string;
}
export type Telling = Told | { readonly kind: "refused"; readonly refusal: Refusal };

export interface Word {
  readonly host: SessionHost;
  readonly run: string;
  readonly caller: Caller;
}

/** The signal that is a person's message. */
export const MESSAGE_SIGNAL = "message";

/** Puts a word into the inbox of a run that has not ended. */
async function tellRun(
  { host, run }: Word,
  put: () => Promise<PutAnswer | SignalAnswer | undefined>,
  findQueued: (before: RunProjection | undefined) => string | undefined = () => undefined,
): Promise<Telling> {
  const before = await host.show(run);
  if ((before?.stopped ?? null) !== null) return { kind: "refused", refusal: refuse("RUN_ENDED") };
  const answer = await put();
  if (answer === undefined) return { kind: "refused", refusal: refuse("PROVIDER_NOT_AWAITED") };
  if (answer.kind === "refused") return { kind: "refused", refusal: putRefusals[answer.reason] };
  host.lookAt?.(run);
  const queued = findQueued(before);
  return {
    ...{ kind: "told", status: answer.kind },
    ...(queued === undefined ? {} : { queued }),
    ...("message" in answer ? { message: answer.message } : {}),
  };
}

const putRefusals = {
  "other-message": refuse("MESSAGE_CONFLICT"),
  "too-large": refuse("BODY_TOO_LARGE"),
  unreadable: refuse("BODY_REFUSED", {
    message: "the text contains NUL or an invalid Unicode character",
  }),
  full: refuse("INBOX_FULL"),
  erased: refuse("RUN_ENDED", { message: "the content of the run was erased" }),
};

/** A message of a person is a signal of this name. */
export function sendMessage(word: Word, { text, key, files }: MessageToSend) {
  // A file of another run does not count: readers of the message look for it here.
  const payload = { text, ...(files === undefined ? {} : { files: files as JsonValue }) };
  return sendSignal(word, { name: MESSAGE_SIGNAL, payload, key });
}

interface MessageToSend {
  readonly text: string;
  readonly key: string;
  readonly files?: readonly object[] | undefined;
}

export function sendSignal(
  word: Word,
  { name, payload, key }: { name: string; payload: JsonValue; key: string },
): Promise<Telling> {
  const { host, run, caller } = word;
  const signal = { name, payload, key: keyOf(caller, key), by: caller.id };
  return tellRun(
    word,
    () => host.signal(run, signal),
    (before) => describeQueued(before, name),
  );
}

export interface DecisionBody {
  readonly approval: string;
  readonly choice: ApprovalChoice;
  readonly reason?: string | undefined;
  readonly arguments?: JsonValue;
  readonly standing?: GivenTerms | undefined;
  readonly pattern?: Readonly<Record<string, unknown>> | undefined;
}

interface GivenTerms extends Pick<StandingTerms, "uses" | "withinMs"> {
  readonly amounts?: Readonly<Record<string, number>> | undefined;
}

export function decideApproval(
  word: Word,
  { approval, reason, standing, pattern, ...decision }: DecisionBody,
): Promise<Telling> {
  const { host, run, caller } = word;
  const by = { id: caller.id, roles: caller.roles };
  const sent = {
    ...decision,
    by,
    ...(reason === undefined ? {} : { reason }),
    // The host holds both to their form.
    ...(standing === undefined ? {} : { standing: standing as StandingTerms }),
    ...(pattern === undefined ? {} : { pattern: pattern as Pattern }),
  };
  return tellRun(word, () => host.decide(run, approval, sent));
}

/** Ends an approval that stands. */
export function revokeStanding(
  word: Word,
  { standing }: { readonly standing: string },
): Promise<Telling> {
  const { host, run, caller } = word;
  const by = { id: caller.id, roles: caller.roles };
  return tellRun(word, () => host.revoke(run, standing, by));
}

export function answerQuestion(
  word: Word,
  { question, answer }: { readonly question: string; readonly answer: JsonValue },
): Promise<Telling> {
  const { host, run, caller } = word;
  const by = { id: caller.id, roles: caller.roles };
  return tellRun(word, () => host.answer(run, question, { answer, by }));
}

/** Resolves an unknown action; also of a stopped run. */
export async function resolveUnknown(
  word: Word,
  { key, ...answer }: ResolutionBody,
): Promise<Telling> {
  const { host, run, caller } = word;
  const by = { id: caller.id, roles: caller.roles };
  const told = await host.resolve(run, { ...answer, key, by });
  if (told.kind === "refused") return { kind: "refused", refusal: putRefusals[told.reason] };
  host.lookAt?.(run);
  return { kind: "told", status: told.kind };
}

export interface ResolutionBody extends Omit<UnknownAnswer, "by"> {
  readonly key: string;
}

/** Stops a generation: if it has ended meanwhile, neither it nor the next one changes. */
export async function abortGeneration(
  word: Word,
  { generationId, key }: { generationId: string; key: string },
): Promise<Telling> {
  const { host, run, caller } = word;
  const named = parseGenerationId(generationId);
  if (named === undefined || named.run !== run)
    return { kind: "refused", refusal: refuse("BODY_REFUSED", { message: OTHER_RUN }) };
  const projection = await host.show(run);
  if (projection !== undefined && findAwaitedProvider(projection) !== undefined)
    return { kind: "refused", refusal: refuse("GENERATION_ENDED", AWAITED) };
  if (projection !== undefined && projection.stopped === null) {
    const current = projection.openTurn?.turn ?? projection.turns + 1;
    if (named.turn !== current) return { kind: "refused", refusal: refuse("GENERATION_ENDED") };
  }
  const { turn } = named;
  return tellRun(word, () => host.cancel(run, { key: keyOf(caller, key), by: caller.id, turn }));
}

/** Between two turns there is none that a stop could reach. */
const AWAITED = {
  message: "nothing is being generated: the run waits for its provider",
  next: "POST /v1/runs/:run/retry asks the provider again",
};

/**
 * Asks the provider again that a run waits for. An operator alone lifts a quarantine: the run may
 * take further workers down, and they are those of all tenants.
 */
export function retryProvider(
  word: Word,
  { again = false }: { readonly again?: boolean | undefined },
): Promise<Telling> {
  const { host, run, caller } = word;
  const mayLift = isOperator(caller);
  return tellRun(word, () => host.retry(run, { by: caller.id, again, mayLift }));
}

/** Ends a run. The same person cancels a run once: repeating it is the same message. */
export function cancelRun(word: Word): Promise<Telling> {
  const { host, run, caller } = word;
  // No key that a client chooses for another word is this one.
  const key = JSON.stringify([caller.id]);
  return tellRun(word, () => host.cancel(run, { key, by: caller.id }));
}

const OTHER_RUN = "the generation is not one of this run";

/** The key of what a person says, as a host knows it. */
export function keyOf({ id }: Caller, key: string): string {
  return JSON.stringify([id, key]);
}
