/**
 * A run is driven while everybody whom it hears says what they like. With healthy stores nothing
 * is thrown; and in the end the run is done, waits, or is blocked with a cause, and can be
 * cancelled.
 */
import { setImmediate as settle } from "node:timers/promises";
import { listHandoffs, type RunProjection } from "@turnseal/folds";
import type { Advanced } from "@turnseal/host";
import type { InboxMessage } from "@turnseal/ports";
import { formatErrorChain, isLoopError, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { type Draft, timeAsync } from "../case-report.ts";
import { hostileJson, hostileObject } from "../hostile-values.ts";
import { type HostileWorld, openHostileWorld } from "../hostile-world.ts";
import { mutations } from "../mutations.ts";
import type { Random } from "../random.ts";

const MOVES_MAX = 8;
/** Steps after which a run that was cancelled has ended, with everything that it started. */
const LOOKS_MAX = 40;
/** Longer than anything waits that nobody has to answer. */
const LOOK_MS = 10 * 60 * 1000;

export async function breakAdvance(random: Random, draft: Draft): Promise<void> {
  draft.kind = "advance";
  const world = openHostileWorld(random);
  const started = await world.start();
  if (started === undefined) return void draft.outcomes.push("start refused");
  const run = random.next() < 0.2 ? await startBroken(random, world, started) : started;
  for (let move = 0; move < 1 + random.below(MOVES_MAX); move++) {
    if (random.next() < 0.4) await putHostileRow(random, world, { run, draft });
    if (random.next() < 0.1) await world.stores.runs.drop(run);
    if (random.next() < 0.1) world.clock.jump(world.clock.now() + random.pick([-1e9, 1e9, 1e12]));
    await step(world, run, draft);
    if (draft.problems.length > 0) return;
  }
  const driven = await driveAll(world, run, draft, (dues) => dues !== "continue");
  if (driven === undefined) return;
  draft.outcomes.push(`rests: ${describe(driven)}`);
  if (driven.dues.kind === "continue") draft.problems.push("the run goes on without end");
  // The stores are healthy: what fails for ever here was made to by what somebody said.
  if (driven.dues.kind === "blocked" && driven.dues.why === "error")
    draft.problems.push(`it rests ${describe(driven)}`);
  await cancel(world, run, draft);
  draft.isAccepted = true;
}

const otherRun = "7d0a3a5e-51c5-4c4f-8f39-8f0f6b1f2a3b";

/** Starts another run with a start that was valid and is broken. */
async function startBroken(random: Random, world: HostileWorld, run: string): Promise<string> {
  const [start] = await world.stores.inbox.peek(run, "start");
  const body = structuredClone(start?.body ?? {});
  const names = Object.keys(mutations) as (keyof typeof mutations)[];
  mutations[random.pick(names)](body, random);
  await world.stores.inbox
    .put({ run: otherRun, key: "start", kind: "start", body })
    .catch(() => undefined);
  return otherRun;
}

/** A cancel ends the run in any state. */
async function cancel(world: HostileWorld, run: string, draft: Draft): Promise<void> {
  const answer = await world.host.cancel(run, { key: "last", by: "ada" });
  if (answer.kind !== "stored") draft.problems.push(`the cancel is ${JSON.stringify(answer)}`);
  // A run that was never started has no end.
  if ((await world.host.show(run))?.spec == null) return;
  const ended = await driveAll(world, run, draft, (dues) => dues === "done");
  if (ended === undefined) return;
  draft.outcomes.push(`cancelled: ${describe(ended)}`);
  if (ended.dues.kind !== "done") draft.problems.push(`cancelled, it ${describe(ended)}`);
}

/** Advances a run and its child runs, until it is in the wanted state. */
async function driveAll(
  world: HostileWorld,
  run: string,
  draft: Draft,
  isThere: (dues: Advanced["dues"]["kind"]) => boolean,
): Promise<Advanced | undefined> {
  let advanced: Advanced | undefined;
  for (let look = 0; look < LOOKS_MAX; look++) {
    advanced = await step(world, run, draft);
    if (advanced === undefined) return undefined;
    if (isThere(advanced.dues.kind)) return advanced;
    for (const child of childrenOf(advanced)) await step(world, child, draft);
    world.clock.advance(LOOK_MS);
  }
  return advanced;
}

function childrenOf(advanced: Advanced): string[] {
  return "projection" in advanced
    ? listHandoffs(advanced.projection).map(({ child }) => child)
    : [];
}

/** One step, while time goes by: waiting timers fire. */
async function step(
  { host, clock }: HostileWorld,
  run: string,
  draft: Draft,
): Promise<Advanced | undefined> {
  let isOver = false;
  const going = timeAsync(draft, () => host.advance(run)).finally(() => {
    isOver = true;
  });
  going.catch(() => {});
  for (let tick = 0; !isOver; tick++) {
    await settle();
    if (tick % 20 === 19) clock.advance(1_000);
  }
  try {
    return await going;
  } catch (error) {
    const code = isLoopError(error) ? `${error.code} ` : "";
    const where = error instanceof Error ? error.stack : "";
    draft.problems.push(`thrown: ${code}${formatErrorChain(error)} ${where}`);
    return undefined;
  }
}

function describe(advanced: Advanced): string {
  const { dues } = advanced;
  if (dues.kind === "blocked") return `blocked ${dues.why} ${dues.what ?? ""}`;
  const stopped = "projection" in advanced ? advanced.projection.stopped : null;
  return stopped === null ? dues.kind : `${dues.kind} ${stopped}`;
}

interface Place {
  readonly run: string;
  readonly draft: Draft;
}

const kinds = ["start", "signal", "cancel", "resolve", "decide", "answer", "result"] as const;

/** Puts a row past the host, as somebody may who reaches the inbox: never an exception. */
async function putHostileRow(random: Random, world: HostileWorld, place: Place): Promise<void> {
  const kind = random.pick(kinds);
  const projection = await world.host.show(place.run);
  const known = projection === undefined ? {} : describeOpen(projection, random);
  const say = (...usual: JsonValue[]): JsonValue =>
    random.next() < 0.8 ? random.pick(usual) : hostileJson(random);
  const body: JsonObject = {
    ...known,
    ...{ by: say("ada", { id: "ada", roles: ["finance"] }), name: say("message") },
    ...{ payload: say({ text: "hi" }), answer: say(1), result: say({}), output: say("x") },
    ...{ spent: say({ turns: 1 }), receipt: say("sha256:0"), choice: say("approve", "edit") },
    ...{ resolution: say("happened", "retry", "abandon"), stopped: say("goal-reached", "failed") },
    ...{ reason: say("because"), arguments: say({}), turn: say(1, 2), input: say({}) },
    ...(random.next() < 0.2 ? hostileObject(random) : {}),
  };
  const key =
    random.next() < 0.9
      ? `${kind}:${random.below(5)}`
      : random.pick(["a\0b", "", "\ud800", "k".repeat(600)]);
  await put(world, { run: place.run, key, kind, body: thin(body, random) }, place.draft);
}

async function put(world: HostileWorld, message: InboxMessage, draft: Draft): Promise<void> {
  try {
    const answer = await world.stores.inbox.put(message);
    draft.outcomes.push(answer.kind === "refused" ? `put ${answer.reason}` : `put ${answer.kind}`);
  } catch (error) {
    draft.problems.push(`put threw: ${formatErrorChain(error)}`);
  }
}

/** Names what is open, so that hostile rows reach further than the first check. */
function describeOpen({ openTurn }: RunProjection, random: Random): JsonObject {
  const claims = openTurn?.open ?? [];
  const requests = openTurn?.asked ?? [];
  const claim = claims.length === 0 ? undefined : random.pick(claims);
  const request = requests.length === 0 ? undefined : random.pick(requests);
  return {
    ...(claim === undefined ? {} : { key: claim.key, claimHash: claim.hash, claim: claim.claim }),
    ...(claim?.handoff == null ? {} : { child: claim.handoff.child }),
    ...(request === undefined ? {} : { approval: request.hash, question: request.hash }),
  };
}

/** Leaves some fields out. */
function thin(body: JsonObject, random: Random): JsonObject {
  const kept = Object.entries(body).filter(() => random.next() < 0.9);
  return Object.fromEntries(kept);
}
