/** What can happen next: who goes on, how time passes, what people say, and what goes wrong. */
import { dues } from "@turnseal/host";
import { type Attempt, answerLost, diskFull, type Gate } from "./attempt.ts";
import { requests } from "./doers.ts";
import { RESULT } from "./outside.ts";
import type { Fault } from "./tally.ts";
import { isUnkind, startAttempt, type World } from "./world.ts";

export interface Move {
  readonly weight: number;
  make(): Promise<void> | void;
}

interface Standing {
  readonly attempt: Attempt;
  readonly gate: Gate;
}

/** Every move that is possible now. */
export async function listMoves(world: World): Promise<Move[]> {
  const running = world.attempts.filter((attempt) => attempt.state() === "running");
  const frozen = world.attempts.filter((attempt) => attempt.state() === "frozen");
  const standing = listStanding(running);
  // A tool that was cut off goes on in a worker that has finished.
  const left = listStanding(world.attempts.filter((attempt) => attempt.state() === "ended"));
  return [
    ...listSteps(world, [...standing, ...left]),
    ...passTime(world, running, standing),
    ...frozen.flatMap((attempt) => [wake(world, attempt), sleepOn(world)]),
    ...(await listStarts(world, running, frozen)),
    ...listWords(world),
    ...(isUnkind(world) ? listHarm(world, running, standing) : []),
  ];
}

function listStanding(attempts: readonly Attempt[]): Standing[] {
  return attempts.flatMap((attempt) => attempt.gates.map((gate) => ({ attempt, gate })));
}

function listSteps(world: World, standing: readonly Standing[]): Move[] {
  return standing.map(({ attempt, gate }) => {
    const isCursed = gate.what === "cursed";
    return {
      weight: 40 / standing.length,
      make: () => (isCursed ? strike(world, attempt) : gate.open()),
    };
  });
}

function strike(world: World, attempt: Attempt): void {
  world.curses += 1;
  crash(world, attempt, "crash-before");
}

function passTime(
  { clock, random }: World,
  running: readonly Attempt[],
  standing: readonly Standing[],
): Move[] {
  const little = { weight: 4, make: () => clock.advance(random.between(1, 400)) };
  // Nobody stands at a gate: whoever runs waits for a timer.
  const isWaiting = running.length > 0 && standing.length === 0;
  const much = { weight: 30, make: () => clock.advance(random.between(500, 45_000)) };
  return isWaiting ? [little, much] : [little];
}

/** A long freeze: deadlines pass meanwhile. */
function sleepOn({ clock, random }: World): Move {
  return { weight: 0.7, make: () => clock.advance(random.between(10_000, 90_000)) };
}

function wake(world: World, attempt: Attempt): Move {
  return {
    weight: isUnkind(world) ? 1.5 : 20,
    make: () => {
      world.tally.count("fault wake");
      attempt.wake();
    },
  };
}

/**
 * An idle worker looks at the run when there is something to do, and now and then for no reason.
 */
async function listStarts(
  world: World,
  running: readonly Attempt[],
  frozen: readonly Attempt[],
): Promise<Move[]> {
  const { scenario, stores, run, watch, random, clock, blocked } = world;
  const projection = watch.projection();
  const isOver = projection.stopped !== null || blocked !== undefined;
  const busy = running.length + frozen.length;
  if (isOver || busy >= scenario.workers) return [];
  const start = (): void => {
    if (busy > 0) world.tally.count("fault take-over");
    startAttempt(world, random.below(scenario.workers));
  };
  const due = dues(projection);
  const hasRows = (await stores.inbox.peek(run)).length > 0;
  const isDue =
    hasRows || due.kind === "continue" || (due.kind === "wake" && clock.now() >= due.atMs);
  const moves: Move[] = [];
  if (isUnkind(world) || (isDue && running.length === 0))
    moves.push({ weight: running.length === 0 && isDue ? 30 : 0.4, make: start });
  if (due.kind === "wake" && running.length === 0)
    moves.push({ weight: 20, make: () => clock.advance(Math.max(1, due.atMs - clock.now())) });
  if (due.kind === "wait" && !hasRows && running.length === 0)
    world.promises.hold(
      projection.openTurn?.open.some(({ isUnknown }) => isUnknown) ?? false,
      "the run waits for a person who was asked nothing",
    );
  return moves;
}

/**
 * What people say to the run. A person who is asked looks at the outside first, and waits while it
 * is not clear.
 */
