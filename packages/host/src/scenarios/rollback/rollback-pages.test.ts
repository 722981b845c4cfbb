// If there is more than one rollback can hold, the next one takes back the rest, and people learn
// that before they decide.
import { canonicalize, PLAN_STEPS_MAX } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { DRIFTED_BYTES_MAX, DRIFTED_NAMED_MAX } from "../../undo/find/find-later-changes.ts";
import { PAGE_BYTES_MAX } from "../../undo/find/judge-effect.ts";
import { listRollbacks } from "../../undo/find/rollback-chain.ts";
import { LEFT_BYTES_MAX } from "../../undo/plan/list-rollback.ts";
import { openKeyedRoot } from "../__fixtures__/keyed-root.ts";
import { openRollbackDesk, type RollbackDesk } from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };

async function takeBack(desk: RollbackDesk): Promise<string> {
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") return answer.kind;
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("goal-reached");
  expect(await desk.judge(answer.run)).toEqual(sound);
  return answer.run;
}

describe("a rollback of one turn", () => {
  const budget = { toolCalls: 300, effects: 300, turns: 2, handoffs: 0 };
  const listOf = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

  test.each([PLAN_STEPS_MAX, PLAN_STEPS_MAX + 1])("with %i actions is whole", async (count) => {
    const steps = listOf(count);
    const desk = await openRollbackDesk({ steps, isList: true, grant: { budget } });
    expect(await desk.work()).toBe("goal-reached");
    const later = count - PLAN_STEPS_MAX;
    const list = await desk.open().listRollback(desk.run);
    expect(list).toMatchObject(later === 0 ? { kind: "listed" } : { kind: "listed", later });
    expect(later > 0).toBe("later" in list);
    for (let page = 0; page < 1 + later; page++) await takeBack(desk);
    expect(desk.undone).toEqual(steps.toReversed());
    expect(await takeBack(desk)).toBe("known");
  });
});

test("what is large has a rollback of its own, and what is too large is left", async () => {
  const half = Math.ceil(PAGE_BYTES_MAX / 2);
  const sizes: Record<string, number> = { one: half, two: PAGE_BYTES_MAX, three: half, four: 9 };
  const desk = await openRollbackDesk({
    ...{ steps: Object.keys(sizes), pad: (at: string) => sizes[at] ?? 0 },
  });
  expect(await desk.work()).toBe("goal-reached");
  expect(await desk.open().listRollback(desk.run)).toMatchObject({
    ...{ steps: [{ tool: "local.work" }, { tool: "local.work" }], later: 1 },
    left: [{ why: "too-large" }],
  });
  await takeBack(desk);
  expect(desk.undone).toEqual(["four", "three"]);
  await takeBack(desk);
  expect(desk.undone).toEqual(["four", "three", "one"]);
  expect(await desk.open().listRollback(desk.run)).toMatchObject({
    ...{ kind: "known", left: [{ why: "too-large" }] },
  });
});

test("of what is left, LEFT_BYTES_MAX bytes are listed, and the rest is counted", async () => {
  const final = Array.from({ length: PLAN_STEPS_MAX - 1 }, (_, index) => `f${index}`);
  const desk = await openRollbackDesk({
    ...{ steps: ["one", ...final], final, reason: "€".repeat(512) },
    grant: { budget: { toolCalls: 300, effects: 300, turns: 2, handoffs: 0 } },
  });
  expect(await desk.work()).toBe("goal-reached");
  const list = await desk.open().listRollback(desk.run);
  if (list.kind !== "listed") throw new Error(list.kind);
  const bytes = list.left.map((each) => new TextEncoder().encode(canonicalize({ ...each })).length);
  const listed = bytes.reduce((sum, each) => sum + each, 0);
  expect(listed).toBeLessThanOrEqual(LEFT_BYTES_MAX);
  expect(listed + (bytes[0] ?? 0)).toBeGreaterThan(LEFT_BYTES_MAX);
  expect(list.left.length + (list.leftBeside ?? 0)).toBe(final.length);
  await takeBack(desk);
  expect(desk.undone).toEqual(["one"]);
});

test("of changed files, DRIFTED_BYTES_MAX bytes are named, and it is asked for", async () => {
  const site = openKeyedRoot("site");
  const folders = `${"漢".repeat(84)}/`.repeat(11);
  const paths = Array.from({ length: DRIFTED_NAMED_MAX }, (_, index) => `${folders}${index}`);
  const works = Array.from({ length: 10 }, (_, index) => `w${index}`);
  const final = Array.from({ length: 75 }, (_, index) => `f${index}`);
  const desk = await openRollbackDesk({
    ...{ steps: ["edit", ...works, ...final, "bad"], edited: ["edit"], final },
    ...{ reason: "漢".repeat(512), roots: site.roots, rollbackOn: ["failed"] },
    grant: { budget: { toolCalls: 200, effects: 200, turns: 2, handoffs: 0 } },
    pad: (at) => (at.startsWith("w") ? 64_500 : 1),
    edit: async (artifacts) => {
      for (const path of paths) await artifacts.write(path, new TextEncoder().encode("ours"));
    },
    act: (at) => {
      if (at !== "bad") return;
      for (const path of paths) site.put(path, "theirs");
      throw notDone("no such place");
    },
  });
  expect(await desk.work()).toBe("failed");
  const [asked] = await listRollbacks(desk.run, desk.stores);
  expect(asked?.projection?.stopped).toBeNull();
  const { drifted = [], driftedBeside = 0 } = asked?.head ?? {};
  const bytes = drifted.map((file) => new TextEncoder().encode(canonicalize({ ...file })).length);
  const named = bytes.reduce((sum, each) => sum + each, 0);
  expect(named).toBeLessThanOrEqual(DRIFTED_BYTES_MAX);
  expect(named + (bytes[0] ?? 0)).toBeGreaterThan(DRIFTED_BYTES_MAX);
  expect(drifted.length + driftedBeside).toBe(paths.length);
});
