// A rollback holds the inputs and outputs of the actions that it takes back: the list of copies
// names it before an erasure.
import { isClaimOf } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { findCopies } from "../../read/run/find-copies.ts";
import { openRollbackDesk, type RollbackDesk } from "../__fixtures__/rollback-desk.ts";

async function propose(desk: RollbackDesk): Promise<string> {
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  return answer.run;
}

async function takeBack(desk: RollbackDesk): Promise<string> {
  const rollback = await propose(desk);
  await desk.drive(rollback);
  await desk.approve(rollback);
  await desk.drive(rollback);
  return rollback;
}

test("a rollback is a copy before it begins, after it has ended, until it is erased", async () => {
  const desk = await openRollbackDesk({ steps: ["one"] });
  await desk.work();
  expect(await findCopies(desk.stores, desk.run)).toEqual([]);
  const run = await propose(desk);
  const copy = { run, kind: "rollback", of: desk.run };
  expect(await desk.stores.log.readHead(run)).toBeUndefined();
  expect(await findCopies(desk.stores, desk.run)).toEqual([copy]);
  await desk.drive(run);
  await desk.approve(run);
  await desk.drive(run);
  await desk.stores.blobs.erase(desk.run);
  expect(await findCopies(desk.stores, desk.run)).toEqual([copy]);
  await desk.stores.blobs.erase(run);
  expect(await findCopies(desk.stores, desk.run)).toEqual([]);
});

test("so is one of the run above, for the run that did what it takes back", async () => {
  const desk = await openRollbackDesk({ steps: ["one"], handed: ["one"] });
  await desk.work();
  const run = await takeBack(desk);
  const [child = ""] = (await desk.events(desk.run)).flatMap((event) =>
    isClaimOf("handoff", event) ? [event.content.child] : [],
  );
  const copies = await findCopies(desk.stores, child);
  expect(copies).toContainEqual({ run, kind: "rollback", of: child });
});

test("one that takes back nothing of a run is none of it", async () => {
  const desk = await openRollbackDesk({ steps: ["one", "two"], handed: ["one"] });
  await desk.work();
  const [child = ""] = (await desk.events(desk.run)).flatMap((event) =>
    isClaimOf("handoff", event) ? [event.content.child] : [],
  );
  // Its input and output are gone: a rollback leaves it.
  await desk.stores.blobs.erase(child);
  const run = await takeBack(desk);
  expect(desk.undone).toEqual(["two"]);
  const copies = await findCopies(desk.stores, child);
  expect(copies).not.toContainEqual({ run, kind: "rollback", of: child });
});
