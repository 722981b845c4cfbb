import type { RunClient, TurnReplay } from "@turnseal/host";
import { readPricesOf } from "@turnseal/runtime/runs";
import { type Terminal, writeJson } from "@turnseal/terminal";
import { renderReplay, renderReplayedTurn } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { openCommand } from "../open-command.ts";
import { accept } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../with-run.ts";

export interface ReplayOptions extends StoreOptions {
  readonly from?: readonly string[];
  readonly prices?: string;
  /** Shows every turn, and what differs. */
  readonly diff?: boolean;
  readonly json?: boolean;
}

/**
 * `turnseal replay`: every turn again from its record, until the first that differs. It executes
 * nothing.
 */
export function runReplay(
  name: string,
  options: ReplayOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withRun(name, options, async (named) => {
    const { known, folder } = named;
    const { bind } = await openCommand("replay", named, { options, surroundings });
    const { spec, spending } = known.projection ?? {};
    const counted = { grant: spec?.grant, spending, file: options.prices };
    const { prices } = accept(await readPricesOf(known.run, folder, counted));
    const { host } = await bind({ prices });
    return report(known.run, await collectReplays(known.run, host), { options, terminal });
  });
}

async function collectReplays(run: string, host: RunClient): Promise<TurnReplay[]> {
  const replays: TurnReplay[] = [];
  for await (const replay of host.replay(run)) {
    replays.push(replay);
    if (replay.replayed.kind === "different") break;
  }
  return replays;
}

function report(
  run: string,
  replays: readonly TurnReplay[],
  { options, terminal: { out } }: { options: ReplayOptions; terminal: Terminal },
): ExitCode {
  const isDifferent = replays.some(({ replayed }) => replayed.kind === "different");
  const isIdentical = replays.some(({ replayed }) => replayed.kind === "identical");
  if (options.json) {
    const turns = replays.map(({ turn, replayed }) => ({ turn, ...replayed }));
    writeJson(out, { run, identical: isIdentical && !isDifferent, turns }, 2);
  } else {
    const shown = options.diff
      ? replays
      : replays.filter(({ replayed }) => replayed.kind !== "identical");
    for (const replay of shown) out.writeLine(renderReplayedTurn(replay));
    out.writeLine(renderReplay(run, replays));
  }
  return isIdentical && !isDifferent ? EXIT_CODES.done : EXIT_CODES.failed;
}
