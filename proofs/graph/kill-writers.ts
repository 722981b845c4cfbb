/**
 * Processes that append transitions, each killed at a random moment. An append in progress must be
 * there as a whole or not at all, and an answered one must be there.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { checkChain, EMPTY_HEAD, uuidFrom } from "@turnseal/protocol";
import { createRandom } from "../simulate/random.ts";
import type { CrashedStores } from "./open-transitions.ts";
import { readState, stateAfter } from "./run-state.ts";

export interface KilledFigures {
  kills: number;
  /** Events that the processes have left. */
  events: number;
  /** Kills with an append in hand, and in how many of them it is there. */
  inHand: number;
  made: number;
  /** What did not hold, in words. */
  readonly torn: string[];
}

export interface KillRequest {
  readonly store: "sqlite" | "postgres";
  /** The file or the address that a process opens. */
  readonly place: string;
  readonly kills: number;
  readonly seed: number;
  readonly say: (words: string) => void;
}

/** A process is killed at this many milliseconds at most after its first append began. */
const LIFE_MS_MAX = 60;
/** So many events make a run long enough for another one. */
const RUN_EVENTS = 150;
const SAID_EVERY = 25;

export async function killWriters(
  stores: CrashedStores,
  request: KillRequest,
): Promise<KilledFigures> {
  const { store, seed, say } = request;
  const figures: KilledFigures = { kills: 0, events: 0, inHand: 0, made: 0, torn: [] };
  const random = createRandom(seed);
  let [index, known] = [0, 0];
  while (figures.kills < request.kills && figures.torn.length === 0) {
    const run = uuidFrom(`killed ${seed} ${index}`);
    const { begun, answered } = await killOne(request, run, random.below(LIFE_MS_MAX));
    figures.kills += 1;
    // From here on, what a server may still be doing for the process is refused.
    const { head } = await stores.log.takeEpoch(run);
    const events = await stores.log.read(run, 1);
    const tear = (words: string) => figures.torn.push(`${store}, run ${run}: ${words}`);
    const chain = checkChain(run, EMPTY_HEAD, events);
    if (chain.kind === "broken") tear(`the chain is broken: ${chain.code}`);
    if ((await readState(stores, run)) !== stateAfter(run, events))
      tear(`rows are not what the log says at event ${head.sequence}`);
    if (head.sequence < answered) tear(`event ${answered} was answered and is not there`);
    if (head.sequence !== begun && head.sequence !== Math.max(answered, known))
      tear(`the log stands at ${head.sequence}, between ${answered} and ${begun}`);
    if (begun > answered) figures.inHand += 1;
    if (begun > answered && head.sequence === begun) figures.made += 1;
    figures.events += head.sequence - known;
    known = head.sequence;
    if (head.sequence >= RUN_EVENTS) [index, known] = [index + 1, 0];
    if (figures.kills % SAID_EVERY === 0) say(`${store}: ${figures.kills} kills`);
  }
  return figures;
}

/** The last append that a process began, and the last answer it got, before it was killed. */
interface LastWords {
  readonly begun: number;
  readonly answered: number;
}

const cache = fileURLToPath(new URL("../../node_modules/.cache/turnseal-graph", import.meta.url));
const program = fileURLToPath(new URL("transition-worker.ts", import.meta.url));

async function killOne(request: KillRequest, run: string, lifeMs: number): Promise<LastWords> {
  const { store, place, seed } = request;
  const args = ["--conditions=turnseal-source", program, store, place, run, String(seed)];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    // Most of a process's life goes into reading the same sources.
    env: { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: "" },
  });
  const last = { begun: 0, answered: 0 };
  const closed = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const first = Promise.race([once(lines, "line"), closed]);
  lines.on("line", (line) => {
    const [word, sequence] = line.split(" ");
    last[word === "begun" ? "begun" : "answered"] = Number(sequence);
  });
  await first;
  await sleep(lifeMs);
  child.kill("SIGKILL");
  await closed;
  if (child.signalCode !== "SIGKILL") throw new Error("a process ended before it was killed");
  return last;
}
