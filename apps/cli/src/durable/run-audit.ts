import type { AuditEntry } from "@turnseal/adapters/postgres";
import { type Line, line, renderNext, toned, writeJson } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { withBook } from "../with-book.ts";

export interface AuditOptions {
  readonly postgres?: string;
  readonly since?: string;
  readonly after?: number;
  readonly limit: number;
  readonly json?: boolean;
}

/** `turnseal audit`: changes of the deployment and who made them, a page at a time. */
export async function runAudit(
  options: AuditOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { postgres, since, after, limit, json } = options;
  const place = { command: "audit", postgres };
  return withBook(
    place,
    (peers, url) => peers.openAuditBook({ url }),
    async (book) => {
      const entries = await book.list({
        ...{ limit },
        ...(since === undefined ? {} : { since }),
        ...(after === undefined ? {} : { after }),
      });
      const { out, err } = terminal;
      if (json) writeJson(out, entries, 2);
      else if (entries.length === 0) out.writeLine(line("nothing was noted"));
      else entries.map(renderEntry).forEach(out.writeLine);
      const last = entries.at(-1);
      if (last !== undefined && entries.length >= limit) {
        const next = `turnseal audit --after ${last.number}`;
        err.writeLine(renderNext(`${next}, with the same options`));
      }
      return entries.every(({ isWhole }) => isWhole) ? EXIT_CODES.done : EXIT_CODES.failed;
    },
  );
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
