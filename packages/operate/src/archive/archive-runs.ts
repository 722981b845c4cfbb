/**
 * Archives every run that ended long enough ago, and drops the periods in which nothing is left.
 *
 * The database alone knows its progress: after an interruption, the same command goes on. One
 * archives at a time, which the book sees to.
 */
import type { HeldRunInBook, Period } from "@turnseal/adapters/postgres";
import { type Archive, StoreError } from "@turnseal/ports";
import { eraseBundles } from "@turnseal/runtime/folder";
import { type ArchiveParts, archiveRun, type RunArchived } from "./archive-run.ts";

export interface ArchiveWork extends ArchiveParts {
  /** How long a run stays in the database after its end. */
  readonly keepMs: number;
  /** The same for one tenant, where it is not as for all. */
  readonly keepMsOf?: (tenant: string) => number | undefined;
  /** One tenant only: then nothing is dropped. */
  readonly tenant?: string;
  /** Runs that are archived at the same time. */
  readonly atOnce: number;
  /** Opens another archive, where one was used before: what is erased is not to be left there. */
  openArchive(place: string): Archive;
  /** The most runs that outlive one period. */
  readonly keptRunsMax?: number;
  onProgress?(report: ArchiveReport): void;
}

export interface ArchiveReport {
  archived: number;
  bytes: number;
  /** Runs that have not ended, or are too large, and outlive their period. */
  kept: number;
  /** Runs that stay because they are too large for a bundle: how many, and the first of them. */
  tooLarge: number;
  readonly tooLargeRuns: NamedRun[];
  /** Runs that stay because they do not verify, or cannot be erased: the same of them. */
  refused: number;
  readonly refusedRuns: NamedRun[];
  readonly dropped: number[];
  /** Periods that are over, and what of them is left in the database. */
  readonly waiting: { readonly period: number; readonly why: string }[];
}

export interface NamedRun {
  readonly tenant: string;
  readonly run: string;
  readonly why: string;
}

/** Periods that what is kept is in, besides the newest. */
export const PERIODS_KEPT = 6;
/** The most runs that outlive one period: more are not moved, and hold it up. */
export const KEPT_RUNS_MAX = 10_000;
/** The most runs of a kind that are named. */
export const RUNS_NAMED_MAX = 20;
/** The number of the period of runs that outlived theirs. */
const PERIOD_OF_KEPT = 0;

export async function archiveRuns(work: ArchiveWork): Promise<ArchiveReport> {
  const { book, keepMs } = work;
  const report: ArchiveReport = {
    ...{ archived: 0, bytes: 0, kept: 0, tooLarge: 0, refused: 0 },
    ...{ tooLargeRuns: [], refusedRuns: [], dropped: [], waiting: [] },
  };
  const newest = (await book.listPeriods()).at(-1);
  if (newest !== undefined && ageOf(newest.openedAt) >= keepMs / PERIODS_KEPT)
    await book.openPeriod(newest.number);
  await archivePeriod(PERIOD_OF_KEPT, work, report);
  for (const period of await book.listPeriods()) await archiveOver(period, work, report);
  return report;
}

async function archiveOver(
  { number, openedAt, closedAt }: Period,
  work: ArchiveWork,
  report: ArchiveReport,
): Promise<void> {
  // A run of this period cannot have ended before the period was opened.
  if (work.keepMsOf === undefined && ageOf(openedAt) < work.keepMs) return;
  const left = await archivePeriod(number, work, report);
  const isOver = closedAt !== undefined && ageOf(closedAt) >= work.keepMs;
  if (!isOver || work.tenant !== undefined) return;
  const wait = (why: string) => report.waiting.push({ period: number, why });
  const outliving = left.unfinished + left.tooLarge;
  if (left.refused > 0) wait(`${left.refused} of its runs do not verify, or cannot be erased`);
  else if (left.recent > 0) wait(`${left.recent} of its runs ended too short a time ago`);
  else if (outliving > (work.keptRunsMax ?? KEPT_RUNS_MAX))
    wait(`${left.unfinished} of its runs have not ended, and ${left.tooLarge} are too large`);
  else {
    const unmoved = await keepRest(number, work, report);
    if (unmoved !== undefined) wait(unmoved);
    else if (await work.book.drop(number)) report.dropped.push(number);
    else wait("something of it is still in use");
  }
  work.onProgress?.(report);
}

