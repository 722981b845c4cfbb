// The fields of a harness, and their findings: each pass beside its failure.
import type { Policy } from "@turnseal/protocol";
import { describe, expect, test, vi } from "vitest";
import { ada, approve, bob, rules, tryCase } from "./desk.test.data.ts";
import type { Harness, TurnExpectation, Word } from "./harness.ts";
import { CASE_MS_MAX } from "./run-case.ts";

const pathsOf = async (changed: Partial<Harness>): Promise<string[]> =>
  (await tryCase(changed)).differences.map(({ path }) => path);

describe("who starts the run", () => {
  const [large, ...rest] = rules.rules;
  const policy = { ...rules, rules: [{ ...large, exclude: ["starter"] }, ...rest] } as Policy;

  test("may not approve it where a rule says so", async () => {
    const caller = [approve, { ...approve, by: bob }];
    const expected = { stopped: "goal-reached", refused: ["PERSON_EXCLUDED"] };
    expect(await pathsOf({ by: "ada", policy, caller, expect: expected })).toEqual([]);
  });

  test("must be named there", async () => {
    const { differences } = await tryCase({ policy });
    expect(differences).toMatchObject([{ actual: expect.stringMatching(/^STARTER_MISSING/) }]);
  });
});

describe("files", () => {
  const writing: Partial<Harness> = {
    ...{ loop: "append", input: { path: "in/a.txt", line: "two" } },
    grant: { grantor: "ada", tools: ["desk.append", "desk.append.undo"], budget: {} },
    files: { files: { "in/a.txt": "one\n", "b.txt": "b" } },
  };
  const after = (files: Record<string, string | null>) =>
    pathsOf({ ...writing, expect: { stopped: "goal-reached", files: { files } } });

  test("are there before the run, and compared after it", async () => {
    expect(await after({ "in/a.txt": "one\ntwo\n", "b.txt": "b", "c.txt": null })).toEqual([]);
    expect(await after({ "in/a.txt": "one\n", "b.txt": null, "c.txt": "c" })).toEqual(
      ["in~1a.txt", "b.txt", "c.txt"].map((path) => `/expect/files/files/${path}`),
    );
  });

  test("of a case are its own: the next case, and a root without files, has none", async () => {
    const { files: _, ...alone } = writing;
    const expected = { stopped: "goal-reached", files: { files: { "in/a.txt": "two\n" } } };
    expect(await pathsOf({ ...alone, expect: expected })).toEqual([]);
  });

  test("give the same receipts each time", async () => {
    const [one, other] = [await tryCase(writing), await tryCase(writing)];
    expect(one.actual).toEqual(other.actual);
    expect(one.actual).toMatchObject({ turns: [{ receipt: expect.stringMatching(/^sha256:/) }] });
  });
});

