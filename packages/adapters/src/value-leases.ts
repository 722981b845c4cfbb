/**
 * Leases of runs as values of a store: the process that sets the value has the lease.
 *
 * 1. A lease changes hands by compare-and-set on the version that the taker has seen.
 * 2. A heartbeat sets the value again. A holder whose value another has set holds nothing.
 * 3. A value has the id of its lease. If the answer to a change was lost, the holder recognises its
 *    value by that. Otherwise an abandoned lease would count until this process ends.
 * 4. A holder on this machine is checked by its process; one elsewhere counts as alive until it is
 *    silent.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import {
  type Clock,
  LEASE_HEARTBEAT_MS,
  LEASE_SILENCE_MS,
  type LeaseAnswer,
  type LeaseHolder,
  type RunLease,
  type RunLeases,
  systemClock,
  type ValueStateLayer,
  VERSION_NONE,
} from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { readProcessStart } from "./read-process-start.ts";

export interface LeasingProcess {
  readonly pid: number;
  readonly processStart: string;
  readonly machine: string;
  /** The boot and the process namespace, in which an id names one process. */
  readonly place: string;
}

export interface ValueLeasesOptions {
  readonly values: Pick<ValueStateLayer, "read" | "compareAndSet" | "transact">;
  readonly clock?: Clock;
  /** The process that takes leases: this one by default. */
  readonly owner?: LeasingProcess;
}

const KEY = "turnseal:lease/";
const ATTEMPTS_MAX = 200;
/** How often a release is tried while the store is away. */
const RELEASES_MAX = 300;
/** How often a value is looked for whose answer was lost: the store may still be setting it. */
const LOST_LOOKS = 5;

/** Reads the process that this program is. */
export function readOwnProcess(): LeasingProcess {
  const { pid } = process;
  const machine = hostname();
  return { pid, processStart: readProcessStart(pid) ?? "", machine, place: readPlace(machine) };
}

/** Binds leases to the values of a store. */
export function valueLeases({
  values,
  clock = systemClock,
  owner = readOwnProcess(),
}: ValueLeasesOptions): RunLeases {
  const now = (): string => new Date(clock.now()).toISOString();
  const isSilent = watchSilence(clock);
  const isPresent = (run: string, holder: KnownHolder): boolean =>
    holder.place === owner.place
      ? readProcessStart(holder.pid) === holder.processStart
      : !isSilent(run, holder);
  const read = async (run: string) => {
    const row = await values.read(KEY + run);
    const holder = row && toHolder(row.value);
    const isHeld = holder !== undefined && isPresent(run, holder);
    return { version: row?.version ?? VERSION_NONE, holder: isHeld ? holder : undefined };
  };
  return {
    read: async (run) => toShown((await read(run)).holder),
    take: async (run, { force = false } = {}): Promise<LeaseAnswer> => {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const { version, holder } = await read(run);
        if (holder !== undefined && !force) return { kind: "held", holder: toShown(holder) };
        const own = { ...owner, lease: randomUUID(), takenAt: now() };
        const beat = (seen: number) =>
          values.compareAndSet(KEY + run, seen, { ...own, heartbeatAt: now() });
        const held = findOwn(values, KEY + run, own.lease);
        const answer = await beat(version).catch((error: unknown) => {
          void giveBack(held.drop, LOST_LOOKS);
          throw error;
        });
        if (answer.kind === "stale") continue;
        return { kind: "taken", lease: keepLease(answer.version, { ...held, beat }) };
      }
      throw new Error(`the lease of run ${run} changes hands too often`);
    },
  };
}

/**
 * Tells whether a holder elsewhere is silent. A heartbeat of a clock that is ahead counts from when
 * it was first seen here. Otherwise such a machine would hold its runs for as long after it has
 * died.
 */
function watchSilence(clock: Clock): (run: string, holder: LeaseHolder) => boolean {
  const ahead = new Map<string, { readonly heartbeatAt: string; readonly sinceMs: number }>();
  return (run, { heartbeatAt }) => {
    const nowMs = clock.now();
    const known = ahead.get(run);
    ahead.delete(run);
    if (!(Date.parse(heartbeatAt) > nowMs))
      return !(nowMs - Date.parse(heartbeatAt) <= LEASE_SILENCE_MS);
    const sinceMs = known?.heartbeatAt === heartbeatAt ? known.sinceMs : nowMs;
    ahead.set(run, { heartbeatAt, sinceMs });
    return nowMs - sinceMs > LEASE_SILENCE_MS;
  };
}

interface OwnValue {
  /** The version of the value; undefined where it is there no more. */
  readonly find: () => Promise<number | undefined>;
  readonly drop: () => Promise<void>;
}

/** The value of one lease, under any version. */
function findOwn(values: ValueLeasesOptions["values"], key: string, lease: string): OwnValue {
  const find = async (): Promise<number | undefined> => {
    const row = await values.read(key);
    return isPlainObject(row?.value) && row.value["lease"] === lease ? row.version : undefined;
  };
  const drop = async (): Promise<void> => {
    const version = await find();
    if (version !== undefined) await values.transact([{ kind: "delete", key, version }]);
  };
  return { find, drop };
}

/** Removes the value. While the store is away, it tries again, also later. */
async function giveBack(drop: OwnValue["drop"], looks = 1, attempt = 1): Promise<void> {
  let left = looks;
  try {
    await drop();
    left -= 1;
  } catch {
    // It tries again.
  }
  if (left === 0 || attempt >= RELEASES_MAX) return;
  setTimeout(() => void giveBack(drop, left, attempt + 1), LEASE_HEARTBEAT_MS).unref();
}

interface KeptValue extends OwnValue {
  readonly beat: (seen: number) => ReturnType<ValueStateLayer["compareAndSet"]>;
}

/** Beats until the lease is released or lost. */
function keepLease(taken: number, { beat, find, drop }: KeptValue): RunLease {
  let version = taken;
  let beating: Promise<void> = Promise.resolve();
  const stop = (): void => clearInterval(timer);
  const beatOnce = async (): Promise<void> => {
    const answer = await beat(version);
    const seen = answer.kind === "done" ? answer.version : await find();
    if (seen === undefined) stop();
    else version = seen;
  };
  // If the store is away, the next beat tries again.
  const timer = setInterval(() => {
    beating = beating.then(beatOnce).catch(() => {});
  }, LEASE_HEARTBEAT_MS);
  timer.unref();
  return {
    // The log has the result of the run: a store that is away now does not change it.
    release: async () => {
      stop();
      await beating;
      await giveBack(drop);
    },
  };
}

interface KnownHolder extends LeaseHolder, LeasingProcess {}

function toHolder(value: JsonValue): KnownHolder | undefined {
  if (!isPlainObject(value) || !Number.isSafeInteger(value["pid"])) return undefined;
  return value as unknown as KnownHolder;
}

function toShown(holder: KnownHolder): LeaseHolder;
function toShown(holder: KnownHolder | undefined): LeaseHolder | undefined;
function toShown(holder: KnownHolder | undefined): LeaseHolder | undefined {
  if (holder === undefined) return undefined;
  const { pid, machine, takenAt, heartbeatAt } = holder;
  return { pid, machine, takenAt, heartbeatAt };
}

function readPlace(machine: string): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}/${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return machine;
  }
}
