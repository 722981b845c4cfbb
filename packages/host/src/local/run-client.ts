/**
 * Starts, messages and reads runs, wherever they are driven: in this process, or by the workers of
 * an engine. It needs stores and loops, but no key: it executes no action and signs nothing.
 */

import type { RunProjection } from "@turnseal/folds";
import type { Registry } from "@turnseal/kernel";
import type { FileToTake, Inbox, PutAnswer, Stores } from "@turnseal/ports";
import type { JsonValue, LoopEvent } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { type FileRef, findFileType } from "@turnseal/protocol/files";
import type { MessageState } from "@turnseal/views";
import { bindClient, type ClientOptions } from "../bind-host.ts";
import type { ClientPorts } from "../host-ports.ts";
import { attachFiles } from "../messages/attach-files.ts";
import { checkAwaited } from "../messages/check-awaited.ts";
import { checkBrought } from "../messages/check-brought.ts";
import { findLift } from "../messages/find-lift.ts";
import { findTurnToRetry } from "../messages/find-turn-to-retry.ts";
import { isFirstMessage } from "../messages/first-message.ts";
import {
  type AnswerToSend,
  answerMessage,
  type CancelToSend,
  cancelMessage,
  type DecisionToSend,
  decideMessage,
  type RetryToSend,
  retryMessage,
  type SignalToSend,
  signalMessage,
  type UnknownAnswer,
} from "../messages/inbox-messages.ts";
import {
  checkAnswer,
  checkDecision,
  checkSignal,
  findRequest,
  listPersonRequests,
  type PersonRequest,
} from "../messages/requests.ts";
import { checkGiven } from "../messages/standing.ts";
import type { StartOptions } from "../messages/start-message.ts";
import { startRun } from "../messages/start-run.ts";
import { readMessage } from "../read/run/read-message.ts";
import { type FlowPart, readParts } from "../read/run/read-parts.ts";
import { checkResume, type ResumeCheck } from "../replay/check-resume.ts";
import { replayRun, type TurnReplay } from "../replay/replay-run.ts";
import { runOfKey } from "../run-ids.ts";
import { checkKnown } from "../state/find-run.ts";
import { readEvents } from "../state/load-projection.ts";
import { openPinnedLoops } from "../state/pinned-loops.ts";
import { readContent } from "../state/read-content.ts";
import { readRun } from "../state/read-run.ts";
import { registerPlanOf } from "../state/register-plan.ts";
import { keepRunFile } from "../stores/open-run-files.ts";
import { listRollback, type RollbackSearch } from "../undo/plan/list-rollback.ts";
import type { RollbackOptions } from "../undo/plan/prepare-rollback.ts";
import { proposeRollback, type RollbackAnswer } from "../undo/run/propose-rollback.ts";
import { readTriggered, type TriggeredRollback } from "../undo/run/trigger-rollback.ts";
import { checkIds } from "./check-ids.ts";
import { resolveAction } from "./resolve-action.ts";
import { openStanding, type StandingClient } from "./standing-client.ts";

export interface RunClientOptions extends ClientOptions {
  /** How a message reaches a run: by default straight into its inbox. */
  readonly put?: Inbox["put"];
}

