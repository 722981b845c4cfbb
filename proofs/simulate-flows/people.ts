/** What people say to a run that asks: rightly, wrongly, twice, late, and in any order. */

import type { OpenRequest } from "@turnseal/folds";
import { answerMessage, decideMessage, retryMessage, signalMessage } from "@turnseal/host";
import type { InboxMessage } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { findAwaitedProvider } from "@turnseal/views";
import type { Move } from "../simulate/move.ts";
import { requests as sent } from "./doers.ts";
import { NEVER, SIGNALS } from "./grow-leaf.ts";
import type { Place } from "./places.ts";
import { replyTo } from "./reply.ts";
import { type FlowWorld, isUnkind } from "./world.ts";

const ada = { id: "ada", roles: [] };
const bob = { id: "bob", roles: [] };

export async function listWords(world: FlowWorld, place: Place): Promise<Move[]> {
  const { tally, random, scenario } = world;
  const moves: Move[] = [];
  const noted = (what: string, weight: number, make: () => Promise<unknown>): void => {
    moves.push({
      weight,
      make: async () => {
        tally.count(`word ${what}`);
        await make();
      },
    });
  };
  const { openTurn } = place.watch.projection();
  for (const request of openTurn?.asked ?? []) {
    world.shown.set(request.hash, { run: place.run, request });
    noted(request.kind, 6, () => answer(world, place.run, request));
    if (isUnkind(world)) noted("wrong", 0.5, () => answerWrongly(world, place.run, request));
  }
  for (const { name } of openTurn?.waits ?? []) {
    if (name === NEVER) continue;
    noted("signal", 6, () => signal(world, place.run, name, payloadOf(name)));
    if (isUnkind(world) && scenario.loops.strictSignals.has(name))
      noted("signal-wrong", 0.3, () => signal(world, place.run, name, "wrong"));
  }
  if (!isUnkind(world)) return moves;
  const early = random.pick(SIGNALS);
  noted("signal-unasked", 0.1, () => signal(world, place.run, early, payloadOf(early)));
  const past = [...world.shown.values()].filter(({ run }) => run === place.run);
  if (past.length > 0) {
    const { request } = random.pick(past);
    noted("again-or-late", 0.4, () => answer(world, place.run, request, ` ${world.step}`));
  }
  return moves;
}

/** Every signal of a name has the same payload, so that its receiver does not matter. */
function payloadOf(name: string): JsonValue {
  return replyTo("signal", name);
}

async function signal(
  { stores, step }: FlowWorld,
  run: string,
  name: string,
  payload: JsonValue,
): Promise<void> {
  const toSend = { name, payload, by: ada.id, key: `signal ${step}` };
  await stores.inbox.put(signalMessage(run, toSend));
}

async function answer(
  world: FlowWorld,
  run: string,
  request: OpenRequest,
  again = "",
): Promise<void> {
  const message =
    request.kind === "approval"
      ? decideMessage(run, request, { choice: "approve", by: bob })
      : answerMessage(run, request, { answer: await answerTo(world, run, request), by: bob });
  await put(world, { ...message, key: `${message.key}${again}` });
}

/** Answers a request, by its content. */
async function answerTo(
  { stores }: FlowWorld,
  run: string,
  { request }: OpenRequest,
): Promise<JsonValue> {
  const bytes = request === null ? undefined : await stores.blobs.read(run, request.digest);
  return replyTo(
    "person",
    bytes === undefined ? null : JSON.parse(new TextDecoder().decode(bytes)),
  );
}

/** Of another shape, by nobody, or to a request that there is not. */
async function answerWrongly(world: FlowWorld, run: string, request: OpenRequest): Promise<void> {
  const nobody = { id: "", roles: [] };
  const hash = `${request.hash.slice(0, -1)}${request.hash.endsWith("0") ? "1" : "0"}`;
  const message = world.random.pick(
    request.kind === "approval"
      ? [
          decideMessage(run, request, { choice: "approve", by: nobody }),
          decideMessage(run, { ...request, hash }, { choice: "approve", by: bob }),
        ]
      : [
          answerMessage(run, request, { answer: { value: "many" }, by: bob }),
          answerMessage(run, { ...request, hash }, { answer: { value: 1 }, by: bob }),
        ],
  );
  await put(world, { ...message, key: `wrong ${world.step}` });
}

async function put({ stores }: FlowWorld, message: InboxMessage): Promise<void> {
  await stores.inbox.put(message);
}

/** Somebody has seen to a provider that is waited for, and lets its run do again what it did. */
function askAgain(world: FlowWorld, { run, watch }: Place): Move {
  const make = async (): Promise<void> => {
    world.tally.count("word ask-again");
    const { turns: turn } = watch.projection();
    await put(world, retryMessage(run, { turn, by: bob.id, again: true }));
  };
  return { weight: 10, make };
}

/** A person who resolves an effect looks at the outside first, and tells the truth. */
export function listResolutions(world: FlowWorld, place: Place): Move[] {
  const { outside, attempts, step, asked, stores, tally } = world;
  const projection = place.watch.projection();
  if (findAwaitedProvider(projection) !== undefined) return [askAgain(world, place)];
  const { openTurn } = projection;
  const unknown = (openTurn?.open ?? []).filter(({ isUnknown }) => isUnknown);
  if (openTurn?.waiting?.for !== "person") return [];
  return unknown.flatMap(({ key, hash: claimHash }): Move[] => {
    const isPending = attempts.some(
      (attempt) =>
        attempt.state() !== "crashed" && attempt.gates.some((gate) => sent.get(gate)?.key === key),
    );
    if (isPending || outside.isOnItsWay(key)) return [];
    const isDone = outside.timesDone(key) > 0;
    const result = isDone ? { result: replyTo("pay", asked.get(key) ?? null) } : {};
    const resolution = isDone ? "happened" : "retry";
    const body = { key, claimHash, resolution, by: bob, ...result };
    const make = async (): Promise<void> => {
      tally.count(`word ${resolution}`);
      await stores.inbox.put({ run: place.run, key: `resolve ${step}`, kind: "resolve", body });
    };
    return [{ weight: 10, make }];
  });
}
