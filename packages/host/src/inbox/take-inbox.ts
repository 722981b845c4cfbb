/**
 * Moves messages to the run from its inbox into its log. Only the owner of the epoch does so; the
 * rows are marked in the same append.
 */

import type { RunProjection } from "@turnseal/folds";
import type { Appender, Content, CopiedThreads, EventDraft, Registry } from "@turnseal/kernel";
import {
  INBOX_KINDS,
  INBOX_READ_MAX,
  type InboxMessage,
  type InboxRow,
  type Roots,
  type Stores,
} from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { draftSignalled, findWait } from "./answer-waits.ts";
import { canJudge, draftAnswer, draftDecision, findRequest, isOfTool } from "./draft-decision.ts";
import {
  draftFileAnswer,
  type FileAnswerTarget,
  type FileRow,
  isFileAnswer,
} from "./draft-file-answer.ts";
import { draftResolution } from "./draft-resolution.ts";
import { draftResult } from "./draft-result.ts";
import { draftRetry } from "./draft-retry.ts";
import { draftRevocation } from "./draft-revocation.ts";
import { draftStart } from "./draft-start.ts";
import { NOTHING_GIVEN, readGivenThreads } from "./given-threads.ts";
import { actorOf, isSignalName, isValue, refused } from "./inbox-row.ts";
import { hasSignalRoom, listFeedback } from "./signal-room.ts";

interface InboxTarget {
  readonly appender: Appender;
  readonly stores: Pick<Stores, "inbox" | "log" | "blobs">;
  readonly projection: () => RunProjection;
  readonly registry: Registry;
  /** The roots of files that are bound here. */
  readonly roots?: Roots | undefined;
}

interface FirstLook extends InboxTarget {
  /** The rows of the first look, if known. Without them, the inbox is read. */
  readonly seen?: readonly InboxRow[] | undefined;
  /** True if a start may be written with what follows from it at once. */
  readonly joins?: boolean;
}

/**
 * Takes in every waiting row and makes them durable, so that the log can be read. Returns `left` if
 * a row waits for a worker that has its loop.
 */
export async function takeInbox({
  appender,
  stores,
  projection,
  registry,
  roots,
  seen,
  joins = false,
}: FirstLook): Promise<"taken" | "left"> {
  const { inbox } = stores;
  const takeRows = async (rows: readonly InboxRow[]): Promise<Taken> => {
    const judged = rows.filter((row) => canJudge(row, projection(), registry));
    for (const row of judged) {
      if (isFileAnswer(row)) continue;
      const isFirst = projection().spec === null;
      const { content } = appender;
      const given = isFirst
        ? await readGivenThreads(row, { stores, registry, content })
        : NOTHING_GIVEN;
      const draft =
        given === undefined
          ? refused(row, "thread-unreadable")
          : toEvent(row, projection(), {
              ...{ registry, given },
              asked: await readAsked(row, projection(), content),
            });
      await pushWithAnswer(draft, row, { appender, projection, registry });
      appender.consume(row.key);
    }
    const isJoined = joins && isPlainStart(judged, projection());
    const words = judged.filter(isFileAnswer);
    if (judged.length > words.length && !isJoined) await appender.flush();
    const waiting = await takeFileAnswers(words, { appender, stores, projection, roots });
    const took = judged.length - waiting;
    // An answer about files that waits for its root is for another worker: a waiting turn stays as
    // it is.
    return { isFull: rows.length === INBOX_READ_MAX, took, seen: rows.length - waiting };
  };
  const take = async (kind?: InboxMessage["kind"]): Promise<Taken> =>
    takeRows(await inbox.peek(appender.run, kind));
  let last = seen === undefined ? await take() : await takeRows(seen);
  // One look reads a bounded number: the rest would be left behind.
  while (last.isFull && last.took > 0) last = await take();
  if (last.isFull) await takeBehind(take);
  return last.took < last.seen ? "left" : "taken";
}

/**
 * Takes in answers about files after all other messages: a folder is outside, and its problems must
 * not delay a cancel. Returns how many wait for a worker with their root.
 */
async function takeFileAnswers(
  words: readonly FileRow[],
  target: FileAnswerTarget,
): Promise<number> {
  let waiting = 0;
  for (const row of words) {
    const word = await draftFileAnswer(row, target);
    waiting += word === undefined ? 1 : 0;
    if (word === undefined) continue;
    target.appender.push(() => word);
    target.appender.consume(row.key);
    // The next is about what this one has left.
    await target.appender.flush();
  }
  return waiting;
}

/** The content of a tool's question: the schema of its answer is in it. */
async function readAsked(
  { kind, body }: InboxRow,
  { openTurn }: RunProjection,
  content: Content,
): Promise<JsonValue | undefined> {
  if (kind !== "answer") return undefined;
  const request = findRequest(openTurn, "question", body["question"]);
  if (request === undefined || request.request === null || !isOfTool(request)) return undefined;
  return content.read(request.request);
}

/** A signal that a wait of the open turn is for names it, and its answer follows at once. */
async function pushWithAnswer(
  draft: EventDraft,
  row: InboxRow,
  { appender, projection, registry }: Pick<InboxTarget, "appender" | "projection" | "registry">,
): Promise<void> {
  const { openTurn } = projection();
  const { receivedAt, body } = row;
  const { payload = null } = body;
  const given = draft.type === "signal.received" && draft.content.kind === "signal";
  const name = given ? draft.content.name : undefined;
  const wait =
    name === undefined
      ? undefined
      : await findWait({ name, payload, receivedAt }, { appender, projection });
  if (!given || wait === undefined || openTurn === null) {
    const isTaken = name === undefined || hasSignalRoom(projection(), name, registry);
    appender.push(() => (isTaken ? draft : refused(row, "signals-full")));
    return;
  }
  const content = { ...draft.content, wait: wait.sequence };
  const { sequence: signal, actor } = appender.push(() => ({ ...draft, content }));
  const answer = draftSignalled(openTurn, wait, { actor, signal, payload, receivedAt });
  appender.push(() => answer);
}

