/** One long task in one run: it goes on past its rounds, and never past its window. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { taskOf } from "./answer-by.ts";
import { judgeRun } from "./judge-run.ts";
import { measurePrefix, type PrefixFigures } from "./measure-prefix.ts";
import { startRecordingServer } from "./recording-server.ts";
import { countTokens } from "./sent.ts";
import { grant, openTalkingHost } from "./talking-host.ts";
import { type Provider, WIRES } from "./wires.ts";

export interface TaskOptions {
  readonly provider: Provider;
  readonly rounds: number;
  /** The most tokens of a request that the server takes. */
  readonly windowTokens: number;
}

export interface TaskFigures extends PrefixFigures {
  /** Whether the run reached its goal, with the answer that follows from every step. */
  readonly isDone: boolean;
  readonly turns: number;
  readonly requests: number;
  /** The most tokens that a request had, by the server's count. */
  readonly tokensMost: number;
  readonly tooLong: number;
  /** Requests of more tokens than the agent may send, by the server's count and not by estimate. */
  readonly underestimated: number;
  readonly torn: number;
  readonly differing: number;
  readonly findings: number;
}

export async function runTask(options: TaskOptions): Promise<TaskFigures> {
  const { provider, rounds, windowTokens } = options;
  const folder = mkdtempSync(join(tmpdir(), "turnseal-context-"));
  const server = await startRecordingServer(0);
  const { talk, url } = server.open({ provider, windowTokens });
  const opened = openTalkingHost({
    file: join(folder, "runs.db"),
    url,
    provider,
    tokensMax: windowTokens,
  });
  const { host, agent } = opened;
  try {
    const bounds = { onRoundsExhausted: "continue", turnsMax: rounds, failuresMax: 1 } as const;
    const run = await host.start(agent, { words: taskOf(rounds) }, { grant, bounds });
    await host.drive(run);
    const { stopped } = (await host.show(run)) ?? {};
    const output = await host.readOutput(agent, run);
    const sent = talk.bodies.map((body) => WIRES[provider].read(body));
    const { tokensMost, tooLong, torn } = talk;
    return {
      ...(await judgeRun(opened, run)),
      isDone: stopped === "goal-reached" && output?.text === `took ${rounds} steps`,
      ...{ requests: sent.length, tokensMost, tooLong, torn },
      underestimated: sent.filter((request) => countTokens(request) > windowTokens).length,
      ...measurePrefix(sent.map(({ text }) => text)),
    };
  } finally {
    opened.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
