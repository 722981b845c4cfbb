// The runtime restores files that a run changed, if no other author has changed them since.

import type { RunSnapshot, Stores } from "@turnseal/ports";
import { notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import {
  CHECKED_FILES_MAX,
  CHECKED_RUNS_MAX,
  DRIFTED_NAMED_MAX,
  LATER_RUNS_MAX,
} from "../../undo/find/find-later-changes.ts";
import { listRollbacks } from "../../undo/find/rollback-chain.ts";
import { openKeyedRoot } from "../__fixtures__/keyed-root.ts";
import {
  openRollbackDesk,
  type RollbackDesk,
  type RollbackDeskOptions,
} from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function openFiles(options: RollbackDeskOptions = {}) {
  const site = openKeyedRoot("site");
  const { steps = ["one", "two", "three"] } = options;
  const desk = await openRollbackDesk({
    ...{ steps, edited: steps.filter((at) => at !== "put"), roots: site.roots },
    ...options,
  });
  return { desk, site };
}

async function takeBack(desk: RollbackDesk): Promise<{ run: string; end: string }> {
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  return { run: answer.run, end: await desk.drive(answer.run) };
}

test("files are as they were before, and the record of that is sound", async () => {
  const { desk, site } = await openFiles({ steps: ["one", "put", "two"] });
  site.put("other.txt", "theirs");
  expect(await desk.work()).toBe("goal-reached");
  expect(await site.texts()).toEqual({
    ...{ "one.txt": "one", "two.txt": "two", "shared.txt": "by two", "other.txt": "theirs" },
  });
  const { run, end } = await takeBack(desk);
  expect(end).toBe("goal-reached");
  expect(await site.texts()).toEqual({ "other.txt": "theirs" });
  expect(desk.undone).toEqual(["put"]);
  expect(await desk.judge(run)).toEqual(sound);
  expect(await desk.judge(desk.run)).toEqual(sound);
  expect(await desk.open().listRollback(desk.run)).toMatchObject({ kind: "known", left: [] });
});

test("a file that somebody changed since is left, named, and a person is asked", async () => {
  const { desk, site } = await openFiles({ steps: ["one", "two"] });
  await desk.work();
  site.put("one.txt", "mine now");
  const { run, end } = await takeBack(desk);
  expect(end).toBe("wait");
  expect(await site.texts()).toEqual({ "one.txt": "mine now" });
  const failed = (await desk.events(run)).flatMap(({ type, content }) =>
    type === "action.settled" && content.status === "failed" ? [content] : [],
  );
  expect(failed).toHaveLength(1);
  expect(await desk.progress(run)).toEqual({ takenBack: 1, of: 2 });
  await desk.answerRest(run, "stays");
  expect(await desk.drive(run)).toBe("goal-reached");
  expect(await desk.judge(run)).toEqual(sound);
  // As the action left it, the rollback can be repeated.
  site.put("one.txt", "one");
  expect((await takeBack(desk)).end).toBe("goal-reached");
  expect(await site.texts()).toEqual({});
});

test("content that somebody exchanged in the store is put back nowhere", async () => {
  const edit = async (artifacts: ToolArtifacts) => {
    const there = await artifacts.read("shared.txt");
    const expected = there.kind === "read" ? there.digest : "absent";
    await artifacts.write("shared.txt", bytesOf("ours"), { expected });
  };
  const { desk, site } = await openFiles({ steps: ["one"], edit });
  site.put("shared.txt", "the original");
  await desk.work();
  expect(await site.texts()).toMatchObject({ "shared.txt": "ours" });
  const evil = (stores: Stores): Stores => ({
    ...stores,
    blobs: {
      ...stores.blobs,
      read: async (run, digest) => {
        const bytes = await stores.blobs.read(run, digest);
        const isIt = bytes !== undefined && new TextDecoder().decode(bytes) === "the original";
        return isIt ? bytesOf("exchanged") : bytes;
      },
    },
  });
  const answer = await desk.open(evil).rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
  await desk.drive(answer.run, evil);
  await desk.approve(answer.run);
  await desk.drive(answer.run, evil);
  expect(await site.texts()).toMatchObject({ "shared.txt": "ours" });
  expect(await desk.progress(answer.run)).toEqual({ takenBack: 0, of: 1 });
});

test("files that an action changed before it failed are put back, too", async () => {
  const act = (at: string) => {
    if (at === "two") throw notDone("out of paper");
  };
  const { desk, site } = await openFiles({ steps: ["one", "two"], act });
  expect(await desk.work()).toBe("failed");
  expect(Object.keys(await site.texts())).toContain("two.txt");
  expect((await takeBack(desk)).end).toBe("goal-reached");
  expect(await site.texts()).toEqual({});
});

test.each<readonly [string, (artifacts: ToolArtifacts) => Promise<unknown>]>([
  [
    "written over",
    async (artifacts) => {
      const there = await artifacts.read("theirs.txt");
      const expected = there.kind === "read" ? there.digest : "absent";
      return artifacts.write("theirs.txt", bytesOf("ours"), { expected, mode: 0o600 });
    },
  ],
  [
    "removed",
    async (artifacts) => {
      const there = await artifacts.read("theirs.txt");
      return artifacts.remove("theirs.txt", {
        expected: there.kind === "read" ? there.digest : "absent",
      });
    },
  ],
  ["found as it was to become", (artifacts) => artifacts.write("theirs.txt", bytesOf("theirs"))],
])("a file that the run did not manage and that was %s is as it was", async (_, use) => {
  const edit = async (artifacts: ToolArtifacts) => {
    await artifacts.write("own.txt", bytesOf("own"));
    await use(artifacts);
  };
  const { desk, site } = await openFiles({ steps: ["one"], edit });
  site.put("theirs.txt", "theirs", 0o640);
  expect(await desk.work()).toBe("goal-reached");
  expect((await takeBack(desk)).end).toBe("goal-reached");
  expect(await site.texts()).toEqual({ "theirs.txt": "theirs" });
  const read = await site.root.read("theirs.txt");
  expect(read.kind === "read" ? read.state.mode : undefined).toBe(0o640);
});

test("what was erased is listed, and files stay as they are", async () => {
  const { desk, site } = await openFiles({ steps: ["one"] });
  await desk.work();
  await desk.stores.blobs.erase(desk.run);
  expect(await desk.open().listRollback(desk.run)).toMatchObject({ left: [{ why: "erased" }] });
  expect(Object.keys(await site.texts())).toHaveLength(2);
});

test("it says before anybody approves that its files can be taken back", async () => {
  const { desk } = await openFiles({ steps: ["one"] });
  await desk.work();
  const [claim] = (await desk.events(desk.run)).flatMap(({ type, content }) =>
    type === "action.claimed" && content.action === "tool" && content.tool === "local.edit"
      ? [content]
      : [],
  );
  expect(claim).toMatchObject({
    ...{ root: "site" },
    compensation: { loop: "edit.undo", build: "turnseal.files-1", effect: "idempotent" },
  });
});

test("who decides is told of files that changed since, and of later runs", async () => {
  const { desk, site } = await openFiles({ steps: ["one", "two"] });
  await desk.work();
  expect(await desk.open().listRollback(desk.run)).not.toHaveProperty("drifted");
  expect(await desk.open().listRollback(desk.run)).not.toHaveProperty("laterRuns");
  site.put("one.txt", "mine now");
  site.remove("shared.txt");
  desk.clock.advance(1_000);
  const other = await openRollbackDesk({
    ...{ key: "later", beside: desk, steps: ["two"], edited: ["two"], roots: site.roots },
    edit: async (artifacts) => {
      const there = await artifacts.read("two.txt");
      const expected = there.kind === "read" ? there.digest : "absent";
      await artifacts.write("two.txt", bytesOf("later"), { expected });
    },
  });
  expect(await other.work()).toBe("goal-reached");
  const listed = await desk.open().listRollback(desk.run);
  expect(listed).toMatchObject({
    drifted: ["shared.txt", "two.txt", "one.txt"].map((path) => ({ root: "site", path })),
    laterRuns: [other.run],
  });
});

test("who decides is told of roots whose files were not looked at", async () => {
  const { desk, site } = await openFiles({ steps: ["one", "put"] });
  await desk.work();
  site.put("one.txt", "mine now");
  const [name = ""] = Object.keys(site.roots);
  const bind = site.roots[name];
  Object.assign(site.roots, { [name]: undefined });
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  expect(answer.list).toMatchObject({ unlooked: ["site"] });
  expect(answer.list).not.toHaveProperty("drifted");
  Object.assign(site.roots, { [name]: bind });
  await desk.drive(answer.run);
  const [known] = await listRollbacks(desk.run, desk.stores);
  expect(known?.head).toMatchObject({ unlooked: ["site"] });
  // Each file is decided on its own, by the worker with the root.
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("wait");
  expect((await site.texts())["one.txt"]).toBe("mine now");
});

test("how many files are looked at, and how many are named, is bounded", async () => {
  const edit = async (artifacts: ToolArtifacts, at: string) => {
    for (let file = 0; file < 600; file++) await artifacts.write(`${at}/${file}`, bytesOf(at));
  };
  const { desk, site } = await openFiles({ steps: ["one", "two"], edit });
  await desk.work();
  for (const path of Object.keys(await site.texts())) site.put(path, "mine now");
  const listed = await desk.open().listRollback(desk.run);
  if (listed.kind !== "listed") throw new Error(listed.kind);
  expect(listed.drifted).toHaveLength(DRIFTED_NAMED_MAX);
  expect(listed.driftedBeside).toBe(CHECKED_FILES_MAX - DRIFTED_NAMED_MAX);
});

test("how many runs are looked at, and how many are named, is bounded", async () => {
  const { desk, site } = await openFiles({ steps: ["two"] });
  await desk.work();
  desk.clock.advance(1_000);
  const roots = site.roots;
  const edit = async (artifacts: ToolArtifacts) => {
    await artifacts.write("shared.txt", bytesOf("by two"));
  };
  const other = await openRollbackDesk({
    ...{ key: "later", beside: desk, steps: ["two"], edited: ["two"], roots, edit },
  });
  await other.work();
  const known = (await desk.stores.runs.read(other.run)) as RunSnapshot;
  let pages = 0;
  const see =
    (snapshot: RunSnapshot) =>
    (stores: Stores): Stores => ({
      ...stores,
      runs: {
        ...stores.runs,
        read: stores.runs.read.bind(stores.runs),
        list: async () => {
          pages += 1;
          return Array.from({ length: 50 }, () => snapshot);
        },
      },
    });
  expect(await desk.open(see(known)).listRollback(desk.run)).toMatchObject({
    laterRuns: Array.from({ length: LATER_RUNS_MAX }, () => other.run),
  });
  pages = 0;
  const idle = { ...known, state: { ...known.state, artifacts: {} } };
  expect(await desk.open(see(idle)).listRollback(desk.run)).not.toHaveProperty("laterRuns");
  expect(pages).toBe(CHECKED_RUNS_MAX / 50);
});
