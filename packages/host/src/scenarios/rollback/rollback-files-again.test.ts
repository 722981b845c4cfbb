// Files that one rollback restored, and the next finds. If two actions changed one file and the
// first rollback failed in part, the end is the same as with one rollback.
import { notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { openKeyedRoot } from "../__fixtures__/keyed-root.ts";
import { openRollbackDesk, type RollbackDesk } from "../__fixtures__/rollback-desk.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function put(artifacts: ToolArtifacts, path: string, text: string | undefined) {
  const there = await artifacts.read(path);
  const expected = there.kind === "read" ? there.digest : "absent";
  if (text === undefined) await artifacts.remove(path, { expected });
  else await artifacts.write(path, bytesOf(text), { expected });
}

interface Steps {
  /** The state of `shared.txt` after each step: a text, or no file. */
  readonly shared: readonly (string | undefined)[];
  /** Steps that have a file of their own beside it, `<step>.txt`. */
  readonly own?: readonly string[];
}

/** Each step changes the shared file, and some a file of their own. */
async function openShared({ shared, own = [] }: Steps, before: string | undefined) {
  const site = openKeyedRoot("site");
  if (before !== undefined) site.put("shared.txt", before);
  const steps = shared.map((_, index) => `s${index + 1}`);
  const edit = async (artifacts: ToolArtifacts, at: string) => {
    await put(artifacts, "shared.txt", shared[steps.indexOf(at)]);
    if (own.includes(at)) await put(artifacts, `${at}.txt`, at);
  };
  const desk = await openRollbackDesk({ steps, edited: steps, edit, roots: site.roots });
  expect(await desk.work()).toBe("goal-reached");
  return { desk, site };
}

/** A rollback from the question to its end: how many actions it has taken back. */
async function takeBack(desk: RollbackDesk) {
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(JSON.stringify(answer));
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  if ((await desk.drive(answer.run)) === "wait") await desk.answerRest(answer.run, "stays");
  await desk.drive(answer.run);
  expect(await desk.judge(answer.run)).toEqual({ codes: [], replays: ["identical"] });
  return { list: answer.list, progress: await desk.progress(answer.run) };
}

test.each<readonly [string, string | undefined, readonly (string | undefined)[]]>([
  ["there and back", "v0", ["v1", "v0"]],
  ["made and removed", undefined, ["v1", undefined]],
  ["removed and made again", "v0", [undefined, "v0"]],
  ["one after the other", "v0", ["v1", "v2"]],
  ["made, and made again", undefined, ["v1", "v2"]],
  ["there, back and on", "v0", ["v1", "v0", "v1"]],
])("a file that was %s is as before after a second rollback", async (_, before, shared) => {
  const last = `s${shared.length}`;
  const { desk, site } = await openShared({ shared, own: [last] }, before);
  const wanted = before === undefined ? {} : { "shared.txt": before };
  // The last step fails, since another author changed its own file: all others restore the shared
  // one.
  site.put(`${last}.txt`, "mine");
  const { length } = shared;
  expect((await takeBack(desk)).progress).toEqual({ takenBack: length - 1, of: length });
  expect(await site.texts()).toEqual({ ...wanted, [`${last}.txt`]: "mine" });
  site.put(`${last}.txt`, last);
  const { list, progress } = await takeBack(desk);
  expect(list).not.toHaveProperty("drifted");
  expect(progress).toEqual({ takenBack: 1, of: 1 });
  expect(await site.texts()).toEqual(wanted);
});

test.each<readonly [string, string | undefined, readonly (string | undefined)[]]>([
  ["there and back", "v0", ["v1", "v0"]],
  ["made and removed", undefined, ["v1", undefined]],
])("of which nothing was put back at first, %s", async (_, before, shared) => {
  const { desk, site } = await openShared({ shared }, before);
  let isBroken = false;
  const roots = site.roots as Record<string, NonNullable<(typeof site.roots)[string]>>;
  const open = roots["site"];
  if (open === undefined) throw new Error("no root");
  // The first compensation finds a disk that does not answer.
  roots["site"] = (...given) => {
    const root = open(...given);
    const read: typeof root.read = (path) => {
      if (!isBroken) return root.read(path);
      isBroken = false;
      throw notDone("the disk is away");
    };
    return { ...root, read };
  };
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  isBroken = true;
  expect(await desk.drive(answer.run)).toBe("wait");
  await desk.answerRest(answer.run, "stays");
  await desk.drive(answer.run);
  expect(await desk.progress(answer.run)).toEqual({ takenBack: 1, of: 2 });
  const wanted = before === undefined ? {} : { "shared.txt": before };
  expect(await site.texts()).toEqual(wanted);
  expect((await takeBack(desk)).progress).toEqual({ takenBack: 1, of: 1 });
  expect(await site.texts()).toEqual(wanted);
});

test("a file that was put back, and that somebody changed then, is theirs", async () => {
  const { desk, site } = await openShared({ shared: ["v1", "v2"], own: ["s2"] }, "v0");
  site.put("s2.txt", "mine");
  await takeBack(desk);
  // A person wants the version now that the last step had left.
  site.put("shared.txt", "v2");
  site.put("s2.txt", "s2");
  const { list, progress } = await takeBack(desk);
  expect(list.drifted).toEqual([{ root: "site", path: "shared.txt" }]);
  expect(progress).toEqual({ takenBack: 0, of: 1 });
  expect(await site.texts()).toEqual({ "shared.txt": "v2" });
});
