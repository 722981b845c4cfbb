/**
 * The promise of docs/operate/deployments.md: waiting runs go through a deployment, a wrong image,
 * a rollback and another deployment, and none of them ends for it.
 */
import { manualClock, memoryStores, type Signer, type Stores, seededIds } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";

const RUNS = 300;
const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const any = jsonSchema<object>(true);
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const asks: Policy = { name: "ask", rules: [{ id: "pay", decision: "ask" }] };
const by = { id: "bob", roles: [] };
const awaits = { turnsMax: 2, awaits: ["message"], nextInput: { text: "$.signals.message" } };

function openFleet() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const paid = new Map<string, number>();
  const pay = (version: string) =>
    defineTool({
      ...{ id: "pay", version, input: any, output: any, effect: "once", build: version },
      run: (_, { key }) => {
        paid.set(key, (paid.get(key) ?? 0) + 1);
        return { version };
      },
    });
  const chat = (version: string) =>
    definePrompt({ id: "chat", version, input: any, output: any, template: `I am ${version}` });
  const deploy = (loops: readonly Loop<never, unknown>[], seen: Stores = stores) =>
    createLocalHost({ loops, stores: seen, signer, clock, ids: seededIds("fleet") });
  const images = {
    one: deploy([pay("1.0.0"), chat("1.0.0")]),
    // The new versions beside the old ones.
    both: deploy([pay("1.1.0"), chat("1.1.0"), pay("1.0.0"), chat("1.0.0")]),
    // Somebody forgot the old ones, or took another project's image.
    wrong: deploy([pay("1.1.0"), chat("1.1.0")]),
    empty: deploy([]),
  };
  return { stores, paid, pay, chat, images };
}

type Fleet = ReturnType<typeof openFleet>;
type Image = keyof Fleet["images"];

/** Parks runs at an approval, and others between two messages. */
async function park({ images, pay, chat }: Fleet): Promise<string[]> {
  const runs: string[] = [];
  for (let index = 0; index < RUNS; index++) {
    const key = `run ${index}`;
    const run =
      index % 2 === 0
        ? await images.one.start(pay("1.0.0"), {}, { key, grant, policy: asks })
        : await images.one.start(chat("1.0.0"), {}, { key, grant, bounds: awaits });
    expect((await images.one.drive(run)).dues.kind).toBe("wait");
    runs.push(run);
  }
  return runs;
}

/** Says to a run what it waits for. */
async function tell({ images }: Fleet, image: Image, run: string): Promise<void> {
  const [request] = await images[image].requests(run);
  if (request === undefined)
    await images[image].signal(run, { name: "message", payload: "hi", key: "m", by: "ada" });
  else await images[image].decide(run, request.id, { choice: "approve", by });
}

test(`${RUNS} parked runs go through deploy, wrong image, rollback and deploy`, async () => {
  const fleet = openFleet();
  const { images, stores, paid } = fleet;
  const runs = await park(fleet);
  const stopped = async () => {
    const states = await Promise.all(runs.map((run) => images.one.show(run)));
    return states.filter((state) => state?.stopped !== null).length;
  };
  // A wrong image drives everything for a while: half of the runs get a message meanwhile.
  for (const [index, run] of runs.entries()) {
    if (index < RUNS / 2) await tell(fleet, "wrong", run);
    for (const image of ["wrong", "empty", "wrong"] as const) await images[image].drive(run);
  }
  // Conversations go on with their own prompt: the ones with a message have had their turns.
  expect(await stopped()).toBe(RUNS / 4);
  expect(paid.size).toBe(0);
  const blocked = await Promise.all(runs.map(async (run) => (await images.one.show(run))?.blocked));
  expect(blocked.filter((each) => each?.cause === "loop-missing")).toHaveLength(RUNS / 4);
  // The rollback carries a third of those; a worker of another version wrote some snapshots.
  for (const run of runs.slice(0, 50)) await images.one.drive(run);
  for (const run of runs.slice(50, 100)) await stores.runs.drop(run);
  expect(await stopped()).toBe(RUNS / 4 + 25);
  // The new version, with the old beside it, drives the rest, and all later messages.
  for (const [index, run] of runs.entries()) {
    if (index >= RUNS / 2) await tell(fleet, "both", run);
    await images.both.drive(run);
  }
  const ends = await Promise.all(runs.map(async (run) => (await images.one.show(run))?.stopped));
  expect(new Set(ends)).toEqual(new Set(["goal-reached", "turns-exhausted"]));
  expect([...paid.values()]).toEqual(Array.from({ length: RUNS / 2 }, () => 1));
}, 120_000);
