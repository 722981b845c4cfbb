// The card of a question of a tool: its words first, then the answers that fit.
import type { Waiting, WaitingRequest } from "@turnseal/host";
import { NO_SPENDING } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { renderBrief } from "./render-brief.ts";
import { renderRequest } from "./render-request.ts";

const schema = {
  type: "object",
  properties: { account: { type: "string" } },
  required: ["account"],
};
const question: WaitingRequest = {
  ...{ kind: "question", name: "person", loop: "pay", version: "1.0.0", turn: 1 },
  id: "e45b85df-0000-4000-8000-000000000000",
  run: "ca20af55-0000-4000-8000-000000000000",
  ...{ sequence: 8, hash: "h", key: "k", call: "c", parentCall: null },
  ...{ askedAt: "2026-01-31T11:00:00.000Z", decideBy: null, role: null },
  ...{ excluded: [], approvers: 1, approvedBy: [], facts: { claim: 6 } },
  request: { question: "Which account?", schema },
};
const waiting: Waiting = {
  ...{ stopped: null, run: question.run, requests: [question], unknown: [], signals: [] },
  ...{ unfit: [], samples: {}, kept: [], answered: new Set(), spending: NO_SPENDING, budget: {} },
};
const show = (render: typeof renderBrief, request: WaitingRequest = question, content = true) =>
  render(request, waiting, { content, nowMs: 0 }).map((line) =>
    formatLine(line, { isColoured: false }),
  );

test("the brief card has the words of the tool, and not its schema", () => {
  const lines = show(renderBrief);
  expect(lines).toContain('  asks      "Which account?"');
  expect(lines.join("\n")).not.toContain("properties");
});

test("the whole card has the schema, and an answer that fits", () => {
  const card = show(renderRequest).join("\n");
  expect(card).toContain("Which account?");
  expect(card).toContain("properties.account.type");
  expect(card).toContain('such as   {"account":"..."}');
  expect(card).not.toContain("the output of pay");
});

test("an example that could hide something is left out, and the schema warns", () => {
  const hidden = { ...schema, properties: { account: { const: "A\u200b1" } } };
  const card = show(renderRequest, {
    ...question,
    request: { question: "Which?", schema: hidden },
  });
  expect(card.join("\n")).not.toContain("such as");
  expect(card.join("\n")).toContain("invisible characters");
});

test("without content, the card has neither words nor schema", () => {
  expect(show(renderRequest, question, false).join("\n")).not.toContain("account");
});
