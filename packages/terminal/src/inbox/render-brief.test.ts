import type { Waiting, WaitingRequest } from "@turnseal/host";
import { NO_SPENDING } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { BRIEF_LINES_MAX, renderBrief } from "./render-brief.ts";

const nowMs = Date.parse("2026-01-31T12:00:00.000Z");
const approval: WaitingRequest = {
  kind: "approval",
  id: "e45b85df-0000-4000-8000-000000000000",
  run: "ca20af55-0000-4000-8000-000000000000",
  turn: 2,
  ...{ sequence: 21, hash: "h", key: "k", call: "c", parentCall: null },
  askedAt: "2026-01-31T11:00:00.000Z",
  ...{ loop: "pay", version: "1.0.0", name: "local.pay" },
  request: { order: "A-17", cents: 1250 },
  ...{ excluded: [], role: "finance", approvers: 1, approvedBy: [] },
  decideBy: "2026-01-31T13:00:00.000Z",
  facts: { effect: "once", reserve: {} },
};
const waiting: Waiting = {
  ...{ stopped: null, run: approval.run, requests: [], unknown: [], signals: [], unfit: [] },
  ...{ samples: {}, kept: [], answered: new Set<string>(), spending: NO_SPENDING, budget: {} },
};

function show(request: Partial<WaitingRequest> = {}, content = true): string[] {
  const card = renderBrief({ ...approval, ...request }, waiting, { content, nowMs });
  return card.map((line) => formatLine(line, { isColoured: false }));
}

test("five lines say what, with which arguments, who, until when and how", () => {
  expect(show()).toEqual([
    "approval e45b85df  local.pay needs approval  pay 1.0.0",
    '  arguments order  "A-17", cents  1250',
    "  decides   one person with the role finance",
    "  until     2026-01-31T13:00:00.000Z, 1 h left",
    "  next: turnseal approve e45b85df  or: turnseal reject e45b85df --reason '<why>'",
  ]);
});

test.each<readonly [string, Partial<WaitingRequest>]>([
  ["many arguments", { request: { text: "x".repeat(900), list: [1, 2, 3, 4], a: 1, b: 2 } }],
  ["a plan", { name: "turnseal.plan", request: { document: { steps: [] } } }],
  ["people who may not", { excluded: ["ada", "bob"], facts: { exclude: ["starter"] } }],
  ["a long question of the tool", { description: "Pay? ".repeat(90) }],
  ["a question", { kind: "question", request: { text: "x".repeat(900) } }],
  ["no content", { request: undefined }],
])("a card with %s has at most BRIEF_LINES_MAX lines of 80 cells", (_, request) => {
  const card = show(request);
  expect(card.length).toBeLessThanOrEqual(BRIEF_LINES_MAX);
  for (const row of card) expect(row.length).toBeLessThanOrEqual(80);
});

test("code that changed after its approval is why a person is asked again", () => {
  const facts = { ...approval.facts, replaces: 21, because: "build" };
  expect(show({ facts })[0]).toContain("local.pay needs approval again: its code has changed");
});

test("arguments that do not fit are cut, and the line names the whole card", () => {
  const [, row = ""] = show({ request: { a: "x".repeat(60), b: "y".repeat(60) } });
  expect(row).toMatch(/… all: turnseal inbox e45b85df$/);
});

test("a long text does not hide the target of a call", () => {
  const request = { content: "x".repeat(300), list: ["y".repeat(90)], path: "src/sum.js" };
  const [, row = ""] = show({ name: "fs.write", request });
  expect(row).toMatch(/path +"src\/sum.js"/);
  expect(row).toMatch(/… all: turnseal inbox e45b85df$/);
});

test("arguments that could be read as something else are not shown in brief", () => {
  const card = show({ request: { order: "A-17\u202e" } }).join("\n");
  expect(card).toContain("beware");
  expect(card).toContain("turnseal inbox e45b85df");
});

test("what the tool asks stands first, and content is hidden where it is not wanted", () => {
  expect(show({ description: "Pay A-17?" })[0]).toBe(
    'approval e45b85df  local.pay needs approval: "Pay A-17?"',
  );
  expect(show({ description: "Pay A-17?" }, false).join("\n")).not.toContain("A-17");
});
