/** Lists the next moves: workers, the passing of time, people's messages, and faults. */
import { dues } from "@turnseal/host";
import { type Attempt, answerLost, diskFull, type Gate } from "../simulate/attempt.ts";
import type { Move } from "../simulate/move.ts";
import { requests } from "./doers.ts";
import { listResolutions, listWords } from "./people.ts";
import type { Place } from "./places.ts";
import { startAttempt } from "./worker.ts";
import { type FlowWorld, isUnkind } from "./world.ts";

interface Standing {
  readonly attempt: Attempt;
  readonly gate: Gate;
}

export async function listMoves(world: FlowWorld): Promise<Move[]> {
  const { attempts, places } = world;
  const running = attempts.filter((attempt) => attempt.state() === "running");
  const frozen = attempts.filter((attempt) => attempt.state() === "frozen");
  const standing = listStanding(running);
  // A tool that was cut off goes on in a worker that has finished.
  const left = listStanding(attempts.filter((attempt) => attempt.state() === "ended"));
  const all = [...standing, ...left];
  const moves: Move[] = [
    ...all.map(({ gate }) => ({ weight: 40 / all.length, make: () => gate.open() })),
    ...passTime(world, running, standing),
    ...frozen.map((attempt) => wake(world, attempt)),
    ...(isUnkind(world) ? listHarm(world, running, standing) : []),
  ];
  for (const place of places.all()) {
    if (places.isOver(place)) continue;
    moves.push(...(await listStarts(world, place)), ...listResolutions(world, place));
    moves.push(...(await listWords(world, place)));
  }
  return moves;
}

function listStanding(attempts: readonly Attempt[]): Standing[] {
  return attempts.flatMap((attempt) => attempt.gates.map((gate) => ({ attempt, gate })));
}

/**
 * Where results are compared nobody may be cut off for being slow, so time passes while everybody
 * waits for it.
 */
function passTime(
  world: FlowWorld,
  running: readonly Attempt[],
  standing: readonly Standing[],
): Move[] {
  const { clock, random, scenario } = world;
  const little = { weight: 4, make: () => clock.advance(random.between(1, 400)) };
  const isWaiting = running.length > 0 && standing.length === 0;
  // A call that waits in place before it tries again would find its time over after a long one.
  const mostMs = scenario.isHasty ? 45_000 : 2_000;
  const much = { weight: 30, make: () => clock.advance(random.between(500, mostMs)) };
  if (isWaiting && mayPass(world)) return [little, much];
  return scenario.isHasty && standing.length > 0 ? [little] : [];
}

/** A frozen worker that still owns its run would find its time over. */
function mayPass({ attempts, places, scenario }: FlowWorld): boolean {
  if (scenario.isHasty) return true;
  return !attempts.some(
    (attempt) =>
      attempt.state() === "frozen" && attempt.epoch === places.at(attempt.run).ownerEpoch,
  );
}

function wake(world: FlowWorld, attempt: Attempt): Move {
  return {
    weight: isUnkind(world) ? 1.5 : 20,
    make: () => {
      world.tally.count("fault wake");
      attempt.wake();
    },
  };
}

/** An idle worker looks at a run when there is something to do, and now and then for no reason. */
async function listStarts(world: FlowWorld, place: Place): Promise<Move[]> {
  const { scenario, stores, random, clock, places, attempts } = world;
  const own = attempts.filter(({ run }) => run === place.run);
  const running = own.filter((attempt) => attempt.state() === "running").length;
  const busy = running + own.filter((attempt) => attempt.state() === "frozen").length;
  if (busy >= scenario.workers) return [];
  const start = (): void => {
    if (busy > 0) world.tally.count("fault take-over");
    startAttempt(world, place, random.below(scenario.workers));
  };
  const due = dues(place.watch.projection());
  const hasRows = await stores.inbox.has(place.run);
  const atMs = due.kind === "wake" || due.kind === "wait" ? due.atMs : undefined;
  const isDue =
    (hasRows && due.kind !== "done") ||
    due.kind === "continue" ||
    places.isOwing(place) ||
    (atMs !== undefined && clock.now() >= atMs);
  const moves: Move[] = [];
  if (isUnkind(world) || (isDue && running === 0))
    moves.push({ weight: running === 0 && isDue ? 30 : 0.4, make: start });
  if (atMs !== undefined && running === 0 && !isDue && isFree(world, place))
    moves.push({
      weight: due.kind === "wake" ? 20 : 0.5,
      make: () => clock.advance(Math.max(1, atMs - clock.now())),
    });
  return moves;
}

/**
 * Time passes for all. If the flow is not hasty, time waits for running workers, and for people's
 * answers.
 */
function isFree(world: FlowWorld, place: Place): boolean {
  const { scenario, attempts, places } = world;
  if (scenario.isHasty) return true;
  const isActing = attempts.some(
    (attempt) => attempt.state() === "running" && attempt.gates.length > 0,
  );
  if (isActing || !mayPass(world)) return false;
  const isAsked = places.all().some(({ watch }) => {
    const { asked = [], waits = [] } = watch.projection().openTurn ?? {};
    return asked.length > 0 || waits.some(({ name }) => name !== "never");
  });
  return !isAsked || dues(place.watch.projection()).kind === "wake";
}

function listHarm(
  world: FlowWorld,
  running: readonly Attempt[],
  standing: readonly Standing[],
): Move[] {
  const { scenario, random, clock, tally, stores, places } = world;
  const rate = scenario.unkindness * 100;
  const noted = (fault: string, weight: number, make: Move["make"]): Move => ({
    weight: weight * rate,
    make: async () => {
      tally.count(`fault ${fault}`);
      await make();
    },
  });
  const moves: Move[] = [
    noted("clock-back", 0.15, () => clock.jump(clock.now() - random.between(1, 60_000))),
  ];
  if (scenario.isCancelled)
    moves.push(
      noted("cancel", 0.05, async () => {
        world.isCancelled = true;
        const { run } = places.root;
        await stores.inbox.put({ run, key: "cancel", kind: "cancel", body: { by: "ada" } });
      }),
    );
  if (running.length > 0) {
    const attempt = random.pick(running);
    moves.push(noted("crash-before", 0.6, () => crash(world, attempt)));
    moves.push(noted("freeze", 0.3, () => attempt.freeze()));
  }
  if (standing.length > 0) moves.push(...harmAtGate(world, random.pick(standing), noted));
  return moves;
}

type Note = (fault: string, weight: number, make: Move["make"]) => Move;

function harmAtGate(world: FlowWorld, { attempt, gate }: Standing, noted: Note): Move[] {
  const isWrite = ["append", "takeEpoch", "put"].includes(gate.what);
  const crashAfter = async (): Promise<void> => {
    await gate.openUnheard();
    crash(world, attempt);
  };
  const isActing = gate.what.startsWith("act ");
  const moves = [
    noted(isActing ? "crash-after-act" : "crash-after", isActing ? 2 : 0.6, crashAfter),
  ];
  if (!isWrite) return moves;
  return [
    ...moves,
    noted("disk-full", 0.2, () => gate.refuse(diskFull())),
    noted("answer-lost", 0.2, async () => {
      await gate.openUnheard();
      gate.refuse(answerLost());
    }),
  ];
}

/** The worker is gone at once; a request that it had sent may arrive all the same. */
function crash(world: FlowWorld, attempt: Attempt): void {
  const { tally, random, outside, clock } = world;
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
