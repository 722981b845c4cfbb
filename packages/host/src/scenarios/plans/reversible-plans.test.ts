// A plan that must be reversible may only contain reversible actions, for any proposer. Otherwise
// it is refused at its start, and by the worker that has the functions.
import type { PlanDocument } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { openPlanDesk, type WayBack } from "../__fixtures__/plan-desk.ts";

const plan: PlanDocument = {
  title: "tidy",
  reversible: true,
  steps: [{ id: "one", loop: "work", input: { at: 1 } }],
};
const back: WayBack = { withinMs: 60_000 };
const final: WayBack = { irreversible: "what is sent is sent" };

test("it is refused where it is started", async () => {
  for (const wayBack of [undefined, () => final])
    await expect(
      openPlanDesk(plan, wayBack === undefined ? {} : { wayBack }),
    ).rejects.toMatchObject({ code: "LOOP_REFUSED" });
  await expect(openPlanDesk(plan, { wayBack: () => back })).resolves.toBeDefined();
});

test("a worker whose tools say otherwise asks nobody, and that is sealed", async () => {
  let declared: WayBack = back;
  const desk = await openPlanDesk(plan, { wayBack: () => declared });
  declared = final;
  expect(await desk.drive()).toBe("denied");
  const [error] = (await desk.events()).filter(({ type }) => type === "call.errored");
  expect(error?.content).toMatchObject({ details: { denial: "irreversible" } });
  expect(await desk.said()).toEqual([]);
  expect(desk.done).toEqual([]);
  declared = back;
  expect(await desk.judge()).toMatchObject({ findings: [], replays: ["identical"] });
});

test("a plan that was proposed stays so where another worker says otherwise", async () => {
  let declared: WayBack = back;
  const desk = await openPlanDesk(plan, { wayBack: () => declared });
  expect(await desk.drive()).toBe("wait");
  declared = final;
  expect(await desk.drive()).toBe("wait");
  expect(await desk.said()).toEqual(["proposed 1"]);
});
