import { expect, test } from "vitest";
import { formatLine } from "../../screen/line.ts";
import { describeTurns } from "../state/describe-turns.ts";
import { renderStarted } from "./render-started.ts";

const grant = { grantor: "ada", tools: [], budget: {} };
const plain = { isColoured: false };
const schedules = [{ name: "tick", cron: "0 9 * * *" }];

test.each([
  [{}, {}, "at most 8 turns"],
  [{ awaits: ["tick"], schedules }, {}, "at most 8 turns"],
  [{ awaits: ["message"], turnsMax: 3 }, {}, "at most 3 turns"],
  [
    { awaits: ["message"] },
    { turns: 50 },
    "no turnsMax: one turn for each message; bounded by its budget (turns 50)",
  ],
  [
    { awaits: ["message"], deadlineAt: "2030-01-31T00:00:00.000Z" },
    {},
    "no turnsMax: one turn for each message; bounded by its deadline 2030-01-31T00:00:00.000Z",
  ],
  [
    { awaits: ["message"] },
    {},
    "no turnsMax: one turn for each message; bounded by a cancel only: no budget, no deadline",
  ],
])("the bounds %j with the budget %j are: %s", (bounds, budget, words) => {
  expect(describeTurns({ bounds, budget })).toBe(words);
  const started = { run: "r", loop: "count", version: "1.0.0", grant: { ...grant, budget } };
  const texts = renderStarted({ ...started, bounds }).map((each) => formatLine(each, plain));
  expect(texts).toContain(`  bounds    ${words}, 1 failed in a row`);
});

test.each([
  [{}, "a turn completes"],
  [{ awaits: ["message"] }, "none: it waits for message"],
  [{ awaits: ["tick", "message"], schedules }, "none: it waits for tick or message"],
])("with the bounds %j the goal is: %s", (bounds, goal) => {
  const lines = renderStarted({ run: "r", loop: "count", version: "1.0.0", grant, bounds });
  const texts = lines.map((each) => formatLine(each, plain));
  expect(texts).toContain(`  goal      ${goal}`);
});
