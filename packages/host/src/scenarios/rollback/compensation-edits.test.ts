// The input of a compensation and the members of a group are approved or rejected as they are. An
// edit could only break them, and is refused at once.
import type { JsonValue, Policy } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import type { LocalHost } from "../../local/local-host.ts";
import { decideMessage } from "../../messages/inbox-messages.ts";
import { openGroupDesk } from "../__fixtures__/group-desk.ts";
import { openRollbackDesk } from "../__fixtures__/rollback-desk.ts";

const by = { id: "bea", roles: [] };
const asking = (...tools: string[]): Policy => ({
  name: "rules",
  rules: [
    { id: "undo", decision: "ask", tools },
    { id: "rest", decision: "allow" },
  ],
});

/** Says it at the host, and then past it, as another client may: what the run asks afterwards. */
async function editPast(
  host: LocalHost,
  run: string,
  put: (message: ReturnType<typeof decideMessage>) => Promise<unknown>,
) {
  const [request] = await host.requests(run);
  if (request === undefined) throw new Error("nothing is asked");
  const edit = { choice: "edit", by, arguments: request.request as JsonValue } as const;
  await expect(host.decide(run, request.id, edit)).rejects.toMatchObject({
    code: "ANSWER_REFUSED",
    message: `what ${request.name} is given cannot be edited`,
  });
  await put(decideMessage(run, request, { ...edit, by: { id: "eve", roles: [] } }));
  await host.advance(run);
  expect((await host.requests(run)).map(({ hash }) => hash)).toEqual([request.hash]);
  return request.name;
}

test("the compensation of a rollback", async () => {
  const desk = await openRollbackDesk({ steps: ["one"], policy: asking("local.work.undo") });
  await desk.work();
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("wait");
  const { put } = desk.stores.inbox;
  expect(await editPast(desk.open(), answer.run, put)).toBe("local.work.undo");
  await desk.approve(answer.run);
  expect(await desk.drive(answer.run)).toBe("goal-reached");
  expect(desk.undone).toEqual(["one"]);
  expect(await desk.judge(answer.run)).toEqual({ codes: [], replays: ["identical"] });
});

test("a group, and the compensation of one", async () => {
  const desk = await openGroupDesk({
    policy: asking("local.one", "local.one.undo"),
    act: (at) => {
      if (at === "two") throw notDone("no room");
    },
  });
  expect(await desk.drive()).toBe("wait");
  const { put } = desk.stores.inbox;
  expect(await editPast(desk.open(), desk.run, put)).toBe("turnseal.group");
  await desk.approve();
  expect(await desk.drive()).toBe("wait");
  expect(await editPast(desk.open(), desk.run, put)).toBe("local.one.undo");
  await desk.approve();
  await desk.drive();
  expect(desk.undone).toEqual(["one"]);
  expect((await desk.judge()).codes).toEqual([]);
});