/**
 * True for a start alone whose log is not read: its content is at hand, and its row waits until it
 * is written. Guidance is read from the store, to be held to what was pinned.
 */
function isPlainStart(
  [row, ...others]: readonly InboxRow[],
  { spec, threads, guidance }: RunProjection,
): boolean {
  if (row?.kind !== "start" || others.length > 0) return false;
  return spec !== null && guidance === null && Object.keys(threads).length === 0;
}

interface Taken {
  readonly isFull: boolean;
  readonly took: number;
  readonly seen: number;
}

/** Rows that are left must not block others: rows behind them are taken, too. */
async function takeBehind(take: (kind: InboxMessage["kind"]) => Promise<Taken>): Promise<void> {
  for (const kind of INBOX_KINDS) {
    let last = await take(kind);
    while (last.isFull && last.took > 0) last = await take(kind);
  }
}

/**
 * Takes in a waiting cancel and makes it durable: of this turn, or of the run. Cancels of earlier
 * turns are taken in, too, as refused: they must not hide one that counts. Other rows stay until
 * the turn is over, except those that `takeFeedback` takes.
 */
export async function takeCancel({
  appender,
  stores: { inbox },
  projection,
  registry,
}: InboxTarget): Promise<boolean> {
  if (!(await inbox.has(appender.run, "cancel"))) return false;
  const cancels = await inbox.peek(appender.run, "cancel");
  const [first] = cancels.filter((row) => isFor(row, projection()));
  const taken = cancels.filter((row) => row === first || !isFor(row, projection()));
  for (const row of taken) {
    const draft = toEvent(row, projection(), { registry });
    appender.push(() => draft);
    appender.consume(row.key);
  }
  if (taken.length > 0) await appender.flush();
  return first !== undefined;
}

/** Takes in the signals that prompts of the run read while they work. */
export async function takeFeedback({
  appender,
  stores: { inbox },
  projection,
  registry,
}: InboxTarget): Promise<void> {
  const names = listFeedback(projection(), registry);
  if (names.size === 0 || !(await inbox.has(appender.run, "signal"))) return;
  const rows = (await inbox.peek(appender.run, "signal")).filter(
    ({ body: { name } }) => typeof name === "string" && names.has(name),
  );
  for (const row of rows) {
    const draft = toEvent(row, projection(), { registry });
    await pushWithAnswer(draft, row, { appender, projection, registry });
    appender.consume(row.key);
  }
  if (rows.length > 0) await appender.flush();
}

/** Takes in the revocations that wait: no later claim of the turn draws on what they end. */
export async function takeRevocations(target: InboxTarget): Promise<void> {
  const { appender, stores, projection, registry } = target;
  if (!(await stores.inbox.has(appender.run, "revoke"))) return;
  const rows = await stores.inbox.peek(appender.run, "revoke");
  for (const row of rows) {
    const draft = toEvent(row, projection(), { registry });
    appender.push(() => draft);
    appender.consume(row.key);
  }
  if (rows.length > 0) await appender.flush();
}

interface Surroundings {
  readonly registry: Registry;
  /** The threads of a start. */
  readonly given?: CopiedThreads;
  /** The question of a tool, for an answer to one. */
  readonly asked?: JsonValue | undefined;
}

function toEvent(
  row: InboxRow,
  run: RunProjection,
  { registry, given, asked }: Surroundings,
): EventDraft {
  const { kind, key, body, receivedAt } = row;
  const turn = run.openTurn === null ? {} : { turn: run.openTurn.turn };
  switch (kind) {
    case "start":
      return draftStart(row, run, given ?? NOTHING_GIVEN);
    case "cancel":
      if (!isFor(row, run)) return refused(row, "that turn is not open");
      return {
        type: "signal.received",
        actor: actorOf(body),
        ...turn,
        content: { kind, key, receivedAt, ...(body["turn"] === undefined ? {} : turnScope) },
      };
    case "retry":
      return draftRetry(row, run);
    case "signal": {
      const { name, payload = null } = body;
      if (!isSignalName(name) || !isValue(payload)) return refused(row, "signal-unreadable");
      return {
        type: "signal.received",
        actor: actorOf(body),
        ...turn,
        content: { kind, key, receivedAt, name },
        attached: { payload },
      };
    }
    case "resolve":
      return draftResolution(row, run);
    case "revoke":
      return draftRevocation(row, run);
    case "decide":
      return draftDecision(row, run, registry);
    case "answer":
      return draftAnswer(row, run.openTurn, { registry, asked });
    case "result":
      return draftResult(row, run.openTurn);
    case "reconcile":
    case "adopt":
      // The files were checked before this call: see `draftFileAnswer`.
      return refused(row, "no files can be looked at here");
  }
}

const turnScope = { scope: "turn" } as const;

/** True for a cancel of the run, and for one of the very turn that is open. */
function isFor({ body }: InboxRow, { openTurn }: RunProjection): boolean {
  return body["turn"] === undefined || body["turn"] === openTurn?.turn;
}
