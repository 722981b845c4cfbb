// A compensation that the grant or a rule refuses counts as failed: the rest are done, and a person
// is asked about it. Only a stop by a person or by time ends the rollback.
import type { Policy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import {
  openRollbackDesk,
  type RollbackDesk,
  type RollbackDeskOptions,
} from "../__fixtures__/rollback-desk.ts";

const sound = { codes: [], replays: ["identical"] };
const steps = ["one", "two", "three"];
const ofTwo = 'args.takesBack.result.put == "two"';
const isTwo = { tools: ["local.work.undo"], when: ofTwo };

function rulesOf(...rules: Policy["rules"]): Policy {
  return { name: "desk", rules: [...rules, { id: "all", decision: "allow" }] };
}

async function openBack(options: RollbackDeskOptions): Promise<[RollbackDesk, string]> {
  const desk = await openRollbackDesk({ steps, ...options });
  await desk.work();
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  return [desk, answer.run];
}

test.each<readonly [string, RollbackDeskOptions]>([
  [
    "scope that its grant lacks",
    {
      way: {
        needs: ({ takesBack: { result } }) =>
          result.put === "two" ? { scopes: ["shop:refund"] } : {},
      },
    },
  ],
  ["rule that denies it", { policy: rulesOf({ id: "never", decision: "deny", ...isTwo }) }],
])("a %s: the others are taken back, and a person is asked", async (_, options) => {
  const [desk, back] = await openBack(options);
  expect(await desk.drive(back)).toBe("wait");
  expect(desk.undone).toEqual(["three", "one"]);
  expect((await desk.open().requests(back)).map(({ request }) => request)).toMatchObject([
    { run: desk.run, notTakenBack: 1, of: 3, steps: ["ok", "error", "ok"] },
  ]);
  await desk.answerRest(back, "stays");
  expect(await desk.drive(back)).toBe("goal-reached");
  const refused = (await desk.events(back)).filter(({ type }) => type === "call.errored");
  expect(refused[0]?.content).toMatchObject({ code: "POLICY_DENIED" });
  expect(await desk.judge(back)).toEqual(sound);
  // A repeated rollback may have another policy or grant.
  const next = await desk.open().rollback(desk.run, { by: "ada" });
  expect(next).toMatchObject({ kind: "proposed", list: { steps: [{ tool: "local.work" }] } });
});

test.each<readonly ["stop" | "tell", string, readonly string[]]>([
  ["stop", "approval-rejected", ["three"]],
  ["tell", "wait", ["three", "one"]],
])("a person who says no to one, where the rule says %s", async (onReject, end, undone) => {
  const policy = rulesOf({ id: "asks", decision: "ask", onReject, ...isTwo });
  const [desk, back] = await openBack({ policy });
  await desk.drive(back);
  await desk.approve(back, "reject");
  expect(await desk.drive(back)).toBe(end);
  expect(desk.undone).toEqual(undone);
  if (end === "wait") await desk.answerRest(back, "stays");
  await desk.drive(back);
  expect((await desk.judge(back)).codes).toEqual([]);
});
