/** Everything that one execution of a seed's flow is about. */

import type { OpenRequest } from "@turnseal/folds";
import {
  type Append,
  type ManualClock,
  manualClock,
  memoryStores,
  type Stores,
} from "@turnseal/ports";
import { type JsonValue, uuidFrom } from "@turnseal/protocol";
import type { Attempt } from "../simulate/attempt.ts";
import { createPromises, type Promises } from "../simulate/fault.ts";
import { createOutside, type Outside } from "../simulate/outside.ts";
import { createRandom, type Random } from "../simulate/random.ts";
import { createSigningKeys, type SigningKeys } from "../simulate/signing-keys.ts";
import { createTally, type Tally } from "../simulate/tally.ts";
import { createPlaces, type Places } from "./places.ts";
import { drawScenario, type FlowScenario } from "./scenario.ts";

export interface FlowWorld {
  readonly seed: number;
  readonly random: Random;
  readonly clock: ManualClock;
  readonly startsMs: number;
  readonly stores: Stores;
  readonly outside: Outside;
  readonly promises: Promises;
  readonly tally: Tally;
  readonly places: Places;
  readonly scenario: FlowScenario;
  readonly attempts: Attempt[];
  readonly keys: SigningKeys;
  /** The request of each action, by key. */
  readonly asked: Map<string, JsonValue>;
  /** Requests that people were shown and may still answer, whether or not they are open. */
  readonly shown: Map<string, { readonly run: string; readonly request: OpenRequest }>;
  /** Appends with receipts that nobody has verified yet. */
  readonly unverified: Append[];
  /** Undefined where nothing goes wrong at all. */
  readonly faultSteps: number;
  step: number;
  crashes: number;
  isCancelled: boolean;
}

const PRICES = { asOf: "2026-01-01", models: {} };

interface Opening {
  /** True for an execution in which nothing goes wrong. */
  readonly isCalm: boolean;
}

/** The same seed gives the same flow, calm or not. */
export async function createWorld(seed: number, { isCalm }: Opening): Promise<FlowWorld> {
  const random = createRandom(seed);
  const clock = manualClock();
  const stores = memoryStores(clock);
  const promises = createPromises();
  const tally = createTally();
  const outside = createOutside(clock, PRICES, promises);
  const run = uuidFrom(`flow ${seed}`);
  const startsMs = clock.now();
  const scenario = drawScenario(random, startsMs);
  const places = createPlaces(run, { scenario, outside, promises, tally });
  await stores.inbox.put({ run, key: "start", kind: "start", body: scenario.body });
  return {
    ...{ seed, random, clock, startsMs, stores, outside, promises, tally, places, scenario },
    attempts: [],
    keys: createSigningKeys(startsMs, undefined),
    ...{ asked: new Map(), shown: new Map(), unverified: [] },
    faultSteps: isCalm ? 0 : scenario.faultSteps,
    ...{ step: 0, crashes: 0, isCancelled: false },
  };
}

/** True while faults may happen. */
export function isUnkind({ step, faultSteps }: Pick<FlowWorld, "step" | "faultSteps">): boolean {
  return step < faultSteps;
}
