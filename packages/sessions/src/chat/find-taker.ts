/**
 * Waits until the log of a run says which turn takes a message.
 *
 * It is not known earlier: other messages may be in front of it, and a turn may be tried again.
 * The wait ends without a turn if the run comes to rest and has not taken the message.
 */
import { type RunState, readEvents, readRunState } from "@turnseal/host";
import type { RunSpec } from "@turnseal/protocol";
import { followMessage, type MessageState } from "@turnseal/views";
import type { SessionHost } from "../session-host.ts";
import type { RunTail } from "../watch/run-tail.ts";

/** A message that was sent. */
export interface SentMessage {
  /** Its id, as the log names it. */
  readonly message: string;
  /** The log names it at this place or later. */
  readonly from: number;
  /** The specification of the run, where its start is before that place. */
  readonly spec?: RunSpec | undefined;
}

export type Taker =
  | Extract<MessageState, { readonly kind: "taken" | "refused" }>
  /** The run waits for something else first, or takes no turn for the message. */
  | { readonly kind: "rest"; readonly message: "queued" | "recorded" | "unknown" }
  | { readonly kind: "ended" }
  | { readonly kind: "blocked" };

export interface TakerSearch {
  /** Undefined where the search was left. */
  readonly found: Promise<Taker | undefined>;
  leave(): void;
}

interface WatchedRun {
  readonly host: SessionHost;
  readonly run: string;
  readonly tail: RunTail;
}

/** How long a blocked run may recover before the sender learns of it. */
export const BLOCKED_SETTLE_MS = 300;

export function findTaker({ host, run, tail }: WatchedRun, sent: SentMessage): TakerSearch {
  const bell = createBell();
  const readUpTo = followLog(host, run, sent);
  let isLeft = false;
  const find = async (): Promise<Taker | undefined> => {
    await tail.ready;
    const leaveTail = tail.join({
      event: () => {},
      delta: () => {},
      state: bell.ring,
      end: bell.ring,
    });
    try {
      while (!isLeft) {
        const state = await readRunState(host, run);
        const taker = await judge(host, run, { state, message: await readUpTo(state.sequence) });
        if (taker === "moved") continue;
        if (taker !== "moving") return taker;
        await bell.rung();
      }
      return undefined;
    } finally {
      leaveTail();
    }
  };
  return {
    found: find(),
    leave: () => {
      isLeft = true;
      bell.ring();
    },
  };
}

interface Known {
  readonly state: RunState;
  /** What became of the message up to this state. */
  readonly message: MessageState | undefined;
}

/** `moving` until there is something new to look at, and `moved` if there is by now. */
async function judge(
  host: SessionHost,
  run: string,
  { state, message }: Known,
): Promise<Taker | "moving" | "moved"> {
  if (message?.kind === "taken" || message?.kind === "refused") return message;
  if (state.status === "done") return { kind: "ended" };
  const hasMoved = async (): Promise<boolean> =>
    (await host.stores.log.readHead(run))?.sequence !== state.sequence;
  if (message === undefined) {
    // A worker that has what is missing takes the message in before the block ends.
    if (state.status === "running" || (await host.stores.inbox.has(run, "signal"))) return "moving";
    return (await hasMoved()) ? "moved" : { kind: "rest", message: "unknown" };
  }
  if (state.blocked !== undefined) {
    await new Promise((resume) => setTimeout(resume, BLOCKED_SETTLE_MS));
    return (await hasMoved()) ? "moved" : { kind: "blocked" };
  }
  return state.status === "running" ? "moving" : { kind: "rest", message: message.kind };
}

/** Reads the log once, from one look to the next. */
function followLog({ stores }: SessionHost, run: string, { message, from, spec }: SentMessage) {
  const follow = followMessage(message, spec);
  let next = from;
  let state: MessageState | undefined;
  return async (sequence: number): Promise<MessageState | undefined> => {
    if (next > sequence) return state;
    for await (const event of readEvents(stores.log, run, next)) {
      if (event.sequence > sequence) break;
      next = event.sequence + 1;
      state = follow(event);
    }
    return state;
  };
}

/** Remembers one ring until it is waited for. */
function createBell() {
  let isRung = false;
  let wake = (): void => {};
  return {
    ring: (): void => {
      isRung = true;
      wake();
    },
    rung: async (): Promise<void> => {
      if (!isRung)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      isRung = false;
    },
  };
}
