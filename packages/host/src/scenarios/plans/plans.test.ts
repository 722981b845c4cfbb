// A plan is proposed, decided as one thing and carried out, through a real host: each step by a
// process that knows nothing of it but the log.
import { compilePlan, type JsonValue, type PlanDocument, type Policy } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { openPlanDesk } from "../__fixtures__/plan-desk.ts";
import { crashAt } from "../sample-world.test.data.ts";

const plan: PlanDocument = {
  title: "Move the secret list",
  steps: [
    { id: "find", description: "look", loop: "work", input: { at: "found words" } },
    { id: "left", loop: "work", input: { at: { from: "$.find.output" } } },
    { id: "right", loop: "work", input: { at: "right" }, after: ["find"] },
    { id: "tell", loop: "work", input: { at: { from: "$.left.output" } }, after: ["right"] },
  ],
};
const sound = { findings: [], replays: ["identical"] };
const ruled = (rule: Partial<Policy["rules"][number]>): Policy => ({
  name: "rules",
  rules: [
    { id: "plans", decision: "ask", tools: ["turnseal.plan"], ...rule },
    { id: "rest", decision: "allow" },
  ],
});

describe("a plan", () => {
  test("starts when it is approved, and its steps follow each other as they depend", async () => {
    const desk = await openPlanDesk(plan);
    expect(await desk.drive()).toBe("wait");
    expect(desk.done).toEqual([]);
    const [request] = await desk.open().requests(desk.run);
    expect(request).toMatchObject({
      ...{ kind: "approval", name: "turnseal.plan", approvers: 1 },
      description: 'Carry out the plan "Move the secret list", 4 steps?',
      request: { document: plan },
      facts: { onReject: "stop", effect: "read" },
    });
    await desk.decide("approve");
    expect(await desk.drive()).toBe("goal-reached");
    expect(desk.done).toEqual(["found words", "found words", "right", "found words"]);
    expect(await desk.said()).toEqual(["proposed 4", "decided approved", "closed completed"]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("is asked for by a rule that asks, and by none that allows it", async () => {
    const ruleOf = async (policy: Policy) => {
      const desk = await openPlanDesk(plan, { policy });
      await desk.drive();
      const [request] = await desk.open().requests(desk.run);
      await desk.decide("approve");
      expect(await desk.drive()).toBe("goal-reached");
      expect(await desk.judge()).toEqual(sound);
      return request?.kind === "approval" ? request.facts["rule"] : undefined;
    };
    expect(await ruleOf(ruled({}))).toMatchObject({ id: "plans" });
    expect(await ruleOf(ruled({ decision: "allow" }))).toBeUndefined();
  });

  test("leaves none of its words in the log", async () => {
    const desk = await openPlanDesk(plan);
    await desk.drive();
    await desk.decide("approve");
    await desk.drive();
    const text = JSON.stringify(await desk.events());
    for (const word of ["secret", "look", "found words", "right", '"tell"'])
      expect(text, word).not.toContain(word);
    const [proposed] = (await desk.events()).filter(({ type }) => type === "plan.proposed");
    expect(proposed?.content).toMatchObject({
      steps: [
        { path: "/flow/nodes/1", loop: "work", after: [] },
        { path: "/flow/nodes/2/branches/0", loop: "work", after: [0] },
        { path: "/flow/nodes/2/branches/1", loop: "work", after: [0] },
        { path: "/flow/nodes/3", loop: "work", after: [2, 1] },
      ],
    });
  });

  test("is asked for by its own loop alone: no other can act in its name", async () => {
    const harmless: PlanDocument = { title: "Only look", steps: [{ id: "look", loop: "work" }] };
    const desk = await openPlanDesk(harmless, {
      made: { ...compilePlan(plan), id: "mine" },
    });
    expect(await desk.drive()).toBe("denied");
    expect(await desk.open().requests(desk.run)).toEqual([]);
    expect(desk.done).toEqual([]);
    expect(await desk.said()).toEqual([]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("does nothing when it is rejected, and ends its run", async () => {
    const desk = await openPlanDesk(plan);
    await desk.drive();
    await desk.decide("reject");
    expect(await desk.drive()).toBe("approval-rejected");
    expect(desk.done).toEqual([]);
    expect(await desk.said()).toEqual(["proposed 4", "decided rejected"]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("does nothing when nobody decides in time", async () => {
    const desk = await openPlanDesk(plan, { policy: ruled({ decideWithinMs: 60_000 }) });
    await desk.drive();
    desk.clock.advance(60_001);
    expect(await desk.drive()).toBe("approval-expired");
    expect(desk.done).toEqual([]);
    expect(await desk.said()).toEqual(["proposed 4", "decided expired"]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("does nothing when its approval is used too late", async () => {
    const desk = await openPlanDesk(plan, { policy: ruled({ useWithinMs: 60_000 }) });
    await desk.drive();
    await desk.decide("approve");
    desk.clock.advance(60_001);
    expect(await desk.drive()).toBe("approval-expired");
    expect(desk.done).toEqual([]);
    expect(await desk.said()).toEqual(["proposed 4", "decided expired"]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("is not approved by whoever proposed it, where a rule excludes them", async () => {
    const desk = await openPlanDesk(plan, { policy: ruled({ exclude: ["starter"] }) });
    await desk.drive();
    await expect(desk.decide("approve", "ada")).rejects.toThrow("ada");
    expect(await desk.drive()).toBe("wait");
    await desk.decide("approve", "bea");
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.judge()).toEqual(sound);
  });

  test("is denied by a rule, and by a grant that does not name it", async () => {
    const denied = await openPlanDesk(plan, { policy: ruled({ decision: "deny" }) });
    expect(await denied.drive()).toBe("denied");
    expect(await denied.said()).toEqual(["proposed 4", "decided denied"]);
    expect(await denied.judge()).toEqual(sound);
    const ungranted = await openPlanDesk(plan, { tools: ["local.work"] });
    expect(await ungranted.drive()).toBe("denied");
    expect(await ungranted.said()).toEqual([]);
    expect(denied.done.concat(ungranted.done)).toEqual([]);
  });

  test("is not edited: another plan is another run", async () => {
    const desk = await openPlanDesk(plan);
    await desk.drive();
    const [request] = await desk.open().requests(desk.run);
    const document = { ...plan, title: "another" };
    const edit = { choice: "edit", by: { id: "bea", roles: [] } } as const;
    const [{ steps }] = [request?.request as { readonly steps: never }];
    await desk.open().decide(desk.run, request?.id ?? "", {
      ...edit,
      arguments: { document, steps } as never,
    });
    expect(await desk.drive()).toBe("denied");
    expect(desk.done).toEqual([]);
    expect(await desk.said()).toEqual(["proposed 4", "decided denied"]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("that is cancelled while it waits is not decided", async () => {
    const desk = await openPlanDesk(plan);
    await desk.drive();
    await desk.open().cancel(desk.run, { key: "stop", by: "bea" });
    expect(await desk.drive()).toBe("cancelled");
    expect(await desk.said()).toEqual(["proposed 4"]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("does not take the place of other approvals", async () => {
    const asked: Policy = {
      name: "rules",
      rules: [
        { id: "work", decision: "ask", tools: ["local.work"] },
        { id: "rest", decision: "allow" },
      ],
    };
    const desk = await openPlanDesk({ ...plan, steps: plan.steps.slice(0, 1) }, { policy: asked });
    await desk.drive();
    await desk.decide("approve");
    expect(await desk.drive()).toBe("wait");
    expect(desk.done).toEqual([]);
    expect(await desk.open().requests(desk.run)).toMatchObject([{ name: "local.work" }]);
    await desk.decide("approve");
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.judge()).toEqual(sound);
  });
});

describe("a step that fails", () => {
  const act = (at: JsonValue): JsonValue => {
    if (at === "bad") throw notDone("it is not there");
    return at;
  };
  const failing = (critical: boolean): PlanDocument => ({
    title: "one fails",
    steps: [
      { id: "bad", loop: "work", input: { at: "bad" }, critical },
      { id: "behind", loop: "work", input: { at: "behind" }, after: ["bad"] },
      { id: "further", loop: "work", input: { at: { from: "$.behind.output" } } },
      { id: "apart", loop: "work", version: "1.0.0", input: { at: "apart" } },
    ],
  });

  test("fails its plan", async () => {
    const desk = await openPlanDesk(failing(true), { act });
    await desk.drive();
    await desk.decide("approve");
    expect(await desk.drive()).toBe("failed");
    expect(desk.done).not.toContain("behind");
    expect(await desk.said()).toEqual(["proposed 4", "decided approved", "closed failed"]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("that is not critical takes along what depends on it, and nothing else", async () => {
    const desk = await openPlanDesk(failing(false), { act });
    await desk.drive();
    await desk.decide("approve");
    expect(await desk.drive()).toBe("goal-reached");
    expect(desk.done).toEqual(["apart"]);
    const skipped = (await desk.events()).flatMap((event) =>
      event.type === "step.skipped" ? [event.content.because] : [],
    );
    expect(skipped).toEqual(["failed", "blocked", "blocked"]);
    expect(await desk.said()).toEqual(["proposed 4", "decided approved", "closed completed"]);
    expect(await desk.judge()).toEqual(sound);
  });
});

test("a process may be lost at every write: nothing is done twice, or before the yes", async () => {
  for (let place = 1; place < 40; place++) {
    let crash = crashAt(place);
    const desk = await openPlanDesk(plan, { see: (stores) => crash(stores) });
    let hasCrashed = false;
    const drive = async (): Promise<string> => {
      try {
        return await desk.drive();
      } catch {
        hasCrashed = true;
        crash = (stores) => stores;
        desk.clock.advance(3_600);
        return desk.drive();
      }
    };
    expect(await drive(), String(place)).toBe("wait");
    expect(desk.done).toEqual([]);
    await desk.decide("approve");
    expect(await drive(), String(place)).toBe("goal-reached");
    expect(desk.done).toHaveLength(4);
    expect(await desk.said()).toEqual(["proposed 4", "decided approved", "closed completed"]);
    expect(await desk.judge(), String(place)).toEqual(sound);
    if (!hasCrashed) return;
  }
  expect.unreachable("there are fewer writes than that");
});
