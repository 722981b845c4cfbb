// The approval of a plan covers the actions that it lists word for word, if the rule that asks says
// so. It covers each once, by people who may allow it, and as long as it is valid.
import type { LoopEvent, PlanDocument, Policy } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import {
  openPlanDesk,
  type PlanDesk,
  type PlanDeskOptions,
  type WayBack,
} from "../__fixtures__/plan-desk.ts";
import { crashAt } from "../sample-world.test.data.ts";

const plan: PlanDocument = {
  title: "Two that are written, one that is read",
  steps: [
    { id: "one", loop: "work", input: { at: "first" } },
    { id: "two", loop: "work", input: { at: "second" }, after: ["one"] },
    { id: "three", loop: "work", input: { at: { from: "$.two.output" } } },
  ],
};
const written: PlanDocument = { ...plan, steps: plan.steps.slice(0, 2) };
const sound = { findings: [], replays: ["identical"] };

type RuleFields = Partial<Policy["rules"][number]>;
const ruled = (work: RuleFields, ...more: Policy["rules"]): Policy => ({
  name: "rules",
  rules: [
    ...more,
    { id: "work", decision: "ask", tools: ["local.work"], plan: "suffices", ...work },
    { id: "rest", decision: "allow" },
  ],
});

async function approve(
  document: PlanDocument,
  options: PlanDeskOptions,
  by: readonly [string, readonly string[]] = ["bea", []],
): Promise<{ readonly desk: PlanDesk; readonly state: string }> {
  const desk = await openPlanDesk(document, options);
  await desk.drive();
  await desk.decide("approve", ...by);
  return { desk, state: await desk.drive() };
}

const plannedOf = (events: readonly LoopEvent[]) =>
  events.flatMap((event) =>
    event.type === "action.claimed" && event.content.action === "tool"
      ? [event.content.planned?.step]
      : [],
  );

test("what stands in the plan is not asked for again, and what is read is", async () => {
  const { desk, state } = await approve(plan, { policy: ruled({}) });
  expect(state).toBe("wait");
  expect(desk.done).toEqual(["first", "second"]);
  expect(await desk.open().requests(desk.run)).toMatchObject([
    { name: "local.work", request: { at: "second" } },
  ]);
  await desk.decide("approve", "cem");
  expect(await desk.drive()).toBe("goal-reached");
  expect(plannedOf(await desk.events())).toEqual([undefined, 0, 1, undefined]);
  expect(await desk.judge()).toEqual(sound);
});

test("the receipt names the plan's request, and who decided", async () => {
  const { desk, state } = await approve(written, { policy: ruled({}) });
  expect(state).toBe("goal-reached");
  const [asked] = (await desk.events()).filter(({ type }) => type === "approval.requested");
  const [text = ""] = await desk.receipts();
  const { payload } = JSON.parse(text) as { readonly payload: string };
  const { predicate } = JSON.parse(atob(payload)) as {
    readonly predicate: { readonly effects: readonly { readonly approval?: unknown }[] };
  };
  const approval = {
    ...{ sequence: asked?.sequence, hash: asked?.hash },
    decisions: [{ by: { kind: "person", id: "bea" } }],
  };
  expect(predicate.effects).toMatchObject([{ approval }, { approval }, { approval }]);
});

test("two steps with the same arguments use it once each", async () => {
  const twice = { ...plan, steps: plan.steps.map((step) => ({ ...step, input: { at: "same" } })) };
  const { desk, state } = await approve(twice, { policy: ruled({}) });
  expect(state).toBe("goal-reached");
  expect(plannedOf(await desk.events())).toEqual([undefined, 0, 2, 1]);
  expect(await desk.judge()).toEqual(sound);
});

