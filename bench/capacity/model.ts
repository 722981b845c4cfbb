/** From a load to what it takes, by figures that were measured. Everything grows by a factor. */
import {
  EFFORT,
  type Effort,
  IDLE,
  PARKED,
  REPAIRED_PER_SECOND,
  RESTART_S,
  STORED,
  STREAM_KB,
  WAL_KB,
} from "./measured.ts";

export interface Load {
  readonly runsPerSecond: number;
  /** Turns of each run. */
  readonly turns: number;
  /** Runs that wait for somebody. */
  readonly parked: number;
  readonly tenants: number;
  /** How long ended runs are kept. */
  readonly days: number;
  /** People who watch a run. */
  readonly streams: number;
  /** How long the model and the tools of a turn take: so long it holds a slot. */
  readonly turnSeconds: number;
}

export interface Need {
  readonly turnsPerSecond: number;
  /** Of each tenant, where all want the same: they share slots and connections. */
  readonly tenantTurnsPerSecond: number;
  /** Cores that are busy, by part. */
  readonly cores: Effort;
  /** Cores to have, where each part is to be busy for no more than BUSY_MAX. */
  readonly coresToHave: Effort;
  readonly statementsPerSecond: number;
  readonly rowsPerSecond: number;
  readonly walMbPerSecond: number;
  readonly storedGb: number;
  readonly slots: number;
  readonly workers: number;
  readonly connections: number;
  /** What the engine holds for runs that wait. */
  readonly engineTimers: number;
  readonly streamsGb: number;
  /** After a restore, or a loss of the engine: until every parked run was read. */
  readonly repairMinutes: number;
  /** After all parts were killed. */
  readonly restartSeconds: number;
}

/** How busy a core may be before what waits for it waits noticeably. */
export const BUSY_MAX = 0.6;
/** Slots of a worker, and connections beside: what `turnseal worker` has unless told otherwise. */
export const WORKER_SLOTS = 32;
export const SPARE_CONNECTIONS = 4;
const DAY_S = 86_400;
const KB_OF_GB = 1_000_000;

export function computeNeed(load: Load): Need {
  const { runsPerSecond, turns, parked, tenants, days, streams, turnSeconds } = load;
  const turnsPerSecond = runsPerSecond * turns;
  const spent = scaleEffort(runsPerSecond / 1_000, turns);
  const cores = mapEffort(spent, (value, part) => IDLE[part] + value);
  const slots = Math.max(1, Math.ceil((turnsPerSecond * turnSeconds) / BUSY_MAX));
  // A worker is one process: it has one core, with any number of slots.
  const workers = Math.ceil(Math.max(cores.worker / BUSY_MAX, slots / WORKER_SLOTS));
  return {
    turnsPerSecond,
    tenantTurnsPerSecond: turnsPerSecond / tenants,
    cores,
    coresToHave: mapEffort(cores, (busy) => Math.ceil(busy / BUSY_MAX)),
    statementsPerSecond:
      runsPerSecond * (STORED.shortRunStatements + (turns - 1) * STORED.turnStatements),
    rowsPerSecond: turnsPerSecond * STORED.turnRows,
    walMbPerSecond: (runsPerSecond * walOf(turns)) / 1_000,
    storedGb:
      (turnsPerSecond * STORED.turnKb * DAY_S * days + parked * PARKED.databaseKb) / KB_OF_GB,
    slots,
    workers,
    connections: workers * (WORKER_SLOTS + SPARE_CONNECTIONS),
    engineTimers: parked * PARKED.engineTimers,
    streamsGb: (streams * STREAM_KB) / KB_OF_GB,
    repairMinutes: parked / REPAIRED_PER_SECOND / 60,
    restartSeconds: RESTART_S,
  };
}

/** Milliseconds of one run, times a number of them. */
export function scaleEffort(runs: number, turns: number): Effort {
  const of = (part: keyof Effort) => runs * (EFFORT.run[part] + turns * EFFORT.turn[part]);
  return { worker: of("worker"), postgres: of("postgres"), engine: of("engine") };
}

/** Kilobytes of write-ahead log of one run. */
export function walOf(turns: number): number {
  return WAL_KB.run + turns * WAL_KB.turn;
}

function mapEffort(
  { worker, postgres, engine }: Effort,
  change: (value: number, part: keyof Effort) => number,
): Effort {
  return {
    worker: change(worker, "worker"),
    postgres: change(postgres, "postgres"),
    engine: change(engine, "engine"),
  };
}
