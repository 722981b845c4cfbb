/**
 * Appends of transitions to a database that fails at each write of them in turn. After a failure
 * nothing of the append is there; where it is made in the end, it is as if nothing had failed.
 */
import { uuidFrom } from "@turnseal/protocol";
import { createRandom } from "../simulate/random.ts";
import type { Faults } from "./faults.ts";
import { type CrashedStores, openTransitions } from "./open-transitions.ts";
import { readState, stateAfter } from "./run-state.ts";

export interface FailedFigures {
  appends: number;
  /** Writes at which the database has failed, and the append was refused. */
  failures: number;
  /** Connections that ended at a write; the store has asked again by itself. */
  connectionsEnded: number;
  /** What did not hold, in words. */
  readonly torn: string[];
}

export interface FailRequest {
  readonly name: string;
  readonly seed: number;
  readonly runs: number;
  /** Of each run. */
  readonly appends: number;
  /** Stores that read the state: connections of the others end with every refusal. */
  readonly watch: CrashedStores;
}

/** More writes than any append has. */
const WRITES_MAX = 1_000;

export async function failWrites(
  stores: CrashedStores,
  faults: Faults,
  request: FailRequest,
): Promise<FailedFigures> {
  const figures: FailedFigures = { appends: 0, failures: 0, connectionsEnded: 0, torn: [] };
  for (let index = 0; index < request.runs && figures.torn.length === 0; index++) {
    const seed = request.seed + index;
    await failRun(stores, faults, { ...request, seed, run: uuidFrom(`failed ${seed}`), figures });
  }
  return figures;
}

interface FailedRun extends FailRequest {
  readonly run: string;
  readonly figures: FailedFigures;
}

async function failRun(stores: CrashedStores, faults: Faults, each: FailedRun): Promise<void> {
  const { run, seed, figures, name, watch } = each;
  const random = createRandom(seed);
  const transitions = await openTransitions(stores, { run, seed });
  let writes = 1;
  for (let count = 0; count < each.appends && figures.torn.length === 0; count++) {
    const before = stateAfter(run, transitions.events);
    const append = transitions.next();
    const tryAt = async (at: number, kind: string): Promise<string> => {
      await faults.arm(at, kind);
      try {
        return (await stores.log.append(append)).kind;
      } catch {
        return "refused";
      }
    };
    const tear = (words: string) => figures.torn.push(`${name}, seed ${seed}: ${words}`);
    const failAll = async (): Promise<string> => {
      for (let at = 1; at < WRITES_MAX; at++)
        for (const kind of faults.refusing) {
          const answer = await tryAt(at, kind);
          // There is no such write any more.
          if (answer !== "refused") return answer;
          [writes, figures.failures] = [at, figures.failures + 1];
          if ((await readState(watch, run)) !== before) tear(`half an append at write ${at}`);
        }
      return "refused";
    };
    const isEnded = faults.ending !== undefined && count % 2 === 1;
    if (isEnded) figures.connectionsEnded += 1;
    const answer = await (isEnded ? tryAt(random.between(1, writes), faults.ending) : failAll());
    await faults.disarm();
    figures.appends += 1;
    if (answer !== "appended") tear(`an append was answered ${answer}`);
    if ((await readState(watch, run)) !== stateAfter(run, transitions.events))
      tear("an append that was made again is another");
  }
}
