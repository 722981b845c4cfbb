import { notDone } from "@turnseal/protocol/authoring";
import { followGroupEnds, GROUP_ENDS_MAX } from "@turnseal/views";
import { expect, test } from "vitest";
import { openGroupDesk } from "../../scenarios/__fixtures__/group-desk.ts";

test("a group that was done in part is told by its tools, GROUP_ENDS_MAX at most", async () => {
  const act = (at: string) => {
    if (at === "two") throw notDone("no room");
  };
  const desk = await openGroupDesk({ act, final: ["one"] });
  await desk.finish();
  const fold = followGroupEnds();
  const events = await desk.events();
  for (const event of events) fold.take(event);
  const ends = [
    { tool: "local.one", end: "done" },
    { tool: "local.two", end: "not-done" },
    { tool: "local.three", end: "not-done" },
  ];
  const told = { turn: 1, path: "/flow", outcome: "part", members: ends, isAsked: true };
  expect(fold.list()).toEqual([told]);
  for (let round = 0; round < GROUP_ENDS_MAX; round++) for (const event of events) fold.take(event);
  expect(fold.list()).toHaveLength(GROUP_ENDS_MAX);
});