describe("what a caller says", () => {
  test("an approval lets the same turn finish, and the receipt names who gave it", async () => {
    const { differences } = await tryCase({
      caller: [approve],
      expect: {
        stopped: "goal-reached",
        turns: [
          {
            outcome: "completed",
            output: { reference: "paid-A-1", cents: 1200 },
            effects: [{ tool: "desk.refund", status: "ok", rule: "large", approvedBy: ["ada"] }],
          },
        ],
      },
    });
    expect(differences).toEqual([]);
  });

  test("without it the run waits, and who expected an end is told for what", async () => {
    expect((await tryCase({})).differences).toEqual([
      {
        path: "/expect/stopped",
        expected: "goal-reached",
        actual: {
          waiting: [
            { approval: "desk.refund", role: "finance", request: { order: "A-1", cents: 1200 } },
          ],
        },
      },
    ]);
  });

  test("who expected it to wait is told why it stopped", async () => {
    const expected = [{ approval: "desk.refund" }];
    const { differences } = await tryCase({ caller: [approve], expect: { waiting: expected } });
    expect(differences).toEqual([
      { path: "/expect/waiting", expected, actual: { stopped: "goal-reached" } },
    ]);
  });

  test("a rejection, an edit and a passing of time end as they do in a run", async () => {
    const smaller = { order: "A-1", cents: 1100 };
    const stories: [Harness["caller"], Harness["expect"]][] = [
      [[{ ...approve, choice: "reject" }], { stopped: "approval-rejected" }],
      [
        [
          { ...approve, choice: "edit", arguments: smaller },
          { ...approve, request: smaller, by: bob },
        ],
        { stopped: "goal-reached", turns: [{ output: { reference: "paid-A-1", cents: 1100 } }] },
      ],
      [[{ wait: 24 * 60 * 60 * 1000 + 1 }], { stopped: "approval-expired" }],
      [[{ cancel: "ada" }], { stopped: "cancelled" }],
    ];
    for (const [caller, expected] of stories)
      expect(await pathsOf({ caller: caller ?? [], expect: expected })).toEqual([]);
  });

  test("two people are needed where the rule says so, each once", async () => {
    const [large, rest] = rules.rules;
    if (large === undefined || rest === undefined) throw new Error("there are two rules");
    const policy = { ...rules, rules: [{ ...large, approvers: 2 }, rest] };
    const both = [approve, { ...approve, by: bob }];
    expect(await pathsOf({ policy, caller: both })).toEqual([]);
    expect(await pathsOf({ policy, caller: [approve, approve] })).toEqual([
      "/caller/1",
      "/expect/stopped",
    ]);
  });

  test("a word that is refused counts only if it is expected", async () => {
    const eve = { ...approve, by: { id: "eve", roles: [] } };
    expect(await pathsOf({ caller: [eve, approve] })).toEqual(["/expect/refused/0"]);
    expect(
      await pathsOf({
        caller: [eve, approve],
        expect: { stopped: "goal-reached", refused: ["ROLE_MISSING"] },
      }),
    ).toEqual([]);
  });

  test("a word that nobody asked for is told with what is asked instead", async () => {
    const word = { ...approve, approval: "desk.fly" };
    const { differences } = await tryCase({
      caller: [word],
      expect: { waiting: [{ approval: "desk.refund" }] },
    });
    expect(differences).toEqual([
      { path: "/caller/0", expected: word, actual: ["approval of desk.refund"] },
    ]);
    expect(await pathsOf({ caller: [approve, approve] })).toEqual(["/caller/1"]);
  });
});

describe("what comes of a turn", () => {
  const wrong: [string, TurnExpectation][] = [
    ["outcome", { outcome: "denied" }],
    ["decision", { decision: "continue" }],
    ["because", { because: "turns-exhausted" }],
    ["output/cents", { output: { reference: "paid-A-1", cents: 1 } }],
    ["receipt", { receipt: "sha256:00" }],
    ["rounds", { rounds: 1 }],
    ["loops/0/digest", { loops: [{ digest: "sha256:00" }] }],
    ["effects/0/approvedBy/0", { effects: [{ approvedBy: ["bob"] }] }],
    ["effects/0/status", { effects: [{ status: "failed" }] }],
    ["effects/1", { effects: [{}, {}] }],
    ["denials/0", { denials: ["tool-not-granted"] }],
    ["guidance/0", { guidance: ["sha256:00"] }],
    ["reason", { reason: "TOOL_FAILED" }],
  ];
  test.each(wrong)("a wrong %s is found, at its place", async (place, turn) => {
    const found = await pathsOf({
      caller: [approve],
      expect: { stopped: "goal-reached", turns: [turn] },
    });
    expect(found).toEqual([`/expect/turns/0/${place}`]);
  });

  test("a turn too many and one too few are found", async () => {
    const expected = { stopped: "goal-reached" };
    expect(await pathsOf({ caller: [approve], expect: { ...expected, turns: [] } })).toEqual([
      "/expect/turns/0",
    ]);
    const two = { ...expected, turns: [{}, {}] };
    expect(await pathsOf({ caller: [approve], expect: two })).toEqual(["/expect/turns/1"]);
  });

  test("events are compared in order, as a part, and as what must not happen", async () => {
    const { actual } = await tryCase({ caller: [approve] });
    const events = actual["events"] as string[];
    expect(events).not.toContain("turn.resumed");
    const stories: [NonNullable<Harness["expect"]["events"]>, string[]][] = [
      [events, []],
      [[...events].reverse(), ["/expect/events/0"]],
      [events.slice(0, -1), [`/expect/events/${events.length - 1}`]],
      [{ includes: ["approval.requested", "action.claimed"] }, []],
      [{ includes: ["action.claimed", "approval.requested"] }, ["/expect/events/includes/1"]],
      [{ excludes: ["turn.denied"] }, []],
      [{ excludes: ["turn.denied", "action.claimed"] }, ["/expect/events/excludes/1"]],
    ];
    for (const [expected, found] of stories)
      expect(
        await pathsOf({ caller: [approve], expect: { stopped: "goal-reached", events: expected } }),
      ).toEqual(found);
  });

  test("the same file gives the same receipts each time, and another name others", async () => {
    const receiptOf = async (changed: Partial<Harness>) =>
      (await tryCase({ caller: [approve], ...changed })).actual["turns"];
    expect(await receiptOf({})).toEqual(await receiptOf({}));
    expect(await receiptOf({ name: "another" })).not.toEqual(await receiptOf({}));
  });
});

