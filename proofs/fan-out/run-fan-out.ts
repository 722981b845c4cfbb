/**
 * A tree of fan-outs whose items are runs, on a real engine and database. A worker and the engine
 * are killed on the way, and the result is compared with the true effects.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { collectRun, createLocalHost, type LocalHost } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { committed, isClaimOf, type JsonValue, listUnits } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { createTree } from "@turnseal/protocol/receipts";
import { type EngineWorld, openEngineWorld } from "../../bench/engine-world.ts";
import { crashPublicKey, crashSigner } from "../kit/crash-key.ts";
import { countRuns, type TreeShape, treeGrant, treeLoops } from "./tree-loops.ts";

export interface FanOutRequest {
  readonly width: number;
  readonly depth: number;
  readonly leafMs: number;
  readonly workers: number;
  readonly slots: number;
  readonly say: (words: string) => void;
}

export interface FanOutFigures {
  /** How the run above all others stopped. */
  readonly stopped: string;
  readonly leaves: number;
  /** Leaves that were done, each counted once, and calls of them. */
  readonly effects: number;
  readonly calls: number;
  readonly runs: number;
  readonly receipts: number;
  /** What a stranger finds wrong with the whole tree. */
  readonly findings: number;
  /** Units of the budget that exceeded their cap, over all of the tree. */
  readonly overCap: number;
  /** True when the run above lists the results of the leaves in their order. */
  readonly inOrder: boolean;
  /** Events of the run above, for each of its items. */
  readonly eventsAnItem: number;
  readonly seconds: number;
  /** What the leaves take, in all places of all workers at once. */
  readonly idealSeconds: number;
  readonly ratio: number;
}

/** How long the tree may take. */
const TREE_MS_MAX = 30 * 60_000;
const LOOK_EVERY_MS = 250;

export async function runFanOut(request: FanOutRequest): Promise<FanOutFigures> {
  const { width, depth, leafMs, workers, slots, say } = request;
  const folder = mkdtempSync(join(tmpdir(), "turnseal-fan-out-"));
  const shape: TreeShape = { width, depth, leafMs, marks: join(folder, "marks") };
  writeFileSync(shape.marks, "");
  const program = new URL("worker.ts", import.meta.url);
  const world = await openEngineWorld({ program, workers, settings: { slots, shape } });
  try {
    const loop = treeLoops(shape);
    const host = createLocalHost({
      ...{ loops: [loop], stores: world.stores, signer: crashSigner, put: world.ingress.put },
    });
    const beganMs = performance.now();
    const run = await host.start(loop, { at: 0 }, { grant: treeGrant(shape) });
    const stopped = await waitForTree(run, { host, world, shape, say });
    const seconds = (performance.now() - beganMs) / 1_000;
    say(`stopped after ${seconds.toFixed(1)} s: ${stopped}`);
    const judged = await judgeTree(run, { stores: world.stores, host, loop, shape });
    const leaves = width ** depth;
    const idealSeconds = (leaves * leafMs) / 1_000 / (workers * slots);
    return {
      ...{ stopped, leaves, ...judged },
      seconds: round(seconds),
      idealSeconds: round(idealSeconds),
      ratio: round(seconds / idealSeconds),
    };
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

interface Waiting {
  readonly host: LocalHost;
  readonly world: EngineWorld;
  readonly shape: TreeShape;
  readonly say: FanOutRequest["say"];
}

/** Waits until the tree has ended; on the way a worker is killed, and then the engine. */
async function waitForTree(run: string, { host, world, shape, say }: Waiting): Promise<string> {
  const leaves = shape.width ** shape.depth;
  const kills = [
    { at: Math.floor(leaves / 3), what: "a worker", kill: world.restartWorker },
    { at: Math.floor((2 * leaves) / 3), what: "the engine", kill: world.restartEngine },
  ];
  const endMs = performance.now() + TREE_MS_MAX;
  while (performance.now() < endMs) {
    const done = readMarks(shape).length;
    const [next] = kills;
    if (next !== undefined && done >= next.at) {
      kills.shift();
      say(`${done} of ${leaves} leaves: ${next.what} is killed`);
      await next.kill();
    }
    const { stopped = null } = (await host.show(run)) ?? {};
    if (stopped !== null) return stopped;
    await sleep(LOOK_EVERY_MS);
  }
  return "not in time";
}

/** The keys of the leaves that were done, as often as they were. */
function readMarks({ marks }: TreeShape): string[] {
  const lines = readFileSync(marks, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => line.split(" ")[0] ?? "");
}

interface Judging {
  readonly stores: Stores;
  readonly host: LocalHost;
  readonly loop: Loop<JsonValue, JsonValue>;
  readonly shape: TreeShape;
}

type Judged = Omit<FanOutFigures, "stopped" | "leaves" | "seconds" | "idealSeconds" | "ratio">;

async function judgeTree(run: string, { stores, host, loop, shape }: Judging): Promise<Judged> {
  const tree = createTree({ keys: [crashPublicKey] });
  const waiting = [run];
  let [runs, receipts, events] = [0, 0, 0];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const collected = await collectRun(stores, one);
    await tree.add(collected);
    runs += 1;
    receipts += collected.receipts.length;
    if (one === run) events = collected.events.length;
    for (const event of collected.events)
      if (isClaimOf("handoff", event)) waiting.push(event.content.child);
  }
  const verdict = tree.judge();
  const found = [...verdict.runs.flatMap(({ findings }) => findings), ...verdict.set.findings];
  const marks = readMarks(shape);
  const { spending } = (await host.show(run)) ?? {};
  const spent = spending === undefined ? {} : committed(spending);
  const cap = treeGrant(shape).budget;
  const over = listUnits(cap).filter((unit) => (spent[unit] ?? 0) > (cap[unit] ?? 0));
  const outcome = await host.resume(loop, run);
  const given = outcome.status === "completed" ? flatten(outcome.output) : [];
  return {
    effects: new Set(marks).size,
    calls: marks.length,
    ...{ runs, receipts, findings: found.length, overCap: over.length },
    inOrder: given.length === shape.width ** shape.depth && given.every((at, i) => at === i),
    eventsAnItem: round(events / shape.width),
  };
}

/** What the leaves gave, without the lists around them. */
function flatten(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value.flatMap(flatten) : [value];
}

/** What has to be so. */
export function goalsOf({ width, depth }: Pick<FanOutRequest, "width" | "depth">) {
  const leaves = width ** depth;
  const runs = countRuns({ width, depth });
  return { effects: leaves, runs, receipts: runs, findings: 0, overCap: 0, ratio: "at most 1.5" };
}

export function isPassed(figures: FanOutFigures, request: FanOutRequest): boolean {
  const { ratio: _, ...exact } = goalsOf(request);
  const isExact = Object.entries(exact).every(
    ([name, value]) => figures[name as keyof typeof exact] === value,
  );
  const { stopped, inOrder, ratio } = figures;
  return isExact && stopped === "goal-reached" && inOrder && ratio <= 1.5;
}
