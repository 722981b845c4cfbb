/**
 * A session for a program outside of the server. It connects, stays connected, and folds the stream
 * into the shown state. Closing it only stops watching.
 */
import type { FileRef } from "@turnseal/protocol/files";
import { applyDelta } from "./session/apply-delta.ts";
import { applyEnvelope } from "./session/apply-envelope.ts";
import { applyStatus } from "./session/apply-status.ts";
import { listItems } from "./session/list-items.ts";
import {
  emptySession,
  type OpenRequest,
  type RunStatus,
  type SessionItem,
  type SessionState,
} from "./session/session-state.ts";
import type { Backoff } from "./wire/backoff.ts";
import type { Frame } from "./wire/parse-frame.ts";
import { type Command, type CommandAnswer, postCommand } from "./wire/post-command.ts";
import type { ServerAddress } from "./wire/server-address.ts";
import {
  type DownloadAnswer,
  downloadFile,
  type FileToUpload,
  type UploadAnswer,
  uploadFile,
} from "./wire/transfer-file.ts";
import { type Connection, watchStream } from "./wire/watch-stream.ts";

export interface SessionClientOptions extends ServerAddress {
  readonly backoff?: Backoff;
  /** Milliseconds without a word after which the connection counts as lost. */
  readonly silenceMs?: number;
}

/** The shown state of a session. */
export interface SessionView {
  readonly items: readonly SessionItem[];
  /** Absent until the server has told it. */
  readonly status?: RunStatus["status"];
  /** Why the run has stopped. */
  readonly stopped?: string;
  /** The requests that wait for a person. */
  readonly requests: readonly OpenRequest[];
  /** The latest generation: `abort` stops it. */
  readonly generationId?: string;
  readonly connection: Connection;
}

export interface Decision {
  /** The id of the open request. */
  readonly approval: string;
  readonly choice: "approve" | "reject" | "edit";
  readonly reason?: string;
  /** With `edit`: the new arguments of the tool. */
  readonly arguments?: unknown;
}

export interface Answer {
  readonly question: string;
  readonly answer: unknown;
}

export interface UnknownResolution {
  /** The id of the request of the kind `unknown`. */
  readonly key: string;
  /** One of its `answers`. */
  readonly resolution: string;
  /** With `happened`: what the tool would have answered. */
  readonly result?: unknown;
}

export interface SessionClient {
  /** Begins to watch; connected already, it does nothing. */
  connect(): void;
  /** Stops watching. The state stays, and `connect` goes on from there. */
  close(): void;
  /** The same object until something changes. */
  state(): SessionView;
  /** Calls the listener after each change; what is returned ends that. */
  subscribe(listener: () => void): () => void;
  /**
   * Sends a message to the run. It is repeated under one key until the server answers. To try again
   * later without sending it twice, pass a key of your own, and the same one again.
   */
  send(text: string, key?: string, files?: readonly FileRef[]): Promise<CommandAnswer>;
  /** Gives the run a file, which `send` can then name. */
  upload(file: FileToUpload): Promise<UploadAnswer>;
  /** The bytes of a file of the run. They are hostile: show an image, open nothing. */
  download(file: FileRef): Promise<DownloadAnswer>;
  decide(decision: Decision): Promise<CommandAnswer>;
  answer(answer: Answer): Promise<CommandAnswer>;
  /** Says whether an action happened: a request of the kind `unknown`, by its id. */
  resolve(resolution: UnknownResolution): Promise<CommandAnswer>;
  /** Stops a generation, without a name the last one. */
  abort(generationId?: string): Promise<CommandAnswer>;
}

/**
 * Makes a client of one run. It sends no request before `connect`.
 *
 * @example
 * const client = createSessionClient({ url: "https://agents.example", run, token });
 * client.subscribe(() => render(client.state()));
 * client.connect();
 * await client.send("Where is my order?");
 */
export function createSessionClient(options: SessionClientOptions): SessionClient {
  const { backoff, silenceMs, ...address } = options;
  const listeners = new Set<() => void>();
  let session = emptySession(options.run);
  let connection: Connection = { kind: "closed" };
  let view = viewOf(session, connection);
  let watching: AbortController | undefined;

  const change = (next: SessionState, nextConnection: Connection): void => {
    if (next === session && nextConnection === connection) return;
    session = next;
    connection = nextConnection;
    view = viewOf(session, connection);
    for (const listener of [...listeners]) listener();
  };
  // A command outlives the view: a person who closes it has still pressed the button.
  const post = (path: Command["path"], body: object): Promise<CommandAnswer> =>
    postCommand(address, { path, body, backoff });
  return {
    connect: () => {
      if (watching !== undefined) return;
      const controller = new AbortController();
      watching = controller;
      const done = (): void => {
        if (watching === controller) watching = undefined;
      };
      watchStream(address, {
        backoff,
        silenceMs,
        signal: controller.signal,
        take: (frames) => change(frames.reduce(applyFrame, session), connection),
        after: () => session.events.at(-1)?.id,
        isOver: () => session.status?.status === "done",
        changed: (next) => change(session, next),
      }).then(done, done);
    },
    close: () => {
      watching?.abort();
      watching = undefined;
      if (connection.kind !== "closed") change(session, { kind: "closed" });
    },
    state: () => view,
    subscribe: (listener) => {
      // A function of its own, so that a listener that was added twice is called twice, and removed
      // twice.
      const told = (): void => listener();
      listeners.add(told);
      return () => listeners.delete(told);
    },
    send: (text, key = createKey(), files) =>
      post("messages", { text, key, ...(files === undefined ? {} : { files }) }),
    upload: (file) => uploadFile(address, file),
    download: (file) => downloadFile(address, file),
    decide: (decision) => post("decisions", decision),
    answer: (answer) => post("answers", answer),
    resolve: (resolution) => post("resolutions", resolution),
    abort: async (generationId = view.generationId) =>
      generationId === undefined
        ? { kind: "refused", refusal: nothingToAbort }
        : post("abort", { generationId, key: createKey() }),
  };
}

const nothingToAbort = {
  status: 0,
  code: "NO_GENERATION",
  message: "no generation of this run has been heard of",
};

function applyFrame(state: SessionState, frame: Frame): SessionState {
  if (frame.kind === "event") return applyEnvelope(state, frame.event);
  if (frame.kind === "delta") return applyDelta(state, frame.delta);
  return applyStatus(state, frame.status);
}

function viewOf(session: SessionState, connection: Connection): SessionView {
  const { status, stopped, requests = [] } = session.status ?? {};
  const generationId =
    session.partials.at(-1)?.generationId ??
    session.events.findLast((event) => event.generationId !== undefined)?.generationId;
  return {
    items: listItems(session),
    ...(status === undefined ? {} : { status }),
    ...(stopped === undefined ? {} : { stopped }),
    requests,
    ...(generationId === undefined ? {} : { generationId }),
    connection,
  };
}

/** Names what a person did once, so that it counts once. */
function createKey(): string {
  // Not randomUUID, which browsers have on secure pages only.
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