describe("an action is asked for all the same", () => {
  const asked = async (
    options: PlanDeskOptions,
    by?: Parameters<typeof approve>[2],
  ): Promise<unknown> => {
    const { desk, state } = await approve(written, options, by);
    expect(desk.done).toEqual([]);
    const open = (await desk.open().requests(desk.run)).map(({ name }) => name);
    const { findings } = await desk.judge();
    expect(findings.filter(({ code }) => code !== "RUN_UNSEALED")).toEqual([]);
    return [state, ...open];
  };
  const waits = ["wait", "local.work"];

  test("where its rule does not say that the plan suffices", async () => {
    const { plan: _, ...rule } = ruled({}).rules[0] ?? { id: "", decision: "ask" };
    const policy = { name: "rules", rules: [rule, { id: "rest", decision: "allow" as const }] };
    expect(await asked({ policy })).toEqual(waits);
  });

  test("where another rule asks, too, and does not say so", async () => {
    const other = { id: "every", decision: "ask", tools: ["local.*"] } as const;
    expect(await asked({ policy: ruled({ approvers: 2 }, other) })).toEqual(waits);
    expect(await asked({ policy: ruled({}, other) })).toEqual(waits);
  });

  test("where whoever approved the plan has not the role", async () => {
    expect(await asked({ policy: ruled({ role: "finance" }) })).toEqual(waits);
    const { state } = await approve(written, { policy: ruled({ role: "finance" }) }, [
      "bea",
      ["finance"],
    ]);
    expect(state).toBe("goal-reached");
  });

  test("where the rule wants more people than have approved the plan", async () => {
    expect(await asked({ policy: ruled({ approvers: 2 }) })).toEqual(waits);
  });

  test("where the rule excludes whoever proposed the plan, and approved it", async () => {
    const policy = ruled({ exclude: ["starter"] });
    expect(await asked({ policy }, ["ada", []])).toEqual(waits);
    const { desk, state } = await approve(written, { policy }, ["bea", []]);
    expect(state).toBe("goal-reached");
    expect(await desk.judge()).toEqual(sound);
  });

  test("where the tool itself wants a person to be asked", async () => {
    const gate = () => ({ kind: "ask", why: "tool-asks", description: "Really?" }) as const;
    expect(await asked({ policy: ruled({}), gate })).toEqual(waits);
  });

  test.each<readonly [string, Policy]>([
    ["plan", ruled({}, { id: "p", decision: "ask", tools: ["turnseal.plan"], useWithinMs: 1_000 })],
    ["rule", ruled({ useWithinMs: 1_000 })],
  ])("where the time of the %s is over", async (_, policy) => {
    const { desk, state } = await approve(written, {
      policy,
      act: (at, clock) => {
        clock.advance(1_001);
        return at;
      },
    });
    expect([state, desk.done]).toEqual(["wait", ["first"]]);
    expect(plannedOf(await desk.events())).toEqual([undefined, 0]);
    await desk.decide("approve", "cem");
    expect(await desk.drive()).toBe("goal-reached");
    expect(await desk.judge()).toEqual(sound);
  });
});