function listWords(world: World): Move[] {
  const { watch, outside, random, stores, run, attempts, step } = world;
  const { openTurn } = watch.projection();
  const asked = openTurn?.open.findLast(({ isUnknown }) => isUnknown);
  if (asked === undefined || openTurn?.waiting?.for !== "person") return [];
  const { key, hash: claimHash } = asked;
  const isPending = attempts.some(
    (attempt) =>
      attempt.state() !== "crashed" &&
      attempt.gates.some((gate) => requests.get(gate)?.key === key),
  );
  if (isPending || outside.isOnItsWay(key)) return [];
  const isDone = outside.timesDone(key) > 0;
  const resolution = isDone ? "happened" : random.chance(0.85) ? "retry" : "abandon";
  const body = { key, claimHash, resolution, by: "person", ...(isDone ? { result: RESULT } : {}) };
  const put = async (): Promise<void> => {
    await stores.inbox.put({ run, key: `resolve ${step}`, kind: "resolve", body });
  };
  return [{ weight: 10, make: put }];
}

function listHarm(
  world: World,
  running: readonly Attempt[],
  standing: readonly Standing[],
): Move[] {
  const { scenario, random, clock, tally } = world;
  const rate = scenario.unkindness * 100;
  const noted = (fault: Fault, weight: number, make: () => Promise<void> | void): Move => ({
    weight: weight * rate,
    make: () => {
      tally.count(`fault ${fault}`);
      return make();
    },
  });
  const moves: Move[] = [
    noted("clock-back", 0.15, () => clock.jump(clock.now() - random.between(1, 60_000))),
    noted("signal", 0.3, () => putSignal(world, `signal ${world.step}`)),
    noted("row-twice", 0.3, async () => {
      await putSignal(world, `twice ${world.step}`);
      await putSignal(world, `twice ${world.step}`);
    }),
  ];
  const [attempt] = running.length > 0 ? [random.pick(running)] : [];
  if (attempt !== undefined) {
    moves.push(
      { weight: 0.6 * rate, make: () => crash(world, attempt, "crash-before") },
      noted("freeze", 0.4, () => attempt.freeze()),
    );
  }
  if (standing.length > 0) moves.push(...harmAtGate(world, random.pick(standing), noted));
  // A cancel is most delicate while a worker looks for one.
  const isLooking = standing.some(({ gate }) => gate.what === "peek");
  if (scenario.isCancelled)
    moves.push(noted("cancel", isLooking ? 4 : 0.1, () => putCancel(world)));
  if (scenario.snapshotRunsAhead && !world.isSnapshotAhead)
    moves.push(
      noted("snapshot-ahead", 0.6, () => {
        world.isSnapshotAhead = true;
      }),
    );
  if (scenario.receiptIsLost && !world.hasLostReceipt)
    moves.push(
      noted("receipt-lost", 0.6, () => {
        world.hasLostReceipt = true;
      }),
    );
  return moves;
}

type Note = (fault: Fault, weight: number, make: () => Promise<void> | void) => Move;

function harmAtGate(world: World, { attempt, gate }: Standing, noted: Note): Move[] {
  const isWrite = gate.what === "append" || gate.what === "takeEpoch";
  const crashAfter = async (): Promise<void> => {
    await gate.openUnheard();
    crash(world, attempt, "crash-after");
  };
  return [
    { weight: 0.6 * world.scenario.unkindness * 100, make: crashAfter },
    ...(isWrite
      ? [
          noted("disk-full", 0.2, () => gate.refuse(diskFull())),
          noted("answer-lost", 0.2, async () => {
            await gate.openUnheard();
            gate.refuse(answerLost());
          }),
        ]
      : []),
  ];
}

/** The worker is gone at once; a request that it had sent may arrive all the same. */
function crash(world: World, attempt: Attempt, fault: Fault): void {
  const { tally, random, outside, clock } = world;
  tally.count(`fault ${fault}`);
  world.crashes += 1;
  for (const gate of attempt.gates) {
    const request = requests.get(gate);
    if (request === undefined || !random.chance(0.4)) continue;
    tally.count("fault lands-later");
    const leftMs = Date.parse(request.deadlineAt) - clock.now();
    outside.landLater(request, random.below(Math.max(1, leftMs)));
  }
  attempt.crash();
}

async function putSignal({ stores, run, step }: World, key: string): Promise<void> {
  const body = { name: "note", payload: `note ${step}`, by: "person" };
  await stores.inbox.put({ run, key, kind: "signal", body });
}

async function putCancel({ stores, run }: World): Promise<void> {
  await stores.inbox.put({ run, key: "cancel", kind: "cancel", body: { by: "person" } });
}