export interface RunClient extends StandingClient {
  readonly registry: Registry;
  /** The cell that runs are started in, where there are some. */
  readonly cell?: string;
  /** Makes a run durable and answers with its id. It moves when it is advanced. */
  start<Input>(loop: Loop<Input, unknown>, input: Input, options: StartOptions): Promise<string>;
  /** True for the key of a message with which the run was to be started. */
  isFirstMessage(run: string, message: string): Promise<boolean>;
  /** Sends a signal; `showMessage` says later which turn has taken it. */
  signal(run: string, signal: SignalToSend): Promise<SignalAnswer>;
  /**
   * What became of a signal, by the message id that `signal` returned; undefined as long as the log
   * does not name it. The log alone decides which turn takes it: retries may come first.
   */
  showMessage(run: string, message: string): Promise<MessageState | undefined>;
  cancel(run: string, cancel: CancelToSend): Promise<PutAnswer>;
  /**
   * Has a run ask its provider again now if it waits for one; undefined if it does not. If that
   * repeats actions (`repeats` of the provider), `again` must be set.
   */
  retry(run: string, retry: RetryWord): Promise<PutAnswer | undefined>;
  /** Stores a file of a run that there is, which a payload or an answer may then name. */
  keepFile(run: string, file: FileToTake): Promise<FileRef>;
  /** Stores a file for a start with this key, before it, whose input may then name it. */
  keepStartFile(key: string, file: FileToTake): Promise<FileRef>;
  /** A file of a run, by its digest; undefined if it has none. */
  readFile(run: string, digest: string): Promise<RunFile | undefined>;
  /**
   * A person's answer on an unknown action, also of a run that has stopped. There the first answer
   * counts, and a later one is refused with `CLAIM_NOT_UNKNOWN`.
   */
  resolve(run: string, answer: UnknownAnswer & { readonly key: string }): Promise<PutAnswer>;
  /** Lists what waits for a person: open approvals and questions, and actions that are unknown. */
  requests(run: string): Promise<readonly PersonRequest[]>;
  /** A person's decision on an approval, named by its id. */
  decide(run: string, approval: string, decision: DecisionToSend): Promise<PutAnswer>;
  /** A person's answer to a question, named by its id. */
  answer(run: string, question: string, answer: AnswerToSend): Promise<PutAnswer>;
  /**
   * Returns the changes since the run was started, and its open actions; undefined for a run that
   * has not begun.
   */
  checkResume(run: string): Promise<ResumeCheck | undefined>;
  /** Runs every closed turn again from its record, and compares. */
  replay(run: string): AsyncGenerator<TurnReplay>;
  /**
   * Lists what a rollback of the run takes back and leaves, or why no rollback is possible. Changes
   * nothing.
   */
  listRollback(run: string, toTurn?: number): Promise<RollbackSearch>;
  /**
   * Proposes a rollback: starts its run, which waits for an approval. Repeated, it is the same one.
   */
  rollback(run: string, options: RollbackOptions): Promise<RollbackAnswer>;
  /**
   * The state of the rollback that a run starts by itself; undefined if it starts none. Changes
   * nothing.
   */
  triggered(run: string): Promise<TriggeredRollback | undefined>;
  /** The state of a run, or undefined when there is none. */
  show(run: string): Promise<RunProjection | undefined>;
  events(run: string, from?: number): AsyncGenerator<LoopEvent>;
  /** Reads the output of the run's last turn if it completed, as the type of the loop. */
  readOutput<Output>(loop: Loop<never, Output>, run: string): Promise<Output | undefined>;
  /** Reads the results of the flow parts of its latest turn; empty if the loop is no flow. */
  readParts(run: string): Promise<readonly FlowPart[]>;
}

/** The answer to a signal: with the id by which the log names it, unless it is refused. */
export type SignalAnswer =
  | (Exclude<PutAnswer, { kind: "refused" }> & { readonly message: string })
  | Extract<PutAnswer, { kind: "refused" }>;

export interface RetryWord extends Omit<RetryToSend, "turn" | "since"> {
  /** False for a person who may not lift a quarantine. */
  readonly mayLift?: boolean;
}

export interface RunFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Binds loops and stores into a client of runs. */
export function createRunClient(options: RunClientOptions): RunClient {
  return checkIds(clientOf(bindClient(options), options));
}

