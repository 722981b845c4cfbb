import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Say } from "../../tools/command/progress.ts";
import { createRandom, type Random } from "../simulate/random.ts";
import { type FaultCounts, openFaultProxy } from "./fault-proxy.ts";
import { judgeTalk, type Verdict } from "./judge-talk.ts";
import { type Deeds, holdTalk } from "./person.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

export interface ChaosOptions {
  readonly sessions: number;
  readonly seed: number;
  /** Milliseconds between two kills of the server, at most. */
  readonly killMs: number;
  /** Sessions at the same time. */
  readonly width: number;
  readonly say?: Say;
}

export interface ChaosFigures extends FaultCounts, Deeds {
  sessions: number;
  /** Sessions whose tabs show what the log says. */
  equal: number;
  wrong: number;
  envelopes: number;
  twoTabs: number;
  /** Kills of the process that serves and carries the runs. */
  restarts: number;
  payments: number;
  /** Payments that were made and are not shown, or shown and were not made. */
  paymentsAstray: number;
}

export interface ChaosReport {
  readonly figures: ChaosFigures;
  /** In how many sessions each wrong client was noticed; the true one never may be. */
  readonly caught: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Holds so many sessions over a bad line, with a server that is killed again and again. */
export async function runSessionChaos(options: ChaosOptions): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-session-chaos-"));
  const random = createRandom(options.seed);
  const server = await startServerProcess(folder);
  const proxy = await openFaultProxy(new URL(server.url), random);
  const killer = killAgainAndAgain(server, random, options.killMs);
  const tally = createTally();
  try {
    let [next, held] = [0, 0];
    const hold = async (): Promise<void> => {
      for (let at = next++; at < options.sessions; at = next++) {
        const line = { url: proxy.url, token: server.token };
        const seed = options.seed * 100_003 + at;
        const talk = await holdTalk(line, createRandom(seed), `s${seed}`);
        const verdict = await judgeTalk({ url: server.url, token: server.token }, talk);
        for (const { client } of talk.tabs) client.close();
        tally.add(`s${seed}`, { verdict, deeds: talk.deeds, tabs: talk.tabs.length });
        held += 1;
        options.say?.(`${held} of ${options.sessions} sessions`);
      }
    };
    await Promise.all(Array.from({ length: options.width }, hold));
  } finally {
    const restarts = await killer.stop();
    tally.end({ ...proxy.counts, restarts, made: countMade(server.ledger) });
    await proxy.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return tally.report();
}

function killAgainAndAgain(server: ServerProcess, random: Random, killMs: number) {
  const ending = new AbortController();
  let restarts = 0;
  const killing = (async () => {
    while (!ending.signal.aborted) {
      const waitMs = random.between(Math.ceil(killMs / 3), killMs);
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => undefined);
      if (ending.signal.aborted) return;
      await server.restart();
      restarts += 1;
    }
  })();
  return {
    stop: async (): Promise<number> => {
      ending.abort();
      await killing;
      return restarts;
    },
  };
}

/** Counts payments by their keys: a payment that began twice under its key counts once. */
function countMade(ledger: string): number {
  const lines = readFileSync(ledger, "utf8").split("\n");
  return new Set(lines.filter((line) => line !== "")).size;
}

interface Held {
  readonly verdict: Verdict;
  readonly deeds: Deeds;
  readonly tabs: number;
}

function createTally() {
  const figures: ChaosFigures = {
    ...{ sessions: 0, equal: 0, wrong: 0, envelopes: 0, twoTabs: 0, restarts: 0 },
    ...{ payments: 0, paymentsAstray: 0, cuts: 0, duplicates: 0, reorders: 0, lostAnswers: 0 },
    ...{ doubleRequests: 0, foreignPlaces: 0, refreshes: 0, refreshesWhileAsked: 0, sleeps: 0 },
    ...{ contests: 0, aborts: 0 },
  };
  const caught: Record<string, number> = {};
  const problems: string[] = [];
  return {
    add: (name: string, { verdict, deeds, tabs }: Held): void => {
      figures.sessions += 1;
      figures.equal += verdict.problems.length === 0 ? 1 : 0;
      figures.wrong += verdict.problems.length === 0 ? 0 : 1;
      figures.envelopes += verdict.envelopes;
      figures.twoTabs += tabs === 2 ? 1 : 0;
      figures.payments += verdict.payments;
      for (const deed of Object.keys(deeds) as (keyof Deeds)[]) figures[deed] += deeds[deed];
      for (const mutant of verdict.caught) caught[mutant] = (caught[mutant] ?? 0) + 1;
      problems.push(...verdict.problems.map((problem) => `${name}: ${problem}`));
    },
    end: ({ made, ...counts }: FaultCounts & { restarts: number; made: number }): void => {
      Object.assign(figures, counts);
      figures.paymentsAstray = Math.abs(made - figures.payments);
    },
    report: (): ChaosReport => ({ figures, caught, problems }),
  };
}
