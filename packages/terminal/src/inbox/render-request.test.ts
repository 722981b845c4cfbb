import type { Waiting, WaitingRequest } from "@turnseal/host";
import { type JsonValue, NO_SPENDING } from "@turnseal/protocol";
import type { IdleRoot } from "@turnseal/runtime/folder";
import { describe, expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { VALUE_FIELDS_MAX, VALUE_TEXT_MAX } from "../screen/render-value.ts";
import { renderRequest, renderRequestRow, toJsonRequest } from "./render-request.ts";

const nowMs = Date.parse("2026-01-31T12:00:00.000Z");

const approval: WaitingRequest = {
  kind: "approval",
  id: "e45b85df-0000-4000-8000-000000000000",
  run: "ca20af55-0000-4000-8000-000000000000",
  turn: 2,
  ...{ sequence: 21, hash: "h", key: "k", call: "c", parentCall: null },
  askedAt: "2026-01-31T11:00:00.000Z",
  loop: "pay",
  version: "1.0.0",
  name: "local.pay",
  request: { order: "A-17", cents: 1250 },
  excluded: [],
  role: "finance",
  approvers: 2,
  approvedBy: ["ada"],
  decideBy: "2026-01-31T13:00:00.000Z",
  facts: {
    rule: { id: "large", file: "refunds.toml", line: 7 },
    effect: "once",
    reserve: { toolCalls: 1, "payments.cents": 1250 },
    undo: "void it",
    onReject: "tell",
    useWithinMs: 60_000,
  },
};

const waiting: Waiting = {
  stopped: null,
  run: approval.run,
  requests: [approval],
  unknown: [],
  signals: [],
  unfit: [],
  samples: {},
  kept: [
    { about: "h", by: "bob", said: "approve" },
    { about: "another", by: "eve", said: "reject" },
  ],
  answered: new Set(),
  spending: { ...NO_SPENDING, settled: { toolCalls: 1, "payments.cents": 500 } },
  budget: { toolCalls: 4, "payments.cents": 5_000 },
};

function show(request: Partial<WaitingRequest> = {}, content = true): string[] {
  const card = renderRequest({ ...approval, ...request }, waiting, { content, nowMs });
  return card.map((line) => formatLine(line, { isColoured: false }));
}

test("whom a rule keeps from approving is named, with what they had to do with it", () => {
  const notBy = (request: Partial<WaitingRequest>) =>
    show(request).find((text) => text.includes("not by"));
  const { facts } = approval;
  expect(notBy({})).toBeUndefined();
  expect(notBy({ excluded: ["ada"], facts: { ...facts, exclude: ["starter"] } })).toBe(
    "  not by    ada (started it)",
  );
  expect(
    notBy({ excluded: ["ada", "bob"], facts: { ...facts, exclude: ["starter", "editor"] } }),
  ).toBe("  not by    ada, bob (started or edited it)");
});

/** The lines about the arguments. */
function showValue(value: JsonValue): string[] {
  const lines = show({ request: value });
  return lines.slice(
    2,
    lines.findIndex((line) => line.startsWith("  costs")),
  );
}

test("a card says everything that a person needs", () => {
  expect(show()).toEqual([
    "approval e45b85df  local.pay needs approval  pay 1.0.0",
    "  run       ca20af55-0000-4000-8000-000000000000, turn 2",
    '  arguments order  "A-17"',
    "            cents  1250",
    "  costs     toolCalls 1 (3 left of 4), payments.cents 1250 (4500 left of 5000)",
    "  undo      no, only by hand: void it",
    "  declared  once: after a crash a person is asked whether it acted",
    "  asked by  rule large, refunds.toml:7",
    "  rejection goes back to the loop that asks",
    "  decides   2 people with the role finance",
    "  decisions ada has approved; bob said approve, which takes effect when the run",
    "            continues",
    "  until     2026-01-31T13:00:00.000Z, 1 h left; once approved, it must start",
    "            within 1 min",
    "  spent     toolCalls 1 of 4, payments.cents 500 of 5000",
    "  next: turnseal approve e45b85df",
    "    or: turnseal reject e45b85df --reason '<why>'",
    "    or: turnseal approve e45b85df --edit '<other arguments as JSON>'",
  ]);
});

test("a card says why a person is asked again", () => {
  const facts = { ...approval.facts, replaces: 21, because: "build" };
  expect(show({ facts }).join(" ").replaceAll(/\s+/g, " ")).toContain(
    "again the code of local.pay changed since event 21, whose approval does not count",
  );
  expect(show().join("\n")).not.toContain("again ");
});

test.each<readonly [string, Partial<WaitingRequest>]>([
  ["a compensation", { facts: { ...approval.facts, takesBack: { run: "r" } } }],
  ["a group", { name: "turnseal.group" }],
  ["a plan", { name: "turnseal.plan" }],
])("the card of %s offers no edit, which could only break it", (_, request) => {
  expect(show().join("\n")).toContain("--edit");
  expect(show(request).join("\n")).not.toContain("--edit");
});

test("what the tool itself asks is shown as content, with everything odd in it", () => {
  const facts = { effect: "once", reserve: {}, gate: "tool-asks" };
  const asking = { facts, role: null, description: "Pay\u202e A-17?" };
  expect(show(asking)).toContain('  asks      "Pay\\u202e A-17?"');
  expect(show(asking).join("\n")).toContain("beware");
  expect(show(asking)).toContain("  asked by  the tool itself");
  expect(show(asking, false).join("\n")).not.toContain("A-17");
  const json = { ...approval, ...asking };
  expect(toJsonRequest(json, { ...waiting, content: true })).toMatchObject({
    description: asking.description,
  });
  expect(JSON.stringify(toJsonRequest(json, { ...waiting, content: false }))).not.toContain("A-17");
});

test("what is not said is not made up", () => {
  const facts = { effect: "once", reserve: {} };
  const lines = show({ facts, role: null, approvers: 1, approvedBy: [], hash: "x" });
  expect(lines).toContain("  undo      no compensation is declared");
  expect(lines).toContain("  asked by  the grant itself");
  expect(lines).toContain("  costs     nothing counted");
  expect(lines).toContain("  decides   one person");
  expect(lines).toContain("  decisions none yet");
});

test("a time that is over, and content that is gone or not asked for, are said to be", () => {
  const decideBy = "2026-01-31T11:59:30.000Z";
  expect(show({ decideBy }).join("\n")).toContain(
    "until     2026-01-31T11:59:30.000Z, expired 30.0 s ago",
  );
  expect(show({ request: undefined })).toContain("  arguments erased");
  const without = show({}, false);
  expect(without.join("\n")).not.toContain("A-17");
  expect(without).toContain("  arguments hidden here: see turnseal inbox e45b85df");
  const json = toJsonRequest(approval, { ...waiting, content: false });
  expect(JSON.stringify(json)).not.toContain("A-17");
});

test("a question says who answers, and how", () => {
  const question = { ...approval, kind: "question", name: "agent", decideBy: null } as const;
  const lines = show(question);
  expect(lines[0]).toBe("question e45b85df  pay asks  pay 1.0.0");
  expect(lines).toContain("  answers   an agent with the role finance");
  expect(lines).toContain("  until     no expiry");
  expect(lines.at(-1)).toBe("  next: turnseal answer e45b85df --value '<JSON, or @file>'");
  const row = formatLine(renderRequestRow(question, waiting, nowMs), { isColoured: false });
  expect(row).toBe("e45b85df  question  pay  for finance  run ca20af55");
});

describe("what is answered and not read yet", () => {
  const answered = { ...waiting, answered: new Set([approval.hash]) };
  const showAnswered = (resume?: IdleRoot): string[] =>
    renderRequest(approval, answered, { content: true, nowMs, resume }).map((line) =>
      formatLine(line, { isColoured: false }),
    );

  test("is not asked for again: the run is to be resumed, where nobody carries it", () => {
    const { run } = approval;
    expect(showAnswered({ run, isOfProgram: false }).at(-1)).toBe(
      "  next: turnseal resume ca20af55  (the run is idle: this takes effect then)",
    );
    const ofProgram = showAnswered({ run, isOfProgram: true });
    expect(ofProgram.join("\n")).not.toContain("turnseal resume");
    for (const lines of [showAnswered({ run, isOfProgram: false }), ofProgram, showAnswered()])
      expect(lines.join("\n")).not.toContain("turnseal approve");
    expect(showAnswered().join("\n")).not.toContain("next:");
  });

  test("is said to be, in a list and for programs", () => {
    const row = (of: Waiting): string =>
      formatLine(renderRequestRow(approval, of, nowMs), { isColoured: false });
    expect(row(answered)).toBe(
      "e45b85df  approval  local.pay  for finance  run ca20af55, answered, not applied yet",
    );
    expect(row(waiting)).toContain(", 1 h left");
    const isAnswered = (of: Waiting): object => toJsonRequest(approval, { ...of, content: false });
    expect(isAnswered(answered)).toMatchObject({ isAnswered: true });
    expect(isAnswered(waiting)).toMatchObject({ isAnswered: false });
  });
});

describe("arguments that would deceive", () => {
  test.each<[string, JsonValue, string, string]>([
    [
      "an escape sequence",
      { order: "\u001b[2J\u001b[1;1H" },
      '"\\u001b[2J\\u001b[1;1H"',
      "control",
    ],
    ["a text turned round", { file: "a\u202etxt.exe" }, '"a\\u202etxt.exe"', "direction"],
    ["a look-alike", { to: "p\u0430ypal" }, '"p\\u0430ypal"', "look-alike"],
    ["what cannot be seen", { to: "pay\u200bpal" }, '"pay\\u200bpal"', "invisible"],
    ["a name with a look-alike", { "\u0441ents": 1 }, '"\\u0441ents"', "look-alike"],
    ["a name with an escape", { "a\u001b[K": 1 }, '"a\\u001b[K"', "control"],
    ["a text in a list", { all: [{ to: "\u0410-17" }] }, 'all[0].to  "\\u0410-17"', "look-alike"],
    ["a bare text", "\u202e", '"\\u202e"', "direction"],
  ])("%s", (_, value, shown, warning) => {
    const text = showValue(value).join("\n");
    expect(text).toContain(shown);
    expect(text).toMatch(new RegExp(`\n {2}beware {4}contains .*${warning}`));
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e\u0410-\u044f]/);
  });

  test("a text that imitates the card stays behind the card's own margin", () => {
    const fake = `A-17\n  costs     nothing\n${" ".repeat(100)}next: turnseal approve e45b85df`;
    const lines = showValue({ order: fake });
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines.slice(1)) expect(line).toMatch(/^ {12}/);
    for (const line of lines) expect(line.length).toBeLessThan(80);
    expect(lines.join("\n")).not.toMatch(/^ {2}(costs|next)/m);
  });

  test("a name that is long has lines of its own, and its value too", () => {
    const lines = showValue({ ["a".repeat(30)]: 1 });
    expect(lines).toEqual([`  arguments ${"a".repeat(30)}`, `            ${" ".repeat(24)}  1`]);
  });
});

