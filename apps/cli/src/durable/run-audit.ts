import type { AuditEntry } from "@turnseal/adapters/postgres";
import { loadPeers } from "@turnseal/runtime/engine";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { type Line, line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";

export interface AuditOptions {
  readonly postgres?: string;
  readonly since?: string;
  readonly after?: number;
  readonly limit: number;
  readonly json?: boolean;
}

/** `turnseal audit`: what was done to the deployment, by whom, a page at a time. */
export async function runAudit(options: AuditOptions, terminal: Terminal): Promise<ExitCode> {
  const { postgres, since, after, limit, json } = options;
  if (postgres === undefined)
    return reportUsage(
      terminal,
      "no database is given",
      "turnseal audit --postgres postgres://user@host/database, or TURNSEAL_POSTGRES_URL",
    );
  const peers = await loadPeers();
  if (peers.kind === "missing") return reportUsage(terminal, peers.message, peers.next);
  const book = await peers.openAuditBook({ url: postgres });
  try {
    const entries = await book.list({
      ...{ limit },
      ...(since === undefined ? {} : { since }),
      ...(after === undefined ? {} : { after }),
    });
    const { out, err } = terminal;
    if (json) out.writeText(`${renderJson(entries, 2)}\n`);
    else if (entries.length === 0) out.writeLine(line("nothing was noted"));
    else entries.map(renderEntry).forEach(out.writeLine);
    const last = entries.at(-1);
    if (last !== undefined && entries.length >= limit) {
      const next = `turnseal audit --after ${last.number}`;
      err.writeLine(line("  ", toned("faint", "next: "), `${next}, with the same options`));
    }
    return entries.every(({ isWhole }) => isWhole) ? EXIT_CODES.done : EXIT_CODES.failed;
  } finally {
    await book.close();
  }
}

function renderEntry(entry: AuditEntry): Line {
  const { number, at, kind, name, deed, person, login, isWhole } = entry;
  const who = person === null ? login : `${person} (${login})`;
  return line(
    toned("faint", `${number}  ${at}  `),
    toned("strong", `${kind} ${name}`),
    ` ${deed} by ${who}`,
    ...(isWhole ? [] : [toned("bad", "  this entry was changed, or the one before is missing")]),
  );
}
