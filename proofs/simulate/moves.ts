/** Lists the next moves: workers, the passing of time, people's messages, and faults. */
import { dues } from "@turnseal/host";
import { findAwaitedProvider } from "@turnseal/views";
import type { Attempt } from "./attempt.ts";
import { crash, listHarm, type Standing, tellNote } from "./harm.ts";
import type { Move } from "./move.ts";
import { listDecisions } from "./people.ts";
import type { Place } from "./places.ts";
import { listResolutions } from "./resolutions.ts";
import { startAttempt } from "./worker.ts";
import { isUnkind, type World } from "./world.ts";

/** Every move that is possible now. */
export async function listMoves(world: World): Promise<Move[]> {
  const { attempts, places } = world;
  const running = attempts.filter((attempt) => attempt.state() === "running");
  const frozen = attempts.filter((attempt) => attempt.state() === "frozen");
  const standing = listStanding(running);
  // A tool that was cut off goes on in a worker that has finished.
  const left = listStanding(attempts.filter((attempt) => attempt.state() === "ended"));
  const moves = [
    ...listSteps(world, [...standing, ...left]),
    ...passTime(world, running, standing),
    ...frozen.flatMap((attempt) => [wake(world, attempt), sleepOn(world)]),
    ...(isUnkind(world) ? listHarm(world, running, standing) : []),
  ];
  for (const place of places.all()) {
    if (places.isOver(place)) continue;
    moves.push(...(await listStarts(world, place)), ...listResolutions(world, place));
    moves.push(...(await listDecisions(world, place)));
  }
  return moves;
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
  // No worker stands at a gate: the running ones wait for a timer.
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
 * An idle worker looks at a run when there is something to do, and now and then for no reason.
 */
async function listStarts(world: World, place: Place): Promise<Move[]> {
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
  if (atMs !== undefined && running === 0)
    moves.push({
      weight: due.kind === "wake" ? 20 : 0.5,
      make: () => clock.advance(Math.max(1, atMs - clock.now())),
    });
  if (place.watch.awaitsSignal() && !isDue && running === 0)
    moves.push({ weight: 15, make: () => tellNote(world, place.run, `awaited ${world.step}`) });
  if (due.kind === "wait" && !isDue && running === 0)
    world.promises.hold(
      isWaitedFor(place, world),
      "the run waits for somebody who was asked nothing",
    );
  return moves;
}

/** True when the run waits for a person, a signal or a provider, or for a run that it started. */
function isWaitedFor({ watch }: Place, { places }: World): boolean {
  const projection = watch.projection();
  const { open = [], asked = [] } = projection.openTurn ?? {};
  return (
    asked.length > 0 ||
    watch.awaitsSignal() ||
    findAwaitedProvider(projection) !== undefined ||
    open.some(
      ({ isUnknown, handoff }) =>
        isUnknown || (handoff !== null && !places.isOver(places.at(handoff.child))),
    )
  );
}
