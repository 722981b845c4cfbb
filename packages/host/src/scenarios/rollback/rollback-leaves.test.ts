// The actions that a rollback leaves, and why: the compensation is gone or has other code, or the
// turn stays. And rollbacks that do not begin.
import { createMemorySigner, manualClock, memoryStores, type Stores } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { openRollbackDesk, type RollbackDesk } from "../__fixtures__/rollback-desk.ts";

const signer = await createMemorySigner();
const clock = manualClock();
const anything = jsonSchema<JsonValue>(true);

/** The tool as a worker has it: with what takes it back in a build, or without. */
function bookWith(undone: JsonValue[], undo?: string): Loop<JsonValue, JsonValue> {
  return defineTool({
    ...{ id: "book", version: "1.0.0", effect: "idempotent", build: "1" },
    input: anything,
    output: anything,
    run: (input) => input,
    ...(undo === undefined
      ? {}
      : {
          compensate: {
            ...{ effect: "idempotent", build: undo },
            run: (result) => void undone.push(result),
          },
        }),
  });
}

const hostOf = (stores: Stores, loop: Loop<JsonValue, JsonValue>) =>
  createLocalHost({ loops: [loop], stores, signer, clock });

/** A run with this number of turns, each with a booking. */
async function bookTurns(turnsMax: number) {
  const stores = memoryStores(clock);
  const undone: JsonValue[] = [];
  const book = bookWith(undone, "1");
  const host = hostOf(stores, book);
  const run = await host.start(
    book,
    { room: 1 },
    {
      ...{
        key: "run",
        by: "ada",
        bounds: { turnsMax, goal: { path: "$.output.never", equals: 1 } },
      },
      grant: { grantor: "ada", tools: ["local.book"], budget: { effects: 9, toolCalls: 9 } },
    },
  );
  await host.drive(run);
  return { stores, undone, host, run };
}

test("a worker without the compensation, or with another build, leaves the action", async () => {
  const { stores, run, undone } = await bookTurns(1);
  const look = async (undo?: string) => hostOf(stores, bookWith(undone, undo)).listRollback(run);
  expect(await look("1")).toMatchObject({ kind: "listed", steps: [{ tool: "local.book" }] });
  expect(await look("2")).toMatchObject({ steps: [], left: [{ why: "compensation-changed" }] });
  expect(await look()).toMatchObject({ steps: [], left: [{ why: "compensation-missing" }] });
  const answer = await hostOf(stores, bookWith(undone)).rollback(run, { by: "ada" });
  expect(answer).toMatchObject({ kind: "nothing" });
  expect(undone).toEqual([]);
});

test("what was changed between the approval and the act is not done", async () => {
  const { stores, run, undone, host } = await bookTurns(1);
  const answer = await host.rollback(run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await host.drive(answer.run);
  const [request] = await host.requests(answer.run);
  const by = { id: "bea", roles: [] };
  await host.decide(answer.run, request?.id ?? "", { choice: "approve", by });
  await hostOf(stores, bookWith(undone, "2")).drive(answer.run);
  expect(undone).toEqual([]);
  expect((await host.requests(answer.run)).map(({ kind }) => kind)).toEqual(["question"]);
});

test("to the end of a turn, what was done until then stays", async () => {
  const { run, undone, host, stores } = await bookTurns(3);
  expect((await host.show(run))?.turns).toBe(3);
  const list = await host.listRollback(run, 2);
  expect(list).toMatchObject({ kind: "listed", toTurn: 2, steps: [{ takesBack: { turn: 3 } }] });
  const take = async (toTurn: number) => {
    const answer = await host.rollback(run, { by: "ada", toTurn });
    if (answer.kind !== "proposed") throw new Error(answer.kind);
    await host.drive(answer.run);
    const [request] = await host.requests(answer.run);
    await host.decide(answer.run, request?.id ?? "", {
      ...{ choice: "approve", by: { id: "bea", roles: [] } },
    });
    await host.drive(answer.run);
    return answer.list.steps.map(({ takesBack }) => takesBack.turn);
  };
  expect(await take(1)).toEqual([3, 2]);
  expect(undone).toHaveLength(2);
  expect(await host.listRollback(run, 1)).toMatchObject({ kind: "known" });
  expect(await take(0)).toEqual([1]);
  expect(undone).toHaveLength(3);
  await stores.blobs.erase(run);
  expect(await host.listRollback(run, 0)).toMatchObject({ kind: "known", left: [] });
});

/** The run that a desk handed its second step to. */
async function childOf(desk: RollbackDesk): Promise<string> {
  const claimed = (await desk.events(desk.run)).flatMap(({ type, content }) =>
    type === "action.claimed" && content.action === "handoff" ? [content.child] : [],
  );
  return claimed[0] ?? "";
}

test("a run that was handed to, and may still begin, is not passed over", async () => {
  const desk = await openRollbackDesk({ steps: ["one", "two"], handed: ["two"] });
  await desk.work();
  const child = await childOf(desk);
  const see =
    (isTold: boolean) =>
    (stores: Stores): Stores => ({
      ...stores,
      log: {
        ...stores.log,
        append: stores.log.append.bind(stores.log),
        read: stores.log.read.bind(stores.log),
        readHead: async (run) => (run === child ? undefined : stores.log.readHead(run)),
      },
      inbox: {
        ...stores.inbox,
        has: async (run, key) => (run === child ? isTold : stores.inbox.has(run, key)),
      },
    });
  expect(await desk.open(see(true)).listRollback(desk.run)).toMatchObject({
    ...{ kind: "refused", why: "not-stopped" },
  });
  expect(await desk.open(see(false)).listRollback(desk.run)).toMatchObject({ kind: "listed" });
});

test("a family that is deeper than anybody looks is refused", async () => {
  const desk = await openRollbackDesk({ steps: ["one", "two"], handed: ["two"] });
  await desk.work();
  const child = await childOf(desk);
  // The child hands to itself, for ever.
  const see = (stores: Stores): Stores => ({
    ...stores,
    log: {
      ...stores.log,
      append: stores.log.append.bind(stores.log),
      readHead: stores.log.readHead.bind(stores.log),
      read: (run, from, count) => stores.log.read(run === child ? desk.run : run, from, count),
    },
  });
  expect(await desk.open(see).listRollback(desk.run)).toMatchObject({
    ...{ kind: "refused", why: "not-stopped" },
  });
});
