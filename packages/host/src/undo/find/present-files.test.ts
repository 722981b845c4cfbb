import { createMemorySigner, manualClock, memoryStores } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { openKeyedRoot } from "../../scenarios/__fixtures__/keyed-root.ts";
import { findCheckpoint, listCheckpoints } from "./checkpoints.ts";
import { digestPresentFiles } from "./present-files.ts";

const signer = await createMemorySigner();

/** A run of three turns, each of which writes a shared page and one of its own. */
async function openTurns() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const site = openKeyedRoot("site");
  site.put("theirs", "theirs");
  let turn = 0;
  const write = defineTool({
    ...{ id: "write", version: "1.0.0", build: "1", effect: "idempotent" },
    ...{ artifacts: { root: "site" }, input: jsonSchema<object>(true), output: jsonSchema(true) },
    run: async (_, { artifacts }) => {
      turn += 1;
      const bytes = new TextEncoder().encode(`turn ${turn}`);
      await artifacts.write("shared", bytes);
      await artifacts.write(`own-${turn}`, bytes);
      const there = await artifacts.read("theirs");
      const expected = there.kind === "read" ? there.digest : "absent";
      if (turn === 2) await artifacts.write("theirs", bytes, { expected });
      return { turn };
    },
  });
  const host = createLocalHost({ loops: [write], stores, signer, clock, roots: site.roots });
  const run = await host.start(write, {} as never, {
    ...{ key: "run", by: "ada" },
    bounds: { turnsMax: 3, goal: { path: "$.output.never", equals: 1 } },
    grant: { grantor: "ada", tools: ["local.write"], budget: { effects: 9, toolCalls: 9 } },
  });
  await host.drive(run);
  const standing = async () => {
    const { checkpoints } = await listCheckpoints(stores, run);
    const [first] = checkpoints;
    const digests = [];
    for (const checkpoint of checkpoints)
      digests.push(await digestPresentFiles(checkpoint, { stores, roots: site.roots }));
    return { first, digests, files: checkpoints.map(({ files }) => files) };
  };
  const takeBack = async (toTurn: number) => {
    const answer = await host.rollback(run, { by: "ada", toTurn });
    if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
    await host.drive(answer.run);
    const [request] = await host.requests(answer.run);
    const by = { id: "bea", roles: [] };
    await host.decide(answer.run, request?.id ?? "", { choice: "approve", by });
    await host.drive(answer.run);
    return (await host.show(answer.run))?.stopped;
  };
  return { stores, site, run, host, standing, takeBack };
}

test.each([2, 1, 0])("after a rollback to turn %i files are those of its page", async (toTurn) => {
  const { site, standing, takeBack } = await openTurns();
  const before = await standing();
  // The end of the last turn is what stands.
  expect(before.digests[3]).toEqual(before.files[3]);
  expect(before.digests[toTurn]).not.toEqual(before.files[toTurn]);
  expect(await takeBack(toTurn)).toBe("goal-reached");
  const after = await standing();
  expect(after.files).toEqual(before.files);
  expect(after.digests[toTurn]).toEqual(before.files[toTurn]);
  if (toTurn === 0) expect(after.files[0]).toEqual({});
  site.put("own-1", "somebody else");
  expect((await standing()).digests[toTurn]).not.toEqual(before.files[toTurn]);
});

test("a file too many, another one and one that is no file are noticed", async () => {
  const { site, stores, run, takeBack } = await openTurns();
  await takeBack(1);
  const checkpoint = await findCheckpoint(stores, run, 1);
  if (checkpoint === undefined) throw new Error("no checkpoint");
  const look = async () => digestPresentFiles(checkpoint, { stores, roots: site.roots });
  expect(await look()).toEqual(checkpoint.files);
  site.put("own-3", "turn 3");
  expect(await look()).not.toEqual(checkpoint.files);
  site.remove("own-3");
  expect(await look()).toEqual(checkpoint.files);
  site.put("theirs", "turn 2");
  expect(await look()).not.toEqual(checkpoint.files);
  site.remove("shared");
  site.link("shared");
  expect(await look()).toEqual({ site: "unknown" });
});
