// A fork is a run of its own: another grant, another key, and a note of where it came from.
import { join } from "node:path";
import { createRuns } from "@turnseal/runtime/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deskFile, openFolder, rules } from "./desk.test.data.ts";

const folder = openFolder();
afterAll(folder.remove);
const store = ["--store", join(folder.path, "store")];
const policy = folder.write("rules.json", rules);
const grantOf = (...tools: string[]) => ({ grantor: "bob", tools, budget: { turns: 3 } });

let old = "";
let before = "";

async function readJson(...args: string[]) {
  return JSON.parse((await folder.run([...args, "--json", ...store])).out);
}

const exportOf = async (run: string): Promise<string> =>
  (await folder.run(["export", run, "--out", "-", ...store])).out;

beforeAll(async () => {
  const harnessed = ["--policy", policy, "--allow", "desk.lookup", "--turns-max", "2"];
  const { out } = await folder.run([
    ...["run", "lookup", "--from", deskFile, "--input", '{"order":"A-1"}', "--json", ...store],
    ...["--goal", "output.order=B", ...harnessed],
  ]);
  old = JSON.parse(out.split("\n")[0] ?? "")["run"];
  before = await exportOf(old);
});

async function fork(turn: number, grant: unknown, ...more: string[]) {
  const file = folder.write("grant.json", grant);
  const args = ["fork", old, "--from-turn", String(turn), "--grant", file, "--json", ...more];
  const ended = await folder.run([...args, ...store]);
  const [first = "{}"] = ended.out.split("\n");
  return { ...ended, run: String(JSON.parse(first || "{}")["run"]) };
}

test("it begins with the input of the turn, under a grant of its own, and says so", async () => {
  const { run, code } = await fork(2, grantOf("desk.lookup"));
  expect(code).toBe(1);
  const shown = await readJson("show", run, "--content");
  const [, second] = (await readJson("show", old))["latestTurns"];
  expect(shown).toMatchObject({
    forkedFrom: { run: old, turn: 2, receipt: second["receipt"] },
    grant: grantOf("desk.lookup"),
    bounds: { turnsMax: 2, goal: { equals: "B" } },
    content: { input: { order: "A-1" } },
  });
  const explained = await folder.run(["explain", run, ...store]);
  const line = `from turn 2 of run ${old}, receipt ${second["receipt"]}`;
  expect(explained.out).toContain(`forked ${line}`);
  expect((await folder.run(["show", run, ...store])).out).toContain(line);
  expect((await folder.run(["verify", run, ...store])).code).toBe(0);
  expect((await folder.run(["replay", run, ...store])).code).toBe(0);
});

test("it shares nothing with the old run, which stays as it was", async () => {
  const { run } = await fork(1, grantOf("desk.lookup"), "--turns-max", "1");
  expect(await exportOf(old)).toBe(before);
  const forked = JSON.parse(await exportOf(run));
  const [mine, theirs] = [forked.content, JSON.parse(before).content];
  expect(mine.key).not.toBe(theirs.key);
  const shared = Object.keys(mine.blobs).filter((digest) => digest in theirs.blobs);
  expect(shared).toEqual([]);
  expect(forked.events[0].content.spec.policy).toMatchObject({ name: rules.name });
});

test("what the old run might do, the new one may not without a grant", async () => {
  const { run } = await fork(1, grantOf());
  expect(await readJson("show", run)).toMatchObject({ state: "stopped", reason: "denied" });
});

test("wrong use is told, and starts nothing", async () => {
  const runs = (await readJson("runs")).length;
  expect(await fork(9, grantOf("desk.lookup"))).toMatchObject({
    code: 64,
    err: expect.stringContaining("the run has no turn 9"),
  });
  expect(await fork(1, { tools: [] })).toMatchObject({
    code: 64,
    err: expect.stringContaining("grantor"),
  });
  expect(await fork(1, grantOf("desk.lookup"), "--version", "9.0.0")).toMatchObject({
    code: 64,
    err: expect.stringContaining("there is no loop lookup 9.0.0"),
  });
  const without = await folder.run(["fork", old, "--from-turn", "1", ...store]);
  expect(without).toMatchObject({ code: 64, err: expect.stringContaining("--grant <file>") });
  expect((await readJson("runs")).length).toBe(runs);
});

test("a run whose content is erased cannot be forked", async () => {
  const { run } = await fork(1, grantOf("desk.lookup"));
  await folder.run(["erase", run, "--yes", ...store]);
  const file = folder.write("grant.json", grantOf("desk.lookup"));
  const args = ["fork", run, "--from-turn", "1", "--grant", file, ...store];
  expect(await folder.run(args)).toMatchObject({
    code: 64,
    err: expect.stringContaining("its content was erased"),
  });
});

test("erase names the runs that hold copies, and erases them where it is asked to", async () => {
  const { run: first } = await fork(1, grantOf("desk.lookup"));
  const file = folder.write("grant.json", grantOf("desk.lookup"));
  const args = ["fork", first, "--from-turn", "1", "--grant", file, "--json", ...store];
  const [line = ""] = (await folder.run(args)).out.split("\n");
  const { run: second } = JSON.parse(line) as { readonly run: string };
  const isErased = async (run: string): Promise<boolean> =>
    JSON.parse(await exportOf(run)).content === undefined;
  const unsure = await folder.run(["erase", first, "--with-copies", ...store]);
  expect(unsure).toMatchObject({ code: 64, err: expect.stringContaining("--with-copies --yes") });
  expect([await isErased(first), await isErased(second)]).toEqual([false, false]);
  const alone = await folder.run(["erase", first, "--yes", ...store]);
  expect(alone.code).toBe(0);
  expect(alone.err).toContain("1 run holds copies of its content");
  expect(alone.err).toContain(`${second}  forked from ${first.slice(0, 8)}`);
  expect([await isErased(first), await isErased(second)]).toEqual([true, false]);
  const both = await folder.run(["erase", first, "--with-copies", "--yes", ...store]);
  expect(both.out).toContain(
    `the content of ${second}, forked from ${first.slice(0, 8)}, is erased`,
  );
  expect(both.out).toContain(`the content of ${first} is erased`);
  expect(both.err).toBe("");
  expect(await isErased(second)).toBe(true);
});

test("erase also removes what was stored for a start that never came, by its id", async () => {
  const runs = await createRuns({ store: join(folder.path, "store") });
  if (runs.kind === "unusable") throw new Error(runs.message);
  const id = "0b5f2c1e-6a4d-4c3b-8e2f-1a2b3c4d5e6f";
  const key = async () => (await runs.stores.blobs.readKey(id)) !== undefined;
  expect(await folder.run(["erase", id, "--yes", ...store])).toMatchObject({ code: 64 });
  await runs.stores.blobs.keepKey(id, new Uint8Array(32));
  expect(await key()).toBe(true);
  expect(await folder.run(["erase", id, "--yes", ...store])).toMatchObject({
    code: 0,
    out: expect.stringContaining(`the content of ${id} is erased; it never began`),
  });
  expect(await key()).toBe(false);
  await runs.stores.close();
});