/** The client of a host that was bound before. */
export function clientOf(
  ports: ClientPorts,
  options: Pick<RunClientOptions, "put"> & { readonly isCarrier?: boolean } = {},
): RunClient {
  const { stores, registry, cell } = ports;
  const { put = stores.inbox.put, isCarrier = false } = options;
  return {
    ...{ registry, ...rollbacksOf({ ...ports, put }), ...partsOf(stores) },
    ...openStanding({ ...ports, put }),
    ...(cell === undefined ? {} : { cell }),
    start: async (loop, input, start) => {
      // The process that drives the run must have its tools and models, not this one.
      if (isCarrier) checkBrought(loop, start, ports);
      return startRun(loop, { input, start }, { ...ports, put });
    },
    isFirstMessage: (run, message) => isFirstMessage(run, message, stores),
    signal: (run, signal) => putSignal(run, signal, { ...ports, put }),
    showMessage: (run, message) => readMessage(stores, run, message),
    keepFile: async (run, file) => {
      await checkKnown(run, stores);
      return keepRunFile(run, file, ports);
    },
    keepStartFile: (key, file) => keepRunFile(runOfKey(key, cell), file, ports),
    readFile: async (run, digest) => {
      const bytes = await stores.blobs.read(run, digest);
      const mediaType = bytes === undefined ? undefined : findFileType(bytes);
      // Other content of the run is never served as a file.
      return bytes === undefined || mediaType === undefined ? undefined : { bytes, mediaType };
    },
    cancel: (run, cancel) => put(cancelMessage(run, cancel)),
    retry: async (run, { by, again = false, mayLift = true }) => {
      const projection = await readRun(stores, run);
      const turn = findLift(projection, mayLift) ?? findTurnToRetry(projection, again);
      return turn === undefined ? undefined : put(retryMessage(run, { ...turn, by, again }));
    },
    resolve: (run, answer) =>
      resolveAction(run, answer, { ports, put, isCarried: options.put !== undefined }),
    requests: async (run) => listPersonRequests(await readRun(stores, run), stores),
    decide: async (run, approval, decision) => {
      const projection = await readRun(stores, run);
      const request = findRequest(projection, "approval", approval);
      checkDecision((await portsOf(projection, ports)).registry, request, decision);
      if (projection !== undefined) await checkGiven(projection, request, decision, stores);
      return put(decideMessage(run, request, decision));
    },
    answer: (run, question, answer) => putAnswer({ run, question, answer }, { ...ports, put }),
    checkResume: async (run) => {
      const projection = await readRun(stores, run);
      if (projection === undefined || projection.spec === null) return undefined;
      const own = await portsOf(projection, ports);
      return checkResume({ ...projection, spec: projection.spec }, own);
    },
    replay: async function* (run) {
      yield* replayRun(run, await portsOf(await readRun(stores, run), ports));
    },
    show: (run) => readRun(stores, run),
    events: (run, from = 1) => readEvents(stores.log, run, from),
    readOutput: async <Output>({ definition }: Loop<never, Output>, run: string) => {
      const projection = await readRun(stores, run);
      if (projection?.spec?.loop !== definition.id) return undefined;
      // The kernel validated it by the loop's own schema, from which `Output` was inferred.
      return (await readLastOutput(stores, projection)) as Output | undefined;
    },
  };
}

/** The same with the loops that a run was started with, where those of this process are others. */
async function portsOf<Ports extends Pick<ClientPorts, "registry" | "stores">>(
  projection: RunProjection | undefined,
  ports: Ports,
): Promise<Ports> {
  if (projection === undefined) return ports;
  return { ...ports, registry: await openPinnedLoops(projection, ports) };
}

async function putSignal(
  run: string,
  { files, ...signal }: SignalToSend,
  { put, ...ports }: ClientPorts & Pick<Inbox, "put">,
): ReturnType<RunClient["signal"]> {
  const { stores } = ports;
  checkSignal(signal);
  if (files !== undefined) await checkKnown(run, stores);
  const { value, store } = await attachFiles(signal.payload, files, { run, ...ports });
  // The files are attached to a copy of the payload.
  const given = { ...signal, payload: value as JsonValue };
  const projection = await readRun(stores, run);
  await checkAwaited({ run, projection }, given, await portsOf(projection, ports));
  await store();
  const message = signalMessage(run, given);
  const answer = await put(message);
  return answer.kind === "refused" ? answer : { ...answer, message: message.key };
}

async function putAnswer(
  { run, question, answer }: Spoken,
  { put, ...ports }: ClientPorts & Pick<Inbox, "put">,
): ReturnType<RunClient["answer"]> {
  const projection = await readRun(ports.stores, run);
  const request = findRequest(projection, "question", question);
  // The plan itself says what its questions are.
  if (projection !== undefined) await registerPlanOf(projection, ports);
  const asked =
    request.request === null ? undefined : await readContent(ports.stores, run, request.request);
  checkAnswer((await portsOf(projection, ports)).registry, { ...request, asked }, answer);
  return put(answerMessage(run, request, answer));
}

interface Spoken {
  readonly run: string;
  readonly question: string;
  readonly answer: AnswerToSend;
}

function rollbacksOf(
  ports: ClientPorts & Pick<Inbox, "put">,
): Pick<RunClient, "listRollback" | "rollback" | "triggered"> {
  return {
    triggered: async (run) => {
      const projection = await readRun(ports.stores, run);
      return projection && readTriggered(projection, ports);
    },
    listRollback: (run, toTurn = 0) => listRollback({ run, toTurn }, ports),
    rollback: (run, options) => proposeRollback(run, options, ports),
  };
}

function partsOf(stores: Stores): Pick<RunClient, "readParts"> {
  return {
    readParts: async (run) => {
      const projection = await readRun(stores, run);
      return projection === undefined ? [] : readParts(stores, projection);
    },
  };
}

async function readLastOutput(
  stores: Stores,
  { run, lastTurn }: RunProjection,
): Promise<JsonValue | undefined> {
  const output = lastTurn?.output ?? null;
  return output === null ? undefined : readContent(stores, run, output);
}
