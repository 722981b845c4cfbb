// Groups as people see them: each member once, when it is done, with the people who approved it.

import {
  createMemorySigner,
  manualClock,
  memoryStores,
  scriptedModel,
  seededIds,
} from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { definePrompt, jsonSchema, notDone } from "@turnseal/protocol/authoring";
import { summarizeRun } from "@turnseal/views";
import { followMplp } from "@turnseal/views/mplp";
import { expect, test } from "vitest";
import { createLocalHost } from "../local/local-host.ts";
import { makeLoops, openGroupDesk } from "../scenarios/__fixtures__/group-desk.ts";
import { readEvents } from "../state/load-projection.ts";
import { askFor } from "./session/chat.test.data.ts";
import { readSession } from "./session/read-session.ts";

const policy: Policy = {
  name: "two is asked for",
  rules: [
    { id: "two", tools: ["local.two"], decision: "ask" },
    { id: "rest", decision: "allow" },
  ],
};
const failing = await openGroupDesk({
  policy,
  act: (at) => {
    if (at === "three") throw notDone("no room");
  },
});
await failing.drive();
await failing.approve();
await failing.drive();

type Place = Pick<typeof failing, "stores" | "run">;

async function listShown({ stores, run }: Place) {
  const { envelopes = [] } = (await readSession(stores, run)) ?? {};
  return envelopes.flatMap(({ type, content }): unknown[] => {
    if (type === "tool-call") return [`${content.toolName} ${content.approvalStatus ?? ""}`.trim()];
    if (type === "tool-result") return [[content.toolName, content.result]];
    return type === "tool-error"
      ? [[content.toolName, content.error, content.isUserRejection]]
      : [];
  });
}

test("a member counts once, and whoever approved the group allowed it", async () => {
  const { tools, allowed } = await summarizeRun(readEvents(failing.stores.log, failing.run, 1));
  expect(Object.fromEntries(tools.map(({ name, count }) => [name, count]))).toEqual({
    ...{ "local.one": 1, "local.two": 1, "local.three": 1, "turnseal.group": 1 },
    ...{ "local.one.undo": 1, "local.two.undo": 1 },
  });
  expect(allowed.map(({ tool, approvedBy }) => [tool, approvedBy.map(({ by }) => by)])).toEqual([
    ["local.one", ["bea"]],
    ["local.two", ["bea"]],
    ["local.three", ["bea"]],
    ["local.two.undo", []],
    ["local.one.undo", []],
  ]);
});

test("a session shows a member when it is done, followed by what it gave", async () => {
  expect(await listShown(failing)).toEqual([
    ...[
      "turnseal.group pending_approval",
      "turnseal.group approved",
      ["turnseal.group", { committed: true }],
    ],
    ...["local.one", ["local.one", { put: "one" }], "local.two", ["local.two", { put: "two" }]],
    ...["local.three", ["local.three", "TOOL_FAILED: no room", undefined]],
    ...["local.two.undo", ["local.two.undo", null], "local.one.undo", ["local.one.undo", null]],
  ]);
});

test("a group that was not approved ends, and its members were never there", async () => {
  const desk = await openGroupDesk({ policy });
  await desk.drive();
  await desk.approve("reject");
  await desk.drive();
  expect(await listShown(desk)).toEqual([
    ...["turnseal.group pending_approval", "turnseal.group rejected"],
    ["turnseal.group", "CANCELLED", true],
  ]);
});

test("a composite that a model asked for ends with its own output", async () => {
  const anything = jsonSchema<{ text: string }>(true);
  const { loop } = makeLoops({}, { world: new Set(), done: [], undone: [] });
  const clerk = definePrompt({
    ...{ id: "clerk", version: "1.0.0", input: anything, output: anything },
    ...{ template: "{{text}}", tools: [loop] },
  });
  const clock = manualClock();
  const stores = memoryStores(clock);
  const host = createLocalHost({
    ...{ loops: [clerk], stores, clock, ids: seededIds("asked") },
    signer: await createMemorySigner(),
    models: { scripted: scriptedModel([askFor([`loop__${loop.definition.id}`, {}]), "Done"]) },
  });
  const tools = ["local.one", "local.two", "local.three", "turnseal.group"];
  const grant = { grantor: "ada", tools, budget: {} };
  const run = await host.start(clerk, { text: "Go" }, { key: "one", grant, policy });
  await host.advance(run);
  const [request] = await host.requests(run);
  await host.decide(run, request?.id ?? "", { choice: "approve", by: { id: "bea", roles: [] } });
  await host.advance(run);
  const shown = await listShown({ stores, run });
  expect(shown).toContainEqual(["turnseal.group", { committed: true }]);
  expect(shown.at(-1)).toEqual([`loop__${loop.definition.id}`, { put: "three" }]);
});

test("no member is said to have been executed before it was", async () => {
  const follow = followMplp(failing.run);
  const told = (await failing.events())
    .flatMap((event) => follow(event))
    .filter(({ event_type: type }) => type.startsWith("tool_execution_"))
    .map(({ event_type: type, payload, status }) => {
      const { operation } = payload as { readonly operation: string };
      return `${operation} ${type === "tool_execution_started" ? "started" : status}`;
    });
  expect(told).toEqual([
    ...["turnseal.group started", "turnseal.group completed"],
    ...["local.one started", "local.one completed", "local.two started", "local.two completed"],
    ...["local.three started", "local.three failed"],
    ...["local.two.undo started", "local.two.undo completed"],
    ...["local.one.undo started", "local.one.undo completed"],
  ]);
});