describe("what the model and the tools say", () => {
  const clerk: Partial<Harness> = {
    loop: "clerk",
    input: { plan: "anything", customer: "Grace" },
    grant: { grantor: "ada", tools: ["desk.refund", "desk.lookup"], budget: {} },
  };
  const model = [
    { asked: "Do anything for Grace", toolCalls: [{ tool: "desk.lookup", input: { order: "B" } }] },
    { json: { said: "fine" } },
  ];

  test("replies are given in order, and tools without a script are executed", async () => {
    const { differences, actual } = await tryCase({
      ...clerk,
      model,
      expect: { stopped: "goal-reached", turns: [{ output: { said: "fine" }, rounds: 2 }] },
    });
    expect(differences).toEqual([]);
    expect(actual["turns"]).toMatchObject([{ effects: [{ tool: "desk.lookup", effect: "read" }] }]);
  });

  test("a script takes the place of a tool, with the effect of the tool or its own", async () => {
    const results = [{ result: { order: "B", customer: "nobody" }, given: { order: "B" } }];
    for (const effect of ["read", "once"] as const) {
      const { differences } = await tryCase({
        ...clerk,
        model,
        tools: { "desk.lookup": effect === "read" ? { results } : { results, effect } },
        expect: { stopped: "goal-reached", turns: [{ effects: [{ effect, status: "ok" }] }] },
      });
      expect(differences).toEqual([]);
    }
  });

  test("another prompt, other arguments, too few and too many replies are found", async () => {
    const [first = {}, last = {}] = model;
    const stories: [Partial<Harness>, string[]][] = [
      [{ model: [{ ...first, asked: "Do nothing" }, last] }, ["/model/0/asked"]],
      [{ model: [first], expect: { stopped: "failed" } }, ["/model/1"]],
      [{ model: [...model, last] }, ["/model/2"]],
      [
        { model, tools: { "desk.lookup": { results: [{ result: 1, given: { order: "C" } }] } } },
        ["/tools/desk.lookup/results/0/given/order"],
      ],
      [{ model, tools: { "desk.lookup": { results: [] } } }, ["/tools/desk.lookup/results/0"]],
      [
        { model, tools: { "desk.refund": { results: [{ result: 1 }] } } },
        ["/tools/desk.refund/results/0"],
      ],
    ];
    for (const [changed, found] of stories)
      expect(await pathsOf({ ...clerk, ...changed })).toEqual(found);
  });

  test("a tool that fails is told to the model, and a model that fails ends the turn", async () => {
    const tools = { "desk.lookup": { results: [{ failure: "no network" }] } };
    const told = { stopped: "goal-reached", turns: [{ effects: [{ status: "failed" }] }] };
    expect(await pathsOf({ ...clerk, model, tools, expect: told })).toEqual([]);
    const failed = { stopped: "failed", turns: [{ outcome: "failed", reason: "BACKEND_FAILED" }] };
    expect(await pathsOf({ ...clerk, model: [{ failure: "down" }], expect: failed })).toEqual([]);
  });
});

test("an action that nobody knows the end of waits for a person's word", async () => {
  const tools = { "desk.refund": { effect: "once", results: [{ unsure: true }] } } as const;
  const small: Partial<Harness> = { input: { order: "A-1", cents: 10 }, tools };
  const waiting = [{ unknown: "desk.refund" }];
  expect(await pathsOf({ ...small, expect: { waiting } })).toEqual([]);
  const happened: Word = {
    ...{ resolve: "desk.refund", resolution: "happened", by: ada },
    result: { reference: "seen", cents: 10 },
  };
  const turns = [{ effects: [{ status: "happened" }], output: { reference: "seen", cents: 10 } }];
  const caller = [happened];
  expect(await pathsOf({ ...small, caller, expect: { stopped: "goal-reached", turns } })).toEqual(
    [],
  );
  const abandoned: Word[] = [{ resolve: "desk.refund", resolution: "abandon", by: ada }];
  const stopped = { stopped: "effect-unknown" };
  const found = await tryCase({ ...small, caller: abandoned, expect: stopped });
  expect(found.differences.map(({ path, actual }) => [path, actual])).toEqual([]);
  const other: Word[] = [{ resolve: "desk.fly", resolution: "retry", by: ada }];
  expect(
    (await tryCase({ ...small, caller: other, expect: { waiting } })).differences,
  ).toMatchObject([{ path: "/caller/0", actual: ["what became of desk.refund"] }]);
});

