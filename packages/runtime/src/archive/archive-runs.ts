/**
 * Archives every run that ended long enough ago, and drops the periods in which nothing is left.
 *
 * Where it is stands in the database alone: whoever is interrupted goes on by asking again. One
 * archives at a time, which the book sees to.
 */
import type { HeldRunInBook, Period } from "@turnseal/adapters/postgres";
import { bundleNameOf } from "../folder/archived-stores.ts";
import { stripUnnoted } from "../folder/strip-bundle.ts";
import { type ArchiveParts, archiveRun } from "./archive-run.ts";

export interface ArchiveWork extends ArchiveParts {
  /** How long a run stays in the database after its end. */
  readonly keepMs: number;
  /** The same for one tenant, where it is not as for all. */
  readonly keepMsOf?: (tenant: string) => number | undefined;
  /** One tenant only: then nothing is dropped. */
  readonly tenant?: string;
  /** Runs that are archived at the same time. */
  readonly atOnce: number;
  onProgress?(report: ArchiveReport): void;
}

export interface ArchiveReport {
  archived: number;
  bytes: number;
  /** Runs that have not ended, and outlive their period. */
  kept: number;
  /** Runs that stay because they do not verify: how many, and the first of them. */
  refused: number;
  readonly refusedRuns: { readonly tenant: string; readonly run: string; readonly why: string }[];
  readonly dropped: number[];
  /** Periods that are over, and what of them is left in the database. */
  readonly waiting: { readonly period: number; readonly why: string }[];
}

/** Periods that what is kept is in, besides the newest. */
export const PERIODS_KEPT = 6;
/** The most runs that outlive one period: more are not moved, and hold it up. */
export const KEPT_RUNS_MAX = 10_000;
const REFUSED_NAMED_MAX = 20;
/** The number of the period of runs that outlived theirs. */
const PERIOD_OF_KEPT = 0;

export async function archiveRuns(work: ArchiveWork): Promise<ArchiveReport> {
  const { book, keepMs } = work;
  const report: ArchiveReport = {
    ...{ archived: 0, bytes: 0, kept: 0, refused: 0 },
    ...{ refusedRuns: [], dropped: [], waiting: [] },
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
  // Whoever was begun in it cannot have ended before it was opened.
  if (work.keepMsOf === undefined && ageOf(openedAt) < work.keepMs) return;
  const left = await archivePeriod(number, work, report);
  const isOver = closedAt !== undefined && ageOf(closedAt) >= work.keepMs;
  if (!isOver || work.tenant !== undefined) return;
  const wait = (why: string) => report.waiting.push({ period: number, why });
  if (left.refused > 0) wait(`${left.refused} of its runs do not verify`);
  else if (left.recent > 0) wait(`${left.recent} of its runs ended too short a time ago`);
  else if (left.unfinished > KEPT_RUNS_MAX) wait(`${left.unfinished} of its runs have not ended`);
  else {
    await keepRest(number, work, report);
    if (await work.book.drop(number)) report.dropped.push(number);
    else wait("something of it is still in use");
  }
  work.onProgress?.(report);
}

interface Left {
  unfinished: number;
  recent: number;
  refused: number;
}

/** Archives what can be, page by page, and counts what is left. */
async function archivePeriod(
  period: number,
  work: ArchiveWork,
  report: ArchiveReport,
): Promise<Left> {
  const left: Left = { unfinished: 0, recent: 0, refused: 0 };
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
  if (endedAt === undefined) {
    left.unfinished += 1;
    return forgetErased(held, work);
  }
  if (ageOf(endedAt) < (work.keepMsOf?.(tenant) ?? work.keepMs)) {
    left.recent += 1;
    return forgetErased(held, work);
  }
  const archived = await archiveRun(held, work);
  if (archived.kind === "archived") {
    report.archived += 1;
    report.bytes += archived.bytes;
  } else if (archived.kind === "unfinished") left.unfinished += 1;
  else {
    left.refused += 1;
    report.refused += 1;
    if (report.refusedRuns.length < REFUSED_NAMED_MAX)
      report.refusedRuns.push({ tenant, run, why: archived.why });
  }
}

/** A run that stays may have a bundle of somebody who was killed: erased content is not in it. */
async function forgetErased(held: HeldRunInBook, { book, archive }: ArchiveWork): Promise<void> {
  const { tenant, run, isErased } = held;
  if (isErased !== true) return;
  const stores = book.storesOf(tenant);
  await stripUnnoted(archive, bundleNameOf(tenant, run), { run, stores });
}

/** Lets what is left of a period outlive it. */
async function keepRest(period: number, work: ArchiveWork, report: ArchiveReport): Promise<void> {
  for await (const page of readPages(period, work))
    for (const held of page) {
      await work.book.keep(held);
      report.kept += 1;
    }
}

function ageOf(instant: string): number {
  return Date.now() - Date.parse(instant);
}
