/**
 * One worker on its way through one call of `advance`.
 *
 * It can be stopped at every gate: each store operation and each act on the outside waits there
 * until the simulation opens it. A crashed worker never passes a gate again, and none of its timers
 * fires; a frozen one goes on when it wakes.
 */
import {
  type Append,
  type Clock,
  type InboxMessage,
  type PutAnswer,
  StoreError,
  type Stores,
} from "@turnseal/ports";
import type { BlockCause } from "@turnseal/protocol";
import type { SimulatedPolicy } from "./rules.ts";

export interface Gate {
  readonly what: string;
  /** Does what waits behind the gate, and lets the worker go on. */
  open(): Promise<void>;
  /** Does what waits behind the gate; the worker does not hear of it. */
  openUnheard(): Promise<void>;
  /** Lets the worker go on with an error. */
  refuse(error: Error): void;
}

export interface Attempt extends AttemptPlace {
  readonly clock: Clock;
  readonly gates: readonly Gate[];
  epoch: number;
  state(): "running" | "frozen" | "crashed" | "ended";
  /** Waits at a gate, then does it. */
  pass<Value>(what: string, operate: () => Value | Promise<Value>): Promise<Value>;
  freeze(): void;
  wake(): void;
  crash(): void;
  end(): void;
}

export interface AttemptPlace {
  readonly worker: number;
  /** The run that it advances. */
  readonly run: string;
  /** The rules of the day on which it began. */
  readonly today: SimulatedPolicy | undefined;
  /** The part that the worker was deployed without. */
  readonly lack: BlockCause | undefined;
}

export function createAttempt(place: AttemptPlace, world: Clock): Attempt {
  const gates: Gate[] = [];
  const late: (() => void)[] = [];
  let state: ReturnType<Attempt["state"]> = "running";
  const clock: Clock = {
    now: world.now,
    after: (delayMs, callback) => {
      let isCancelled = false;
      const fire = (): void => {
        if (isCancelled || state === "crashed") return;
        if (state === "frozen") late.push(fire);
        else callback();
      };
      const stop = world.after(delayMs, fire);
      return () => {
        isCancelled = true;
        stop();
      };
    },
  };
  return {
    ...place,
    clock,
    gates,
    epoch: 0,
    state: () => state,
    pass: (what, operate) =>
      new Promise((resolve, reject) => {
        if (state === "crashed") return;
        const leave = (gate: Gate): void => {
          const index = gates.indexOf(gate);
          // Whose answer is lost leaves twice: it must not take another's place with it.
          if (index >= 0) gates.splice(index, 1);
        };
        gates.push(createGate({ what, operate, resolve, reject, leave }));
      }),
    freeze: () => {
      state = "frozen";
    },
    wake: () => {
      state = "running";
      for (const fire of late.splice(0)) fire();
    },
    crash: () => {
      state = "crashed";
      gates.length = 0;
    },
    end: () => {
      if (state !== "crashed") state = "ended";
    },
  };
}

interface GateParts<Value> {
  readonly what: string;
  readonly operate: () => Value | Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
  readonly leave: (gate: Gate) => void;
}

function createGate<Value>({ what, operate, resolve, reject, leave }: GateParts<Value>): Gate {
  const gate: Gate = {
    what,
    open: async () => {
      leave(gate);
      try {
        resolve(await operate());
      } catch (error) {
        reject(error);
      }
    },
    openUnheard: async () => {
      leave(gate);
      try {
        await operate();
      } catch {
        // The caller is gone.
      }
    },
    refuse: (error) => {
      leave(gate);
      reject(error);
    },
  };
  return gate;
}

export interface GateWatch {
  readonly onEpoch: (epoch: number) => void;
  readonly onAppend: (append: Append) => void;
  readonly onPut: (message: InboxMessage, answer: PutAnswer) => void;
}

/** The stores as the worker sees them: every operation that matters waits at a gate. */
export function gateStores(
  { log, inbox, blobs, receipts, runs }: Stores,
  attempt: Attempt,
  watch: GateWatch,
): Stores {
  const { pass } = attempt;
  return {
    log: {
      takeEpoch: (run) =>
        pass("takeEpoch", async () => {
          const taken = await log.takeEpoch(run);
          attempt.epoch = taken.epoch;
          watch.onEpoch(taken.epoch);
          return taken;
        }),
      append: (append) =>
        pass("append", async () => {
          const answer = await log.append(append);
          if (answer.kind === "appended") watch.onAppend(append);
          return answer;
        }),
      read: (run, from, limit) => pass("read", () => log.read(run, from, limit)),
      readHead: (run) => pass("readHead", () => log.readHead(run)),
    },
    inbox: {
      put: (message) =>
        pass("put", async () => {
          const answer = await inbox.put(message);
          watch.onPut(message, answer);
          return answer;
        }),
      peek: (run, kind) => pass("peek", () => inbox.peek(run, kind)),
      has: (run, kind) => pass("has", () => inbox.has(run, kind)),
      listTold: (after) => inbox.listTold(after),
    },
    blobs,
    receipts: {
      read: (run, turn) => pass("receipt", () => receipts.read(run, turn)),
      list: receipts.list,
    },
    runs: { ...runs, read: (run) => pass("snapshot", () => runs.read(run)) },
  };
}

export function diskFull(): Error {
  return new StoreError("STORE_FULL", "the disk is full");
}

export function answerLost(): Error {
  return new StoreError("STORE_UNREACHABLE", "the connection broke while the answer was awaited");
}
