import { expect, test } from "vitest";
import { formatLine } from "../terminal/line.ts";
import { renderStarted } from "./render-started.ts";

const grant = { grantor: "ada", tools: [], budget: {} };
const schedules = [{ name: "tick", cron: "0 9 * * *" }];

test.each([
  [{}, "a turn completes"],
  [{ awaits: ["message"] }, "none: it waits for message"],
  [{ awaits: ["tick", "message"], schedules }, "none: it waits for tick or message"],
])("with the bounds %j the goal is: %s", (bounds, goal) => {
  const lines = renderStarted({ run: "r", loop: "count", version: "1.0.0", grant, bounds });
  const texts = lines.map((each) => formatLine(each, { isColoured: false }));
  expect(texts).toContain(`  goal      ${goal}`);
});