test("signals arrive after the turn that they name", async () => {
  const { differences } = await tryCase({
    loop: "lookup",
    input: { order: "none" },
    grant: { grantor: "ada", tools: ["desk.lookup"], budget: {} },
    bounds: {
      turnsMax: 3,
      goal: { path: "$.output.order", equals: "B-2" },
      nextInput: { order: "$.signals.order" },
    },
    signals: [
      { name: "order", payload: "B-1", by: "ada", afterTurn: 1 },
      { name: "order", payload: "B-2", by: "ada", afterTurn: 2 },
    ],
    expect: {
      stopped: "goal-reached",
      turns: ["none", "B-1", "B-2"].map((order) => ({
        output: { order, customer: "Grace Hopper" },
      })),
    },
  });
  expect(differences).toEqual([]);
});

test("a handoff is a run of its own, also with an approval inside", async () => {
  const handed: Partial<Harness> = {
    loop: "delegate",
    grant: {
      ...{ grantor: "ada", tools: ["desk.refund"], handoffs: ["refund"] },
      budget: { turns: 9, toolCalls: 9, effects: 9, handoffs: 1 },
    },
  };
  const turns = [{ effects: [{ tool: "desk.refund", approvedBy: ["ada"] }] }];
  const handoffs = [{ loop: "refund", stopped: "goal-reached", turns }];
  const above = [{ effects: [{ action: "handoff", status: "ok" }] }];
  expect(
    await pathsOf({
      ...handed,
      caller: [approve],
      expect: { stopped: "goal-reached", turns: above, handoffs },
    }),
  ).toEqual([]);
  const wrong = [{ stopped: "denied" }, {}];
  expect(
    await pathsOf({
      ...handed,
      caller: [approve],
      expect: { stopped: "goal-reached", handoffs: wrong },
    }),
  ).toEqual(["/expect/handoffs/0/stopped", "/expect/handoffs/1"]);
});

test("a handoff that the rules ask for waits under its own name", async () => {
  const policy: Policy = {
    name: "desk",
    rules: [
      { id: "handed", decision: "ask", tools: ["turnseal.handoff"] },
      { id: "rest", decision: "allow" },
    ],
  };
  const handed: Partial<Harness> = {
    ...{ loop: "delegate", policy },
    grant: {
      ...{ grantor: "ada", tools: ["desk.refund"], handoffs: ["refund"] },
      budget: { turns: 9, toolCalls: 9, effects: 9, handoffs: 1 },
    },
  };
  const waiting = [{ approval: "turnseal.handoff" }];
  expect(await pathsOf({ ...handed, expect: { waiting } })).toEqual([]);
  const caller = [{ ...approve, approval: "turnseal.handoff" }];
  expect(await pathsOf({ ...handed, caller })).toEqual([]);
});

test("what cannot be started is a difference", async () => {
  const { differences, run } = await tryCase({ guidance: [{ ref: "../up.md", text: "x" }] });
  expect(run).toBeUndefined();
  expect(differences).toEqual([
    { path: "", expected: "a run", actual: expect.stringContaining("GUIDANCE_REFUSED") },
  ]);
});

test("a function that never answers fails the case when its time is over", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const grant = { grantor: "ada", tools: ["desk.hang"], budget: {} };
    let isOver = false;
    const result = tryCase({ loop: "hang", grant }).finally(() => {
      isOver = true;
    });
    while (vi.getTimerCount() === 0) await letRun();
    vi.advanceTimersByTime(CASE_MS_MAX - 1);
    await letRun();
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect((await result).differences).toEqual([
      { path: "", expected: "a run", actual: `Error: the case took longer than ${CASE_MS_MAX} ms` },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

function letRun(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
