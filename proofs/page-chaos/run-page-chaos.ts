import { setTimeout as sleep } from "node:timers/promises";
import type { Say } from "../../tools/command/progress.ts";
import { createRandom, type Random } from "../simulate/random.ts";
import { type Deeds, holdSession } from "./hold-session.ts";
import { openPageWorld, PAGE_NAMES } from "./page-world.ts";

export interface PageChaosOptions {
  readonly sessions: number;
  readonly seed: number;
  /** Sessions at the same time. */
  readonly width: number;
  /** Milliseconds between two kills of the server, at most; 0 for none. */
  readonly killMs: number;
  /** Milliseconds between two outages of the model, at most; 0 for none. */
  readonly awayMs: number;
  readonly say?: Say;
}

export interface PageChaosReport {
  readonly figures: Deeds & Held;
  readonly problems: readonly string[];
}

interface Held {
  sessions: number;
  /** The share of each page. */
  useChat: number;
  assistantUi: number;
  equal: number;
  restarts: number;
  outages: number;
}

/** The longest outage of the model. */
const OUTAGE_MS_MAX = 4_000;

/** Holds so many sessions in a browser, and compares what each page shows with its log. */
export async function runPageChaos(options: PageChaosOptions): Promise<PageChaosReport> {
  const { sessions, seed, width, killMs, awayMs, say } = options;
  const world = await openPageWorld();
  const killer = repeat(killMs, createRandom(seed), () => world.restart());
  const outages = repeat(awayMs, createRandom(seed + 1), async (random) => {
    world.setAway(true);
    await sleep(random.between(500, OUTAGE_MS_MAX));
    world.setAway(false);
  });
  const figures = {
    ...{ sessions: 0, useChat: 0, assistantUi: 0, equal: 0, restarts: 0, outages: 0 },
    ...{ messages: 0, reloads: 0, cuts: 0, twoTabs: 0, decisions: 0, stops: 0, misfits: 0 },
    untaken: 0,
  };
  const problems: string[] = [];
  const hold = async (at: number): Promise<void> => {
    const chat = `s${seed}-${at}`;
    const random = createRandom(seed * 100_003 + at);
    const page = PAGE_NAMES[at % PAGE_NAMES.length] ?? PAGE_NAMES[0];
    const { deeds, shown, stored } = await holdSession(world, random, { chat, page });
    figures[page === "assistant.html" ? "assistantUi" : "useChat"] += 1;
    for (const [name, count] of Object.entries(deeds)) figures[name as keyof Deeds] += count;
    figures.sessions += 1;
    if (shown.join("\n") === stored.join("\n")) figures.equal += 1;
    else
      problems.push(
        `${chat} in ${page} shows ${JSON.stringify(shown)}, not ${JSON.stringify(stored)}`,
      );
    say?.(`${figures.sessions} of ${sessions} sessions`);
  };
  try {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < sessions; at = next++)
        await hold(at).catch((error: unknown) => {
          problems.push(`s${seed}-${at} was not held: ${describeFailure(error)}`);
        });
    };
    await Promise.all(Array.from({ length: width }, work));
  } finally {
    figures.outages = await outages.stop();
    figures.restarts = await killer.stop();
    await world.close();
  }
  return { figures, problems };
}

/** What was waited for, and where. */
function describeFailure(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? "") : String(error);
  const lines = trace.split("\n").map((text) => text.trim());
  const place = lines.find((text) => text.includes("hold-session.ts"));
  return [lines[0], lines.find((text) => text.startsWith("- waiting")), place].join(" ");
}

/** Does a thing again and again, after pauses of at most so many milliseconds. */
function repeat(pauseMs: number, random: Random, act: (random: Random) => Promise<void>) {
  const ending = new AbortController();
  let count = 0;
  const repeating = (async () => {
    while (pauseMs > 0 && !ending.signal.aborted) {
      const waitMs = random.between(Math.ceil(pauseMs / 2), pauseMs);
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      await act(random);
      count += 1;
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await repeating;
      return count;
    },
  };
}