interface Left {
  unfinished: number;
  recent: number;
  tooLarge: number;
  refused: number;
}

/** Archives what can be, page by page, and counts what is left. */
async function archivePeriod(
  period: number,
  work: ArchiveWork,
  report: ArchiveReport,
): Promise<Left> {
  const left: Left = { unfinished: 0, recent: 0, tooLarge: 0, refused: 0 };
  for await (const page of readPages(period, work)) {
    const next = page.values();
    const archiveSome = async (): Promise<void> => {
      for (const held of next) await archiveHeld(held, { work, report, left });
    };
    await Promise.all(Array.from({ length: work.atOnce }, archiveSome));
    work.onProgress?.(report);
  }
  return left;
}

async function* readPages(
  period: number,
  { book, tenant }: ArchiveWork,
): AsyncGenerator<readonly HeldRunInBook[]> {
  const isMeant = (held: HeldRunInBook) => tenant === undefined || held.tenant === tenant;
  const first = { tenant: tenant ?? "", run: "00000000-0000-0000-0000-000000000000" };
  for (let page = await book.listHeld(period, first); page.length > 0; ) {
    const meant = page.filter(isMeant);
    if (meant.length > 0) yield meant;
    // Tenants follow each other.
    if (meant.length < page.length) return;
    page = await book.listHeld(period, page.at(-1));
  }
}

interface Counted {
  readonly work: ArchiveWork;
  readonly report: ArchiveReport;
  readonly left: Left;
}

async function archiveHeld(held: HeldRunInBook, { work, report, left }: Counted): Promise<void> {
  const { tenant, run, endedAt } = held;
  const refuse = (why: string): void => {
    left.refused += 1;
    report.refused += 1;
    nameSome(report.refusedRuns, { tenant, run, why });
  };
  const unerased = held.isErased === true ? await eraseLeft(held, work) : undefined;
  if (unerased !== undefined) return refuse(unerased);
  if (endedAt === undefined) left.unfinished += 1;
  else if (ageOf(endedAt) < (work.keepMsOf?.(tenant) ?? work.keepMs)) left.recent += 1;
  else {
    const archived = await archiveRun(held, work).catch(refuseDamaged);
    if (archived.kind === "archived") {
      report.archived += 1;
      report.bytes += archived.bytes;
    } else if (archived.kind === "unfinished") left.unfinished += 1;
    else if (archived.kind === "too-large") {
      left.tooLarge += 1;
      report.tooLarge += 1;
      nameSome(report.tooLargeRuns, { tenant, run, why: archived.why });
    } else refuse(archived.why);
  }
}

/** A damaged run must not stop the others. */
function refuseDamaged(error: unknown): RunArchived {
  if (!(error instanceof StoreError) || error.code !== "STORE_CORRUPT") throw error;
  return { kind: "refused", why: error.message };
}

function nameSome(runs: NamedRun[], run: NamedRun): void {
  if (runs.length < RUNS_NAMED_MAX) runs.push(run);
}

/**
 * A killed archiver may have left a bundle of a run that was erased since: that content is in no
 * noted archive. If an archive cannot be used, the answer says so and the run stays: once it is
 * noted, other bundles are never looked for.
 */
async function eraseLeft(
  { tenant, run }: HeldRunInBook,
  { book, archive, openArchive }: ArchiveWork,
): Promise<string | undefined> {
  try {
    await eraseBundles(book.storesOf(tenant), run, { tenant, place: archive.place, openArchive });
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // Also where it is the database: what comes next says so.
    return `what was erased may be in an archive: ${error.message}`;
  }
}

/**
 * Lets the rest of a period outlive it. A run may be too large to move in the time of one
 * statement: then the answer says so, and later periods do not wait for it.
 */
async function keepRest(
  period: number,
  work: ArchiveWork,
  report: ArchiveReport,
): Promise<string | undefined> {
  for await (const page of readPages(period, work))
    for (const held of page) {
      try {
        await work.book.keep(held);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return `run ${held.run} of ${held.tenant} cannot be moved out of it: ${error.message}`;
      }
      report.kept += 1;
    }
  return undefined;
}

function ageOf(instant: string): number {
  return Date.now() - Date.parse(instant);
}
