/**
 * What must hold of a run when all is over: a stranger accepts it, it can be folded again, and
 * every turn replays.
 */
import { loadProjection, type RunProjection } from "@turnseal/host";
import { createContent, replayTurn } from "@turnseal/kernel";
import type { Stores, ToolBinding } from "@turnseal/ports";
import {
  type BlobRef,
  canonicalize,
  foldSpending,
  type LoopEvent,
  type Spending,
} from "@turnseal/protocol";
import { verifyRun } from "@turnseal/protocol/receipts";
import type { Promises } from "./fault.ts";
import { registries, TOOLS } from "./loops.ts";
import { PRICES } from "./scenario.ts";
import { verificationKey } from "./signing-key.ts";

export interface EndedRun {
  readonly run: string;
  readonly stores: Stores;
  readonly events: readonly LoopEvent[];
  readonly projection: RunProjection;
  readonly promises: Promises;
}

export async function checkEnd(ended: EndedRun): Promise<void> {
  const { run, stores, events, projection, promises } = ended;
  const receipts = await stores.receipts.list(run, 1);
  const texts = receipts.map(({ envelope }) => canonicalize(envelope));
  const verdict = await verifyRun({ run, events, receipts: texts }, { keys: [verificationKey] });
  const [found] = verdict.findings;
  promises.hold(found === undefined, `a stranger finds ${found?.code} at ${found?.sequence}`);

  await stores.runs.drop(run);
  const { sequence, hash } = projection;
  const loaded = await loadProjection(stores, run, { sequence, hash });
  const isEqual =
    loaded.kind === "loaded" && canonicalize(loaded.projection) === canonicalize(projection);
  promises.hold(isEqual, "I7: the log folds to another state than the snapshot had");

  for (const turn of listTurns(events)) await checkReplay(turn, ended);
}

function listTurns(events: readonly LoopEvent[]): LoopEvent[][] {
  const turns: LoopEvent[][] = [];
  let first = 0;
  for (const [index, { type }] of events.entries()) {
    if (type === "turn.started") first = index;
    if (type === "turn.closed") turns.push(events.slice(first, index + 1));
  }
  return turns;
}

async function checkReplay(
  events: LoopEvent[],
  { run, stores, projection, promises }: EndedRun,
): Promise<void> {
  const [started] = events;
  const { spec } = projection;
  const key = await stores.blobs.keepKey(run, new Uint8Array(32));
  const receipt = await stores.receipts.read(run, started?.turn ?? 0);
  if (spec === null || started === undefined || key === undefined || receipt === undefined)
    return promises.hold(false, "a closed turn lacks what it takes to replay it");
  const content = createContent(run, key, stores.blobs);
  const spending = foldSpending(started.content["spending"] as unknown as Spending, started);
  const { turn = 0 } = started;
  const replayed = await replayTurn(
    {
      ...spec,
      run,
      turn,
      previousReceipt: null,
      input: await content.read(started.content["input"] as unknown as BlobRef),
    },
    { events, envelope: receipt.envelope },
    {
      content,
      clock: { now: () => 0, after: () => () => {} },
      registry: registries.deployed,
      models: new Map([["scripted", { defaultModel: "scripted", generate: refuseToAct }]]),
      tools: replayTools,
      prices: PRICES,
      spending: () => spending,
    },
  );
  const why = replayed.kind === "different" ? replayed.message : "";
  promises.hold(replayed.kind !== "different", `turn ${turn} does not replay: ${why}`);
}

function refuseToAct(): never {
  throw new Error("nothing is executed in a replay");
}

const replayTools = new Map(
  Object.entries(TOOLS).map(([id, effect]): [string, ToolBinding] => [
    `local.${id}`,
    { effect, build: "simulated", run: refuseToAct, reconcile: refuseToAct },
  ]),
);
