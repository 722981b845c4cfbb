import { checkUpgrade } from "@turnseal/runtime/deploy";
import { loadPeers } from "@turnseal/runtime/engine";
import { loadRelease } from "@turnseal/runtime/project";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { renderUpgrade } from "./render-deploy.ts";

export interface UpgradeOptions {
  readonly check?: boolean;
  readonly from?: readonly string[];
  readonly postgres?: string;
  readonly json?: boolean;
}

/** `turnseal upgrade --check`: what other loops would mean for the runs that have not ended. */
export async function runUpgrade(options: UpgradeOptions, terminal: Terminal): Promise<ExitCode> {
  const { postgres, check = false, from, json = false } = options;
  const next =
    "turnseal upgrade --check --from <new loops> --postgres postgres://user@host/database";
  if (!check)
    return reportUsage(terminal, "nothing is upgraded by this command, only checked", next);
  if (postgres === undefined) return reportUsage(terminal, "no database is given", next);
  const peers = await loadPeers();
  if (peers.kind === "missing") return reportUsage(terminal, peers.message, peers.next);
  const loaded = await loadRelease(from);
  if (loaded.kind === "unusable") return reportUsage(terminal, loaded.message, loaded.next);
  if (loaded.kind === "refused") return reportRefusal(terminal, loaded.problems, {});
  const book = await peers.openReleaseBook({ url: postgres });
  try {
    const upgrade = await checkUpgrade(book, loaded.release);
    if (json) terminal.out.writeText(`${renderJson(upgrade, 2)}\n`);
    else renderUpgrade(upgrade).forEach(terminal.out.writeLine);
    return upgrade.blocked === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
  } finally {
    await book.close();
  }
}
