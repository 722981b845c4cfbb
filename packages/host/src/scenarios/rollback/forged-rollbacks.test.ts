// Plans of rollbacks that were forged on their way into the store: nothing is undone, and the
// refusal is in the log and sealed.

import type { Stores } from "@turnseal/ports";
import { cellOf, type JsonObject, type JsonValue, type PlanDocument } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { type RollbackHead, rollbackKey, runOfKey } from "../../run-ids.ts";
import { readContent } from "../../state/read-content.ts";
import { openRollbackDesk, type RollbackDeskOptions } from "../__fixtures__/rollback-desk.ts";

interface Attack {
  readonly desk?: RollbackDeskOptions;
  /** Forges the plan of the rollback. */
  readonly forge: (plan: PlanDocument) => PlanDocument;
  /** The refusal, in the words of the log. */
  readonly says: RegExp;
}

const forgeStep = (
  plan: PlanDocument,
  forge: (action: JsonObject) => JsonObject,
): PlanDocument => ({
  ...plan,
  steps: plan.steps.map((step) => ({
    ...step,
    input: { takesBack: forge(step.input?.["takesBack"] as JsonObject) },
  })),
});

/** Forged plans in the place of a rollback: a writer of the store can put them there. */
const attacks: Readonly<Record<string, Attack>> = {
  "a checkpoint that was forged: another turn": {
    forge: (plan) => ({ ...plan, rollback: { ...(plan.rollback as RollbackHead), toTurn: 1 } }),
    says: /goes back to the end of turn 1/,
  },
  "a checkpoint that was forged: another run": {
    forge: (plan) => ({ ...plan, rollback: { ...(plan.rollback as RollbackHead), run: "other" } }),
    says: /only a rollback of the run/,
  },
  "an action of the run of another tenant": {
    forge: (plan) => forgeStep(plan, (action) => ({ ...action, run: "theirs" })),
    says: /there is no such run/,
  },
  "an action whose result was tampered with": {
    forge: (plan) => forgeStep(plan, (action) => ({ ...action, result: { put: "all" } })),
    says: /the log says otherwise/,
  },
  "an action whose input was tampered with": {
    forge: (plan) => forgeStep(plan, (action) => ({ ...action, input: { at: "all" } })),
    says: /the log says otherwise/,
  },
  "an action with another receipt": {
    forge: (plan) => forgeStep(plan, (action) => ({ ...action, receipt: "sha256:0" })),
    says: /the log says otherwise/,
  },
  "an action of a turn that never was": {
    forge: (plan) => forgeStep(plan, (action) => ({ ...action, turn: 2 })),
    says: /no such action/,
  },
  "an action that never was": {
    forge: (plan) => forgeStep(plan, (action) => ({ ...action, key: "none" })),
    says: /no such action/,
  },
  "an action of the rollback itself": {
    forge: (plan) => {
      const { run, ordinal } = plan.rollback as RollbackHead;
      const own = runOfKey(rollbackKey(run, ordinal), cellOf(run));
      return forgeStep(plan, (action) => ({ ...action, run: own, receipt: "" }));
    },
    says: /only a rollback of the run/,
  },
  "a compensation that asks for more than its grant": {
    desk: { way: { needs: () => ({ scopes: ["shop:refund"] }) } },
    forge: (plan) => plan,
    says: /scope/,
  },
};

test.each(Object.entries(attacks))("%s is refused, and that is sealed", async (_, attack) => {
  const desk = await openRollbackDesk({ steps: ["one"], ...attack.desk });
  await desk.work();
  const forging = (stores: Stores): Stores => ({
    ...stores,
    inbox: {
      ...stores.inbox,
      put: async (message) => {
        const body = message.body as { readonly input: unknown };
        const input = attack.forge(body.input as PlanDocument) as unknown as JsonValue;
        return stores.inbox.put({ ...message, body: { ...body, input } });
      },
    },
  });
  const answer = await desk.open(forging).rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  await desk.drive(answer.run);
  await desk.approve(answer.run);
  // A person decides on the actions that were not undone.
  if ((await desk.drive(answer.run)) === "wait") {
    await desk.answerRest(answer.run, "stays");
    await desk.drive(answer.run);
  }
  expect([...desk.world]).toEqual(["one"]);
  expect(desk.undone).toEqual([]);
  const words: unknown[] = [];
  for (const { type, content } of await desk.events(answer.run)) {
    if (type === "call.errored") words.push(content);
    if (type === "action.settled" && content.reason !== undefined)
      words.push(await readContent(desk.stores, answer.run, content.reason));
  }
  expect(JSON.stringify(words)).toMatch(attack.says);
  expect((await desk.judge(answer.run)).codes).toEqual([]);
});
