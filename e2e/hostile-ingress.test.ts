// Hostile requests to the engine's ingress and to the port of a worker.
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DurableWorld, openDurableWorld, TENANT } from "./durable-world.ts";

const any = jsonSchema<object>(true);
const work = defineTool({
  ...{ id: "work", version: "1.0.0", input: any, output: any, effect: "idempotent", build: "1" },
  run: async () => ({}),
});

let world: DurableWorld;
let release: string;
beforeAll(async () => {
  world = await openDurableWorld({ loops: [work] });
  ({ release } = await world.startWorker());
});
afterAll(async () => {
  await world?.close();
});

const ANSWER_MS = 5_000;
const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const delivery = { key: "k", kind: "signal", body: {} };

interface Sent {
  readonly path: string;
  readonly body?: string;
}

/** The status of the answer; 0 where none comes. */
async function post({ path, body }: Sent): Promise<number> {
  const answer = await fetch(`${world.engine().ingress}/${path}`, {
    method: "POST",
    ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined);
  return answer?.status ?? 0;
}

const told = (key: string, body: unknown, handler = "deliver"): Sent => ({
  path: `Run/${encodeURIComponent(key)}/${handler}`,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const look = (key: string): Sent => ({ path: `Run/${encodeURIComponent(key)}/look` });

const refused: readonly [string, () => Sent][] = [
  ["a delivery to a run whose id is none", () => told(`${TENANT}:${"-".repeat(36)}`, delivery)],
  ["a look at a run whose id is none", () => look(`${TENANT}:${"0".repeat(36)}`)],
  [
    "looks at runs whose ids are none",
    () => told(`${TENANT}:${run}`, [{ run: "a".repeat(36) }], "lookAll"),
  ],
  ["looks at no list", () => told(`${TENANT}:${run}`, { length: 1e9 }, "lookAll")],
  [
    "looks at a time that is none",
    () => told(`${TENANT}:${run}`, [{ run, delayMs: -1 }], "lookAll"),
  ],
  ["a key without a tenant", () => told(`:${run}`, delivery)],
  ["a key of a tenant that is nobody", () => told(`nobody:${run}`, delivery)],
  [
    "a result, which only a run sends",
    () => told(`${TENANT}:${run}`, { ...delivery, kind: "result" }),
  ],
  [
    "an adoption, which only a person says",
    () => told(`${TENANT}:${run}`, { ...delivery, kind: "adopt" }),
  ],
  ["a body that is no object", () => told(`${TENANT}:${run}`, { ...delivery, body: [] })],
  ["no JSON", () => told(`${TENANT}:${run}`, "{")],
  ["nothing", () => told(`${TENANT}:${run}`, "null")],
  ["a step", () => ({ path: `Run/${encodeURIComponent(`${TENANT}:${run}`)}/advance` })],
  ["a step of a lane", () => told(`${TENANT}:${run}`, 0, "advanceFromLane")],
  [
    "a place in a lane",
    () => ({
      path: `Lane/${encodeURIComponent(`${TENANT}:1`)}/pass`,
      body: JSON.stringify(run),
    }),
  ],
  [
    "a step of a release",
    () => ({
      path: `Release_${release}/step`,
      body: JSON.stringify({ key: `${TENANT}:${run}`, epoch: 0 }),
    }),
  ],
];

test.each(refused)("%s is refused at once", async (_, sent) => {
  const status = await post(sent());
  expect([400, 403, 404, 405, 415]).toContain(status);
});

test("nothing of it is tried again", async () => {
  const query = "select id, target from sys_invocation where status <> 'completed'";
  const left = await world.until(async () => {
    const rows = await world.admin().query(query);
    return rows.length === 0 ? rows : undefined;
  }, 15_000);
  expect(left).toEqual([]);
});