describe("a tool that has another build", () => {
  const written1: PlanDocument = { ...plan, steps: plan.steps.slice(0, 1) };

  test.each(["before", "after"])("%s the yes is asked for, by that build", async (when) => {
    let build = "1";
    const desk = await openPlanDesk(written1, { policy: ruled({}), build: () => build });
    await desk.drive();
    if (when === "before") build = "2";
    await desk.decide("approve");
    build = "2";
    expect(await desk.drive()).toBe("wait");
    expect(desk.done).toEqual([]);
    const [proposed] = (await desk.events()).filter((event) => event.type === "plan.proposed");
    expect(proposed?.content).toMatchObject({ steps: [{ build: "1" }] });
    await desk.decide("approve", "cem");
    expect(await desk.drive()).toBe("goal-reached");
    expect(plannedOf(await desk.events())).toEqual([undefined, undefined]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("since its first step is asked for from there on", async () => {
    let build = "1";
    const read = { id: "read", loop: "work", input: { at: { from: "$.one.output" } } };
    const [one, two] = plan.steps as [PlanDocument["steps"][0], PlanDocument["steps"][0]];
    const steps = [one, read, { ...two, after: ["read"] }];
    const desk = await openPlanDesk({ ...plan, steps }, { policy: ruled({}), build: () => build });
    await desk.drive();
    await desk.decide("approve");
    expect(await desk.drive()).toBe("wait");
    await desk.decide("approve", "cem");
    build = "2";
    // The action with an approval of its own needs a new one; the action behind it needs one after
    // that.
    expect(await desk.drive()).toBe("wait");
    await desk.decide("approve", "cem");
    expect(await desk.drive()).toBe("wait");
    expect(desk.done).toEqual(["first", "first"]);
    await desk.decide("approve", "cem");
    expect(await desk.drive()).toBe("goal-reached");
    expect(desk.done).toEqual(["first", "first", "second"]);
    expect(plannedOf(await desk.events())).toEqual([undefined, 0, undefined, undefined]);
    expect(await desk.judge()).toEqual(sound);
  });
});

describe("a tool that declares something else of being taken back", () => {
  const written1: PlanDocument = { ...plan, steps: plan.steps.slice(0, 1) };
  const final = { irreversible: "what is sent is sent" };

  test.each<[string, WayBack, WayBack]>([
    ["for less long", { withinMs: 60_000 }, { withinMs: 1_000 }],
    ["not at all", { withinMs: 60_000 }, final],
    ["for another reason", final, { irreversible: "it is gone" }],
    ["by then", final, { withinMs: 60_000 }],
  ])("%s is asked for", async (_, then, now) => {
    let wayBack = then;
    const desk = await openPlanDesk(written1, { policy: ruled({}), wayBack: () => wayBack });
    await desk.drive();
    await desk.decide("approve");
    wayBack = now;
    expect(await desk.drive()).toBe("wait");
    expect(desk.done).toEqual([]);
    await desk.decide("approve", "cem");
    expect(await desk.drive()).toBe("goal-reached");
    expect(plannedOf(await desk.events())).toEqual([undefined, undefined]);
    expect(await desk.judge()).toEqual(sound);
  });

  test("people are told what the plan's tools declare, and the same is used", async () => {
    const ask = async (wayBack: WayBack) => {
      const desk = await openPlanDesk(written1, { policy: ruled({}), wayBack: () => wayBack });
      await desk.drive();
      const [request] = await desk.open().requests(desk.run);
      await desk.decide("approve");
      expect(await desk.drive()).toBe("goal-reached");
      expect(await desk.judge()).toEqual(sound);
      return request?.kind === "unknown" ? undefined : request?.description;
    };
    expect(await ask(final)).toMatch(/, one step\? Cannot be taken back: one\.$/);
    expect(await ask({ withinMs: 9 })).toMatch(/, one step\? Can be taken back: one\.$/);
  });
});

test("a plan's approval does not expire with the time of one of its steps", async () => {
  const beside: PlanDocument = {
    title: "One in a hurry, one not",
    steps: [
      { id: "one", loop: "work", input: { at: "first" } },
      { id: "two", loop: "work", input: { at: "second" }, after: ["one"] },
    ],
  };
  const hurried = { id: "first", decision: "ask", tools: ["local.work"] } as const;
  const policy = ruled({}, { ...hurried, plan: "suffices", useWithinMs: 1_000 });
  // Each look at the clock is a millisecond later, so that at one of these starts the time is over
  // between the judgement and the claim.
  let asked = 0;
  for (let lateMs = 966; lateMs <= 975; lateMs++) {
    let isStepping = false;
    const desk = await openPlanDesk(beside, {
      policy,
      watch: (clock) => ({
        ...{ after: clock.after.bind(clock) },
        now: () => {
          if (isStepping) clock.advance(1);
          return clock.now();
        },
      }),
    });
    await desk.drive();
    await desk.decide("approve");
    desk.clock.advance(lateMs);
    isStepping = true;
    const state = await desk.drive();
    isStepping = false;
    expect(["wait", "goal-reached"], `${lateMs}`).toContain(state);
    const types = (await desk.events()).map(({ type }) => type);
    expect(types, `${lateMs}`).not.toContain("approval.expired");
    if (state === "wait") asked += 1;
    for (let left = 2; (await desk.open().requests(desk.run)).length > 0 && left > 0; left--) {
      await desk.decide("approve", "cem");
      await desk.drive();
    }
    expect(desk.done, `${lateMs}`).toEqual(["first", "second"]);
    expect(await desk.judge(), `${lateMs}`).toEqual(sound);
  }
  expect(asked).toBeGreaterThan(0);
});

test("a plan that is cancelled uses its approval for nothing more", async () => {
  const { desk, state } = await approve(plan, { policy: ruled({}) });
  expect(state).toBe("wait");
  await desk.open().cancel(desk.run, { key: "stop", by: "bea" });
  expect(await desk.drive()).toBe("cancelled");
  expect(desk.done).toEqual(["first", "second"]);
  expect(await desk.judge()).toEqual(sound);
});

test("the approval of one run is worth nothing in another", async () => {
  await approve(written, { policy: ruled({}) });
  const other = await openPlanDesk(written, { policy: ruled({}) });
  expect(await other.drive()).toBe("wait");
  expect(other.done).toEqual([]);
});

test("a process may be lost at every write: nothing is done or asked twice", async () => {
  for (let place = 1; place < 40; place++) {
    let crash = crashAt(place);
    const desk = await openPlanDesk(written, {
      policy: ruled({}),
      see: (stores) => crash(stores),
    });
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
    await desk.decide("approve");
    expect(await drive(), String(place)).toBe("goal-reached");
    expect(desk.done).toEqual(["first", "second"]);
    expect(await desk.judge(), String(place)).toEqual(sound);
    if (!hasCrashed) return;
  }
  expect.unreachable("there are fewer writes than that");
});
