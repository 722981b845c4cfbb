/** One long task in one run: it goes on past its rounds, and never past its window. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { taskOf } from "./answer-by.ts";
import { judgeRun } from "./judge-run.ts";
import { PRICES } from "./prices.ts";
import { startRecordingServer } from "./recording-server.ts";
import { grant, openTalkingHost, type Talker } from "./talking-host.ts";
import type { Provider } from "./wires.ts";

export interface TaskOptions extends Pick<Talker, "strategy" | "page"> {
  readonly provider: Provider;
  readonly rounds: number;
  /** The most tokens of a request that the server takes. */
  readonly windowTokens: number;
}

/** Figures of one task, counted by the server unless noted otherwise. */
export interface TaskFigures {
  /** Whether the run reached its goal, with the answer that follows from every step. */
  readonly isDone: boolean;
  readonly turns: number;
  readonly requests: number;
  /** The most tokens that a request had. */
  readonly tokensMost: number;
  /** Requests of more tokens than the window has. */
  readonly tooLong: number;
  readonly torn: number;
  /** Tokens that repeat the beginning of a request before, as a share of all that were read. */
  readonly repeatedShare: number;
  /** Requests that are not the one before with something at its end. */
  readonly breaks: number;
  /** Tokens that the provider had kept, as a share of all. */
  readonly cachedShare: number;
  /** The provider's charge, and the spending that the run records, in micro-units of money. */
  readonly charged: number;
  readonly spent: number;
  readonly differing: number;
  readonly findings: number;
}

export async function runTask(options: TaskOptions): Promise<TaskFigures> {
  const { rounds, windowTokens, ...asked } = options;
  const { provider } = asked;
  const folder = mkdtempSync(join(tmpdir(), "turnseal-context-"));
  const server = await startRecordingServer(0);
  const { talk, url } = server.open({ provider, windowTokens, prices: PRICES[provider] });
  const file = join(folder, "runs.db");
  const opened = openTalkingHost({ ...asked, file, url, tokensMax: windowTokens });
  const { host, agent } = opened;
  try {
    const bounds = { onRoundsExhausted: "continue", turnsMax: rounds, failuresMax: 1 } as const;
    const run = await host.start(agent, { words: taskOf(rounds) }, { grant, bounds });
    await host.drive(run);
    const { stopped, spending } = (await host.show(run)) ?? {};
    const output = await host.readOutput(agent, run);
    const { bodies, tokensMost, tooLong, torn, tokens, repeated, breaks, cacheRead } = talk;
    return {
      isDone: stopped === "goal-reached" && output?.text === `took ${rounds} steps`,
      ...{ requests: bodies.length, tokensMost, tooLong, torn },
      ...{ repeatedShare: repeated / tokens, breaks, cachedShare: cacheRead / tokens },
      ...{ charged: talk.micros, spent: spending?.settled.moneyMicros ?? 0 },
      ...(await judgeRun(opened, run)),
    };
  } finally {
    opened.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
