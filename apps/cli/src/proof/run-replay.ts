import type { RunClient, TurnReplay } from "@turnseal/host";
import { findRunTarget, openHost, readPricesOf } from "@turnseal/runtime/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { admitNoted } from "../runs/admit-noted.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../with-run.ts";
import { renderReplay, renderReplayedTurn } from "./render-replay.ts";

export interface ReplayOptions extends StoreOptions {
  readonly from?: readonly string[];
  readonly prices?: string;
  /** Shows every turn, and what differs. */
  readonly diff?: boolean;
  readonly json?: boolean;
}

/**
 * `turnseal replay`: every turn again from its record, until the first that differs. Nothing is
 * executed.
 */
export function runReplay(
  name: string,
  options: ReplayOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withRun(name, { ...options, terminal }, async ({ known, folder }) => {
    const noted = { from: options.from, command: "replay" };
    const admitted = await admitNoted({ known, folder }, noted, surroundings);
    if (admitted.kind === "refused") return admitted.code;
    const target = await findRunTarget(known, folder, admitted.place.from);
    if (target.kind === "unusable") return reportUsage(terminal, target.message, target.next);
    if (target.kind === "refused") return reportRefusal(terminal, target.loaded.problems, options);
    const { spec, spending } = known.projection ?? {};
    const counted = { grant: spec?.grant, spending, file: options.prices };
    const priced = await readPricesOf(known.run, folder, counted);
    if (priced.kind === "unusable") return reportUsage(terminal, priced.message, priced.next);
    const { prices } = priced;
    const opened = await openHost(target, folder, surroundings, { prices });
    if (opened.kind === "refused") return reportRefusal(terminal, opened.problems, options);
    return report(known.run, await collectReplays(known.run, opened.host), { options, terminal });
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
    out.writeText(`${renderJson({ run, identical: isIdentical && !isDifferent, turns }, 2)}\n`);
  } else {
    const shown = options.diff
      ? replays
      : replays.filter(({ replayed }) => replayed.kind !== "identical");
    for (const replay of shown) out.writeLine(renderReplayedTurn(replay));
    out.writeLine(renderReplay(run, replays));
  }
  return isIdentical && !isDifferent ? EXIT_CODES.done : EXIT_CODES.failed;
}
