/** Pairs of callers that drive one run at once, in each store: one payment, one outcome. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { memoryStores, type Stores, systemClock } from "@turnseal/ports";
import { makePlaces, openPostgres } from "../graph/make-places.ts";
import { startProcess } from "../kit/processes.ts";
import { createRandom } from "../simulate/random.ts";
import { approveTwice, type CallTwice, resumeTwice, runTwice, startTwice } from "./call-twice.ts";
import { type Desk, type Got, openDesk } from "./desk.ts";
import type { Resumed, ToResume } from "./worker.ts";

export interface CallersRequest {
  readonly pairs: number;
  readonly seed: number;
  readonly say: (words: string) => void;
}

export interface CallersFigures {
  readonly store: string;
  /** How many pairs there were of each way to call. */
  readonly pairs: Readonly<Record<string, number>>;
  /** Payments beyond one for each pair, and pairs without one. */
  readonly doubled: number;
  readonly missing: number;
  /** Callers that were answered with `LOG_FENCED`, and with any other exception. */
  readonly fenced: number;
  readonly failed: number;
  /** Pairs after which nobody knows whether the payment happened. */
  readonly unknown: number;
  /** Pairs whose callers were answered differently. */
  readonly different: number;
  readonly seconds: number;
}

/** Pairs that are under way at once. */
const AT_ONCE = 8;
const AFTER_MS_MAX = 30;
const WORK_MS_MAX = 60;

export async function runCallers(request: CallersRequest): Promise<readonly CallersFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-callers-"));
  const figures: CallersFigures[] = [];
  try {
    for (const prove of [inMemory, inSqlite, inPostgres]) {
      const found = await prove(request, folder);
      request.say(`${found.store}: ${JSON.stringify(found.pairs)}`);
      figures.push(found);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

/** True where nothing was doubled, lost or told twice, and every way to call occurred. */
export function isKept({ pairs, seconds: _, store: __, ...faults }: CallersFigures): boolean {
  return (
    Object.values(faults).every((count) => count === 0) &&
    Object.values(pairs).every((count) => count > 0)
  );
}

async function inMemory(request: CallersRequest, folder: string): Promise<CallersFigures> {
  const book = openBook(folder, "memory");
  const stores = memoryStores(systemClock);
  const desk = await openDesk(stores, book);
  return callAll({ ...request, store: "memory", book }, waysOf(desk, stores));
}

async function inSqlite(request: CallersRequest, folder: string): Promise<CallersFigures> {
  const file = join(folder, "runs.db");
  const stores = sqliteStores({ file });
  const given = { ...request, store: "SQLite", book: openBook(folder, "sqlite") };
  const figures = await callAcross(given, stores, ["sqlite", file]);
  stores.close();
  return figures;
}

async function inPostgres(request: CallersRequest, folder: string): Promise<CallersFigures> {
  const places = await makePlaces();
  try {
    const stores = await openPostgres(places.url);
    const given = { ...request, store: "PostgreSQL", book: openBook(folder, "postgres") };
    const figures = await callAcross(given, stores, ["postgres", places.url]);
    await stores.close();
    return figures;
  } finally {
    await places.drop();
  }
}

/** Calls from this process, and from two others that share the store. */
async function callAcross(
  calling: Calling,
  stores: Stores,
  place: readonly [kind: string, place: string],
): Promise<CallersFigures> {
  const desk = await openDesk(stores, calling.book);
  const workers = await startWorkers([...place, calling.book]);
  const ways = { ...waysOf(desk, stores), processes: resumeApart(desk, workers) };
  const figures = await callAll(calling, ways);
  await stopWorkers(workers);
  return figures;
}

function openBook(folder: string, name: string): string {
  const book = join(folder, `${name}.txt`);
  writeFileSync(book, "");
  return book;
}

type Ways = Readonly<Record<string, CallTwice>>;

function waysOf(desk: Desk, stores: Stores): Ways {
  return {
    approve: approveTwice(desk),
    resume: resumeTwice(desk),
    run: runTwice(desk),
    http: startTwice(desk, stores),
  };
}

interface Calling extends CallersRequest {
  readonly store: string;
  readonly book: string;
}

async function callAll(calling: Calling, ways: Ways): Promise<CallersFigures> {
  const { store, book, pairs, seed } = calling;
  const startedAt = performance.now();
  const random = createRandom(seed);
  const names = Object.keys(ways);
  const count: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  const answers: (readonly Got[])[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < pairs) {
      const name = names[begun % names.length] ?? "";
      const order = `${name}-${begun}`;
      begun += 1;
      count[name] = (count[name] ?? 0) + 1;
      const times = { workMs: random.below(WORK_MS_MAX), afterMs: random.below(AFTER_MS_MAX) };
      answers.push((await ways[name]?.({ order, ...times })) ?? []);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const paid = readFileSync(book, "utf8").split("\n").filter(Boolean);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  return { store, pairs: count, ...judge(answers, paid, calling), seconds };
}

type Faults = Omit<CallersFigures, "store" | "pairs" | "seconds">;

function judge(
  answers: readonly (readonly Got[])[],
  paid: readonly string[],
  { store, pairs, say }: Calling,
): Faults {
  const paidOnce = new Set(paid).size;
  const errors = answers.flat().flatMap((got) => ("error" in got ? [got.error] : []));
  const different = answers.filter(([first, second]) => !isDeepStrictEqual(first, second));
  for (const fault of [errors[0], different[0]])
    if (fault !== undefined) say(`${store}: ${JSON.stringify(fault)}`);
  const fenced = errors.filter((error) => error.includes("LOG_FENCED")).length;
  return {
    ...{ fenced, failed: errors.length - fenced, different: different.length },
    ...{ doubled: paid.length - paidOnce, missing: pairs - paidOnce },
    unknown: answers.filter((pair) => pair.some(isUnknown)).length,
  };
}

function isUnknown(got: Got): boolean {
  return "outcome" in got && got.outcome.includes('"unknown"');
}

/** Two processes that resume what this one has started. */
function resumeApart({ host, pay }: Desk, workers: readonly ChildProcess[]): CallTwice {
  let number = 0;
  const tell = (worker: ChildProcess, run: string, afterMs: number): Promise<Got> =>
    new Promise((resolve) => {
      number += 1;
      const told: ToResume = { number, run, afterMs };
      const hear = (answer: Resumed): void => {
        if (answer.number !== told.number) return;
        worker.off("message", hear);
        resolve(answer.got);
      };
      worker.on("message", hear);
      worker.send(told);
    });
  return async ({ order, workMs, afterMs }) => {
    const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
    const run = await host.start(pay, { order, workMs }, { grant, key: order });
    return Promise.all(workers.map((worker, at) => tell(worker, run, at * afterMs)));
  };
}

async function startWorkers(given: readonly string[]): Promise<ChildProcess[]> {
  const program = new URL("worker.ts", import.meta.url);
  const workers = [1, 2].map(() => startProcess(program, given));
  for (const worker of workers) worker.setMaxListeners(AT_ONCE * 4);
  await Promise.all(workers.map((worker) => once(worker, "message")));
  return workers;
}

async function stopWorkers(workers: readonly ChildProcess[]): Promise<void> {
  for (const worker of workers) {
    const ended = once(worker, "exit");
    worker.disconnect();
    await ended;
  }
}