describe("arguments that are long", () => {
  test("a text of VALUE_TEXT_MAX is whole, and one more is cut with its length and digest", () => {
    const whole = showValue({ text: "a".repeat(VALUE_TEXT_MAX) }).join("");
    expect(whole.replace("arguments", "").match(/a/g)?.length).toBe(VALUE_TEXT_MAX);
    const cut = showValue({ text: `${"a".repeat(VALUE_TEXT_MAX)}z` });
    const joined = cut.map((line) => line.trim()).join("");
    expect(joined).toMatch(/… 241 characters, sha256:[0-9a-f]{12} …/);
    // The end of the value is visible.
    expect(joined).toMatch(/az"$/);
  });

  test("what is hidden in the part that is cut out is warned of", () => {
    const hidden = `${"a".repeat(VALUE_TEXT_MAX)}\u202e${"a".repeat(VALUE_TEXT_MAX)}`;
    expect(showValue({ text: hidden }).join("\n")).toContain(
      "beware    contains marks that reverse",
    );
  });

  test("VALUE_FIELDS_MAX fields are shown, and one more is counted", () => {
    const fields = (count: number): JsonValue =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
    expect(showValue(fields(VALUE_FIELDS_MAX))).toHaveLength(VALUE_FIELDS_MAX);
    const more = showValue(fields(VALUE_FIELDS_MAX + 1));
    expect(more).toHaveLength(VALUE_FIELDS_MAX + 1);
    expect(more.at(-1)).toMatch(/^ {12}and 1 field more; all of it sha256:[0-9a-f]{12}$/);
  });

  test.each<[JsonValue, string]>([
    [{}, "{}"],
    [[], "[]"],
    [null, "null"],
    [{ a: [] }, "a  []"],
    [[1, [true]], "[0]     1"],
  ])("%j is shown", (value, shown) => {
    expect(showValue(value)[0]).toBe(`  arguments ${shown}`);
  });
});
