/**
 * Has a worker leave its address if it refuses the engine. With others behind the same address, it
 * would get requests again and again, while the others are idle.
 *
 * 1. Only refusals in a row count: one accepted request resets the count.
 * 2. A request without a token, or with a forged one of a key that is known, counts for nothing.
 * 3. Once a known engine has asked, only refusals from its address count: any client can name an
 *    unknown key, or send an old token again.
 * 4. It comes back after a while and tries again. The next refusal sends it away for longer.
 */
import type { SignatureJudgement } from "../judge-signature.ts";
import type { Asker } from "../serve-runs.ts";
import type { LogFacts, WorkerLog } from "../worker-log.ts";

/** After so many refused signatures in a row a worker leaves its address. */
export const REFUSED_MAX = 5;
/** How long it stays away at first, and at most: a probe of liveness waits for longer. */
export const AWAY_MS_MIN = 10_000;
export const AWAY_MS_MAX = 30_000;
/** Addresses of engines that are known; with more, the oldest goes. */
export const ENGINES_MAX = 64;

export interface Refusals {
  /** Called for each request before it is worked on. */
  onRequest(asker: Asker): void;
  /** Called for each refused request. */
  onRefused(asker: Asker): void;
  /** Why requests are refused since the last accepted one; undefined if none was. */
  whyRefused(): string | undefined;
  /** Whether the worker has left since the last request that was taken. */
  hasLeftOnce(): boolean;
  /** Whether it is away now. */
  isAway(): boolean;
  close(): void;
}

export interface RefusalParts {
  readonly judge: (token: unknown) => SignatureJudgement;
  /** Stops listening, and sends connected clients elsewhere. */
  readonly leave: () => void;
  /** Listens again; fails where that cannot be. */
  readonly listen: () => Promise<void>;
  readonly log: WorkerLog;
}

type Reason = Extract<SignatureJudgement, { kind: "clock" | "key" }>;

export function watchRefusals({ judge, leave, listen, log }: RefusalParts): Refusals {
  const state: { count: number; isAway: boolean; awayMs: number; reason?: Reason } = {
    ...{ count: 0, isAway: false, awayMs: AWAY_MS_MIN },
  };
  const engines = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const comeBack = (): void => {
    void listen().then(
      () => {
        state.isAway = false;
        log.say("info", "worker.returned");
      },
      () => stayAway(),
    );
  };
  const stayAway = (): void => {
    timer = setTimeout(comeBack, state.awayMs);
    timer.unref();
    state.awayMs = Math.min(2 * state.awayMs, AWAY_MS_MAX);
  };
  return {
    onRequest: ({ token, address }) => {
      if (state.count === 0 && engines.has(address)) return;
      if (judge(token).kind !== "valid") return;
      engines.add(address);
      const [oldest] = engines;
      if (engines.size > ENGINES_MAX && oldest !== undefined) engines.delete(oldest);
      Object.assign(state, { count: 0, awayMs: AWAY_MS_MIN });
    },
    onRefused: ({ token, address }) => {
      if (engines.size > 0 && !engines.has(address)) return;
      const reason = judge(token);
      if (reason.kind !== "clock" && reason.kind !== "key") return;
      state.count += 1;
      state.reason = reason;
      if (state.isAway || state.count < REFUSED_MAX) return;
      state.isAway = true;
      log.say("error", "worker.left", factsOf(reason));
      leave();
      stayAway();
    },
    whyRefused: () =>
      state.count === 0 || state.reason === undefined ? undefined : describe(state.reason),
    hasLeftOnce: () => state.count >= REFUSED_MAX,
    isAway: () => state.isAway,
    close: () => clearTimeout(timer),
  };
}

function factsOf(reason: Reason): LogFacts {
  return reason.kind === "clock"
    ? { code: "ENGINE_CLOCK", apartMs: Math.round(reason.apartMs) }
    : { code: "ENGINE_KEY", key: reason.key };
}

function describe(reason: Reason): string {
  if (reason.kind === "key")
    return "the engine signs with an identity key that this worker does not know";
  const seconds = Math.round(Math.abs(reason.apartMs) / 1_000);
  const side = reason.apartMs > 0 ? "ahead of" : "behind";
  return `the clock of this worker is ${seconds} s ${side} that of the engine`;
}
