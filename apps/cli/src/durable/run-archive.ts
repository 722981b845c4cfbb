import { folderArchive } from "@turnseal/adapters/archive";
import { type ArchiveReport, archiveRuns, type NamedRun } from "@turnseal/operate/archive";
import { readTrustedKeys } from "@turnseal/operate/proof";
import { createDurableFolder, loadPeers } from "@turnseal/runtime/engine";
import {
  countOf,
  type Line,
  line,
  PROGRESS_MS,
  type Terminal,
  toned,
  writeJson,
} from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";

export interface ArchiveOptions {
  readonly to?: string;
  readonly olderThan: number;
  readonly tenant?: string;
  readonly atOnce: number;
  readonly withoutContent?: boolean;
  readonly keys?: string;
  readonly postgres?: string;
  readonly store?: string;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;

/** `turnseal archive`: moves runs that ended long ago out of the database. It may be repeated. */
export async function runArchive(options: ArchiveOptions, terminal: Terminal): Promise<ExitCode> {
  const { to, postgres, tenant } = options;
  const next = "turnseal archive --to /var/lib/turnseal/archive --postgres <url>";
  if (to === undefined || to === "") throw new RefusalError("no folder is given", next);
  if (postgres === undefined) throw new RefusalError("no database is given", next);
  const path = await createDurableFolder(options.store);
  const trust = await readTrustedKeys(options.keys, { path });
  if ("problem" in trust || trust.keys.length === 0) {
    const message = "problem" in trust ? trust.problem : "no public key is known to verify with";
    throw new RefusalError(message, `${next} --keys keys.json  (turnseal keys export)`);
  }
  const { keys } = trust;
  const peers = accept(await loadPeers());
  const tenants = await readKeepDays(peers, postgres);
  const book = await peers.openArchiveBook({ url: postgres, connectionsMax: options.atOnce });
  const { out, err } = terminal;
  let saidMs = Date.now();
  try {
    const report = await archiveRuns({
      ...{ book, keys, archive: folderArchive(to), openArchive: folderArchive },
      ...{ atOnce: options.atOnce },
      ...{ keepMs: options.olderThan, withContent: options.withoutContent !== true },
      ...(tenants.size === 0 ? {} : { keepMsOf: (name: string) => tenants.get(name) }),
      ...(tenant === undefined ? {} : { tenant }),
      onProgress: (soFar) => {
        if (Date.now() - saidMs < PROGRESS_MS) return;
        saidMs = Date.now();
        err.writeLine(line(toned("faint", `${describe(soFar)} so far`)));
      },
    });
    if (options.json) writeJson(out, report);
    else render(report).forEach(out.writeLine);
    return report.refused === 0 ? EXIT_CODES.done : EXIT_CODES.unverified;
  } finally {
    await book.close();
  }
}

type Loaded = Extract<Awaited<ReturnType<typeof loadPeers>>, { kind: "loaded" }>;

/** Tenants whose runs stay for another time than those of all. */
async function readKeepDays(
  { openTenantBook }: Loaded,
  url: string,
): Promise<ReadonlyMap<string, number>> {
  const tenants = new Map<string, number>();
  const book = await openTenantBook({ url });
  try {
    for (let page = await book.list(); page.length > 0; page = await book.list(page.at(-1)?.name))
      for (const tenant of page) {
        // For how long is not known: nothing of it is archived.
        if (tenant.state === "unreadable") tenants.set(tenant.name, Number.POSITIVE_INFINITY);
        else if (tenant.limits.keepDays !== undefined)
          tenants.set(tenant.name, tenant.limits.keepDays * DAY_MS);
      }
    return tenants;
  } finally {
    await book.close();
  }
}

function describe({ archived, bytes, dropped }: ArchiveReport): string {
  const parts = dropped.length === 0 ? "" : `, ${countOf(dropped.length, "period")} dropped`;
  return `${countOf(archived, "run")} archived, ${(bytes / 1_000_000).toFixed(1)} MB${parts}`;
}

function render(report: ArchiveReport): Line[] {
  const { kept, tooLarge, tooLargeRuns, refused, refusedRuns, waiting } = report;
  return [
    line(toned("good", "✓ "), describe(report)),
    ...(kept === 0 ? [] : [line(`  ${countOf(kept, "run")} moved out of their period`)]),
    ...waiting.map(({ period, why }) => line(`  period ${period} stays: ${why}`)),
    ...renderStaying(tooLargeRuns, tooLarge, line("  ")),
    ...renderStaying(refusedRuns, refused, line(toned("bad", "✗ "))),
  ];
}

/** Runs that stay in the database: some are named. */
function renderStaying(named: readonly NamedRun[], count: number, mark: Line): Line[] {
  const more = count - named.length;
  return [
    ...named.map(({ tenant, run, why }) => line(...mark.spans, `${tenant} ${run} stays: ${why}`)),
    ...(more > 0 ? [line(`  and ${more} more`)] : []),
  ];
}
