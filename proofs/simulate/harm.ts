/** What goes wrong: crashes, full disks, lost answers, jumping clocks, other rules, and cancels. */
import { LOG_WAIT_MS_MAX } from "@turnseal/kernel";
import { type Attempt, answerLost, diskFull, type Gate } from "./attempt.ts";
import { CANARY } from "./canary.ts";
import { requests } from "./doers.ts";
import { drawHostile } from "./hostile-values.ts";
import type { Move } from "./move.ts";
import { PEOPLE } from "./people.ts";
import { drawToday } from "./rules.ts";
import type { Fault } from "./tally.ts";
import { tell } from "./tell.ts";
import type { World } from "./world.ts";

export interface Standing {
  readonly attempt: Attempt;
  readonly gate: Gate;
}

type Note = (fault: Fault, weight: number, make: () => Promise<void> | void) => Move;

export function listHarm(
  world: World,
  running: readonly Attempt[],
  standing: readonly Standing[],
): Move[] {
  const { scenario, random, clock, tally } = world;
  const rate = scenario.unkindness * 100;
  const noted: Note = (fault, weight, make) => ({
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
    noted("policy-changed", 0.3, () => {
      world.today = drawToday(random);
    }),
    ...harmOnce(world, noted),
  ];
  const [attempt] = running.length > 0 ? [random.pick(running)] : [];
  if (attempt !== undefined) {
    moves.push(
      { weight: 0.6 * rate, make: () => crash(world, attempt, "crash-before") },
      noted("freeze", 0.4, () => attempt.freeze()),
    );
  }
  if (standing.length > 0) moves.push(...harmAtGate(world, random.pick(standing), noted));
  if (scenario.isCancelled)
    moves.push(
      noted("cancel", isDelicate(world, running, standing) ? 6 : 0.03, () => putCancel(world)),
    );
  return moves;
}

/** A cancel is most delicate while a worker acts and looks for one, waits, or has handed on. */
function isDelicate(
  { scenario: { cancelWhile }, places }: World,
  running: readonly Attempt[],
  standing: readonly Standing[],
): boolean {
  switch (cancelWhile) {
    case "looking":
      return standing.some(
        ({ gate, attempt: { gates } }) => gate.what === "has" && gates.length > 1,
      );
    case "waiting":
      return running.length > 0 && standing.length === 0;
    case "handed": {
      const { open = [] } = places.root.watch.projection().openTurn ?? {};
      return open.some(({ handoff }) => handoff !== null);
    }
  }
}

/** Faults of a store that happen once, and stay. */
function harmOnce(world: World, noted: Note): Move[] {
  const { scenario, isSnapshotAhead, hasLostReceipt } = world;
  const moves: Move[] = [];
  if (scenario.snapshotRunsAhead && !isSnapshotAhead)
    moves.push(
      noted("snapshot-ahead", 0.6, () => {
        world.isSnapshotAhead = true;
      }),
    );
  if (scenario.receiptIsLost && !hasLostReceipt)
    moves.push(
      noted("receipt-lost", 0.6, () => {
        world.hasLostReceipt = true;
      }),
    );
  return moves;
}

function harmAtGate(world: World, { attempt, gate }: Standing, noted: Note): Move[] {
  const isWrite = ["append", "takeEpoch", "put"].includes(gate.what);
  const crashAfter = async (): Promise<void> => {
    await gate.openUnheard();
    crash(world, attempt, "crash-after");
  };
  // Deliveries are lost between a run's append and its messages to others. Acts are repeated when a
  // crash comes between the act and its record.
  const isDelivery = gate.what === "put";
  const isActing = gate.what.startsWith("act ");
  const rate = world.scenario.unkindness * 100;
  const { clock, random } = world;
  const logMs = random.between(1_000, LOG_WAIT_MS_MAX * 1.5);
  return [
    ...(gate.what === "append" ? [noted("log-slow", 1, () => clock.advance(logMs))] : []),
    { weight: (isDelivery || isActing ? 2.5 : 0.6) * rate, make: crashAfter },
    ...(isDelivery
      ? [{ weight: 2 * rate, make: () => crash(world, attempt, "crash-undelivered") }]
      : []),
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
export function crash(world: World, attempt: Attempt, fault: Fault): void {
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

async function putSignal(world: World, key: string): Promise<void> {
  await tellNote(world, world.random.pick(world.places.all()).run, key);
}

/** Tells a run something: the signal that those begin turns with that wait for one. */
export async function tellNote(world: World, run: string, key: string): Promise<void> {
  const { step, scenario } = world;
  const words = drawHostile({ ...world, ...scenario }, "signal");
  const note = `note ${step} ${CANARY}`;
  const payload = Object.keys(words).length === 0 ? note : { note, ...words };
  // Two notes of one step come from the same person.
  const by = PEOPLE[step % PEOPLE.length]?.id ?? "";
  world.notes.set(`${run} ${key}`, by);
  const body = { name: "note", payload, by };
  await tell(world, () => ({ run, key, kind: "signal", body }));
}

async function putCancel(world: World): Promise<void> {
  const { stores, places } = world;
  world.isCancelled = true;
  const { run } = places.root;
  await stores.inbox.put({ run, key: "cancel", kind: "cancel", body: { by: "person" } });
}
