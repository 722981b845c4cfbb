/**
 * Who carries a run on this machine: one file for each run, so that a second `resume` can say who
 * holds it.
 *
 * A lease is a courtesy between people. What keeps two processes from both writing is the epoch in
 * the log, and nothing here is relied on for that.
 *
 * 1. A lease is made with its whole content, by a link that fails when there is one.
 * 2. The file's time is the holder's heartbeat.
 * 3. A lease whose holder is gone is moved aside, and looked at again there: whoever moved a fresh
 *    one puts it back.
 */
import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isPlainObject } from "@turnseal/protocol";
import { readProcessStart } from "./read-process-start.ts";

export interface LeaseHolder {
  readonly pid: number;
  readonly processStart: string;
  readonly machine: string;
  /** Tells this lease from every other. */
  readonly token: string;
  readonly takenAt: string;
  readonly heartbeatAt: string;
}

export interface Lease {
  release(): Promise<void>;
}

export type LeaseAnswer =
  | { readonly kind: "taken"; readonly lease: Lease }
  | { readonly kind: "held"; readonly holder: LeaseHolder };

/** How often a holder says that it is there. */
export const HEARTBEAT_MS = 1_000;
/** A holder that has not said so for this long is silent: frozen, or out of reach. */
export const SILENCE_MS = 5_000;
const ATTEMPTS_MAX = 200;
const LOCK_PAUSE_MS = 5;

/**
 * Takes the lease of a run, or says who holds it. With `force` it is taken from whoever that is.
 */
export async function takeLease(
  folder: string,
  run: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<LeaseAnswer> {
  await mkdir(join(folder, "leases"), { recursive: true });
  const file = leaseFile(folder, run);
  const token = randomUUID();
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (await createLease(file, token)) return { kind: "taken", lease: keepLease(file, token) };
    const holder = await readHolder(file);
    if (holder !== undefined && !force && isPresent(holder)) return { kind: "held", holder };
    await moveAside(file, holder?.token ?? "unreadable");
  }
  throw new Error(`the lease ${file} changes hands too often`);
}

/** Who carries a run now; undefined when nobody does. */
export async function readLease(folder: string, run: string): Promise<LeaseHolder | undefined> {
  const holder = await readHolder(leaseFile(folder, run));
  return holder !== undefined && isPresent(holder) ? holder : undefined;
}

/** True for a holder that has not been heard of for a while. */
export function isSilent({ heartbeatAt }: LeaseHolder): boolean {
  return Date.now() - Date.parse(heartbeatAt) > SILENCE_MS;
}

/** A holder on another machine cannot be looked at: it counts as present until it is silent. */
function isPresent(holder: LeaseHolder): boolean {
  if (holder.machine !== hostname()) return !isSilent(holder);
  return readProcessStart(holder.pid) === holder.processStart;
}

async function createLease(file: string, token: string): Promise<boolean> {
  const draft = `${file}.${token}`;
  const { pid } = process;
  const processStart = readProcessStart(pid) ?? "";
  const takenAt = new Date().toISOString();
  const content = { pid, processStart, machine: hostname(), token, takenAt };
  await writeFile(draft, `${JSON.stringify(content)}\n`);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

function keepLease(file: string, token: string): Lease {
  const beat = (): void => {
    const now = new Date();
    // A lease that was taken over is no longer ours to keep warm; the log says so at the next
    // append.
    utimes(file, now, now).catch(() => {});
  };
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return {
    release: async () => {
      clearInterval(timer);
      const holder = await readHolder(file);
      if (holder?.token === token) await rm(file, { force: true });
    },
  };
}

/**
 * Takes a dead holder's lease away, one taker at a time: whoever comes second would take away the
 * lease of the first.
 */
async function moveAside(file: string, token: string): Promise<void> {
  const lock = `${file}.lock`;
  try {
    await writeFile(lock, "", { flag: "wx" });
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
    await breakOldLock(lock);
    return;
  }
  try {
    // A lease that is gone may be another's in a moment: only what is there is taken away.
    const isThere = await stat(file).then(
      () => true,
      () => false,
    );
    const holder = isThere ? await readHolder(file) : undefined;
    if (isThere && (holder?.token ?? "unreadable") === token) await rm(file, { force: true });
  } finally {
    await rm(lock, { force: true });
  }
}

/** A taker that died while it took leaves its lock behind. */
async function breakOldLock(lock: string): Promise<void> {
  const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
  if (Date.now() - mtimeMs > SILENCE_MS) await rm(lock, { force: true });
  await sleep(LOCK_PAUSE_MS);
}

async function readHolder(file: string): Promise<LeaseHolder | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(file, "utf8"));
    const { mtime } = await stat(file);
    if (!isPlainObject(holder) || !Number.isSafeInteger(holder["pid"])) return undefined;
    return { ...(holder as unknown as LeaseHolder), heartbeatAt: mtime.toISOString() };
  } catch {
    return undefined;
  }
}

function leaseFile(folder: string, run: string): string {
  return join(folder, "leases", `${run}.json`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
