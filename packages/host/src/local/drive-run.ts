import { listHandoffs } from "@turnseal/folds";
import { INBOX_POLL_MS } from "@turnseal/kernel";
import { type AdvanceOptions, advance } from "../advance.ts";
import type { Advanced } from "../decide/advanced.ts";
import { dues } from "../decide/dues.ts";
import { lookAtOf } from "../decide/look-at.ts";
import { deliver, OWING_PAUSE_MS } from "../deliver/deliver.ts";
import type { HostPorts } from "../host-ports.ts";
import type { KnownRollback } from "../undo/find/rollback-chain.ts";
import { askRollback } from "../undo/run/trigger-rollback.ts";
import {
  CARRIED_LOOK_MS,
  type CarriedElsewhere,
  type DriveOptions,
  type HoldAlone,
} from "./hold-run-alone.ts";

export interface DrivePorts extends HostPorts {
  readonly holdAlone: HoldAlone;
}

/** Drives a run one step forward, and delivers what it owes to others. */
export async function stepRun(
  run: string,
  ports: HostPorts,
  options?: AdvanceOptions,
): Promise<Advanced> {
  return (await stepAndDeliver(run, ports, options)).advanced;
}

async function stepAndDeliver(
  run: string,
  ports: HostPorts,
  options?: AdvanceOptions,
): Promise<Stepped> {
  for (;;) {
    const advanced = await advance(run, ports, options);
    if (!("projection" in advanced)) return { advanced, isOwing: false, rollback: undefined };
    const delivery = await deliver(advanced.projection, ports);
    const rollback = await askRollback(advanced.projection, ports);
    if (delivery !== "told") return { advanced, isOwing: delivery === "owing", rollback };
  }
}

interface Stepped {
  readonly advanced: Advanced;
  readonly isOwing: boolean;
  /** The rollback that the run has asked for by itself, where it has not ended. */
  readonly rollback: KnownRollback | undefined;
}

/** Where a run stands, and when to look at it or a run that it hands to again. */
export type Driven = Advanced & { readonly lookAtMs?: number };

/**
 * Drives a run, and those that it hands to, until it stops or only a person can help; it waits for
 * times in between.
 */
export async function driveRun(
  run: string,
  ports: DrivePorts,
  options?: DriveOptions,
): Promise<Advanced> {
  const driven = await ports.holdAlone(run, () => driveToRest(run, ports, options), options);
  return "dues" in driven ? driven : toCarried(driven);
}

async function driveToRest(
  run: string,
  ports: DrivePorts,
  options?: AdvanceOptions,
): Promise<Advanced> {
  for (;;) {
    const { advanced, wakeAtMs, looks } = await driveTree(run, ports, options);
    if (wakeAtMs === undefined) return advanced;
    await waitForDue(looks, wakeAtMs, { ...ports, ...signalsOf(options) });
    if (isOver(signalsOf(options))) return advanced;
  }
}

/** Drives a run, and those that it hands to, as far as they go now; it never waits. */
export async function driveNow(
  run: string,
  ports: DrivePorts,
  options?: DriveOptions,
): Promise<Driven> {
  const { advanced, lookAtMs } = await driveBelow(run, ports, options);
  return { ...advanced, ...(lookAtMs === undefined ? {} : { lookAtMs }) };
}

/** Drives a run, unless another process does: then the next look is soon. */
async function driveBelow(
  run: string,
  ports: DrivePorts,
  options?: DriveOptions,
): Promise<DrivenTree> {
  const given = { waitMs: 0, ...options };
  const driven = await ports.holdAlone(run, () => driveTree(run, ports, options), given);
  if ("looks" in driven) return driven;
  const againMs = ports.clock.now() + CARRIED_LOOK_MS;
  return { advanced: toCarried(driven), wakeAtMs: againMs, lookAtMs: againMs, looks: [] };
}

function toCarried({ holder }: CarriedElsewhere): Advanced {
  const what = `process ${holder.pid} on ${holder.machine}`;
  return { dues: { kind: "blocked", why: "carried", what, holder } };
}

/** True for a rollback that no worker has begun, or that can go on now. */
function isMoving({ projection }: KnownRollback): boolean {
  return projection === undefined || dues(projection).kind === "continue";
}

type Signals = Pick<AdvanceOptions, "attempt" | "leave">;

/** Aborting the work on a run also aborts the work on the runs that it hands to. */
function signalsOf({ attempt, leave }: AdvanceOptions = {}): Signals {
  return {
    ...(attempt === undefined ? {} : { attempt }),
    ...(leave === undefined ? {} : { leave }),
  };
}

function isOver({ attempt, leave }: Signals): boolean {
  return attempt?.aborted === true || leave?.aborted === true;
}

/** A run and those below it, each driven as far as it goes. */
interface DrivenTree {
  readonly advanced: Advanced;
  /** The first time at which one of them goes on by itself. */
  readonly wakeAtMs: number | undefined;
  /** The first time for a look: also when an approval expires. */
  readonly lookAtMs: number | undefined;
  readonly looks: readonly Look[];
}

/** An inbox in which a message ends the wait early. In that of a blocked run only a cancel does. */
interface Look {
  readonly run: string;
  readonly kind?: "cancel";
}

async function driveTree(
  run: string,
  ports: DrivePorts,
  options?: AdvanceOptions,
): Promise<DrivenTree> {
  for (;;) {
    const { advanced, isOwing, rollback } = await stepAndDeliver(run, ports, options);
    // It comes to where it waits for people, and is a run of its own from then on.
    if (rollback !== undefined && isMoving(rollback))
      await driveBelow(rollback.run, ports, signalsOf(options));
    const below: DrivenTree[] = [];
    if ("projection" in advanced)
      for (const { child } of listHandoffs(advanced.projection))
        below.push(await driveBelow(child, ports, signalsOf(options)));
    const { dues: owed } = advanced;
    // A run that was put down takes no result in.
    const isParked = owed.kind === "blocked" && owed.why === "error";
    const hasEnded = below.some((each) => each.advanced.dues.kind === "done");
    if ((hasEnded && !isParked) || owed.kind === "continue") continue;
    const isBlocked = owed.kind === "blocked";
    const nowMs = ports.clock.now();
    const againMs = isOwing ? nowMs + OWING_PAUSE_MS : undefined;
    return {
      advanced,
      wakeAtMs: earliest([
        againMs,
        owed.kind === "wake" ? owed.atMs : undefined,
        ...below.map(({ wakeAtMs }) => wakeAtMs),
      ]),
      lookAtMs: earliest([
        againMs,
        lookAtOf(owed, nowMs),
        ...below.map(({ lookAtMs }) => lookAtMs),
      ]),
      looks: [
        { run, ...(isBlocked ? { kind: "cancel" } : {}) },
        ...below.flatMap(({ looks }) => looks),
      ],
    };
  }
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Waits for the time, or for something in an inbox: a cancel does not wait for a deadline. */
async function waitForDue(
  looks: readonly Look[],
  atMs: number,
  { clock, stores, ...signals }: Pick<HostPorts, "clock" | "stores"> & Signals,
): Promise<void> {
  for (;;) {
    const leftMs = atMs - clock.now();
    if (leftMs <= 0 || isOver(signals)) return;
    await new Promise<void>((resume) => {
      clock.after(Math.min(leftMs, INBOX_POLL_MS), resume);
    });
    for (const { run, kind } of looks) if (await stores.inbox.has(run, kind)) return;
  }
}
