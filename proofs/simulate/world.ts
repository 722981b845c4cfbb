/** Everything that one seed is about. */
import {
  type Append,
  type ManualClock,
  manualClock,
  memoryStores,
  type Stores,
} from "@turnseal/ports";
import { uuidFrom } from "@turnseal/protocol";
import type { Attempt } from "./attempt.ts";
import { createPromises, type Promises } from "./fault.ts";
import { createOutside, type Outside } from "./outside.ts";
import { createPlaces, type Places } from "./places.ts";
import { createRandom, type Random } from "./random.ts";
import { drawToday, type SimulatedPolicy } from "./rules.ts";
import type { Said } from "./said.ts";
import { drawScenario, PRICES, type Scenario } from "./scenario.ts";
import { createSigningKeys, type SigningKeys } from "./signing-keys.ts";
import { createTally, type Tally } from "./tally.ts";

export interface World {
  readonly random: Random;
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly outside: Outside;
  readonly promises: Promises;
  readonly tally: Tally;
  readonly places: Places;
  readonly scenario: Scenario;
  readonly attempts: Attempt[];
  readonly keys: SigningKeys;
  /** Everything that people said. */
  readonly said: Said[];
  /** Who sent each signal, by run and key. */
  readonly notes: Map<string, string>;
  /** The rules of today: workers that begin now are held to their denials. */
  today: SimulatedPolicy | undefined;
  step: number;
  /** Appends with receipts that nobody has verified yet. */
  readonly unverified: Append[];
  crashes: number;
  curses: number;
  isCancelled: boolean;
  hasLostReceipt: boolean;
  isSnapshotAhead: boolean;
}

/** One seed in so many has a root that talks on and on, where it has a prompt as its root. */
const TALKATIVE = 5;

export async function createWorld(seed: number): Promise<World> {
  const random = createRandom(seed);
  const clock = manualClock();
  const stores = memoryStores(clock);
  const promises = createPromises();
  const tally = createTally();
  const outside = createOutside(clock, PRICES, promises);
  const run = uuidFrom(`simulation ${seed}`);
  const scenario = drawScenario(random, clock.now(), seed % TALKATIVE === 0);
  const said: Said[] = [];
  const notes = new Map<string, string>();
  const places = createPlaces(run, { scenario, outside, said, notes, promises, tally });
  await stores.inbox.put({ run, key: "start", kind: "start", body: scenario.body });
  return {
    random,
    clock,
    stores,
    outside,
    promises,
    tally,
    places,
    scenario,
    said,
    notes,
    today: random.chance(0.3) ? drawToday(random) : undefined,
    attempts: [],
    keys: createSigningKeys(clock.now(), scenario.keyPeriodMs),
    step: 0,
    unverified: [],
    crashes: 0,
    curses: 0,
    isCancelled: false,
    hasLostReceipt: false,
    isSnapshotAhead: false,
  };
}

/** True while faults may happen. */
export function isUnkind({ step, scenario }: World): boolean {
  return step < scenario.faultSteps;
}
