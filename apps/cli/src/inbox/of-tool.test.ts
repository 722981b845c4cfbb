// A tool that asks in the middle of its call, from the command's side.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const LOOPS = `
const needed = Symbol.for("turnseal.error");
const properties = { account: { type: "string" } };
const schema = { type: "object", properties, required: ["account"] };
export const pay = {
  definition: {
    id: "pay", name: "pay", version: "1.0.0", kind: "tool", inputSchema: true,
    outputSchema: { type: "object", required: ["paid"] },
    tool: { implementation: "local.pay" },
  },
  run: (_, { answered }) => {
    if (answered !== undefined) return { paid: answered.answer.account };
    const question = "From which account is this very long payment of today made?";
    const asks = { question, schema };
    const code = "TOOL_NEEDS_ANSWER";
    throw Object.assign(new Error("asks"), { [needed]: true, code, retry: "never", asks });
  },
  declared: { effect: "once" },
};
`;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-asking-"));
  writeFileSync(join(folder, "loops.mjs"), LOOPS);
});
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...args: string[]) => sayCommand([...args, "--store", join(folder, "store")]);

test("a wrong answer names its problem, and a right one is given to the tool", async () => {
  const from = ["--from", join(folder, "loops.mjs")];
  const asked = await say(
    "run",
    "pay",
    "--input",
    "{}",
    "--allow",
    "local.pay",
    ...from,
    "--content",
  );
  expect(asked.out + asked.err).toContain("From which account is this very long payment");
  const [, id = ""] = /turnseal answer ([0-9a-f]{8})/.exec(asked.out + asked.err) ?? [];
  const wrong = await say("answer", id, "--value", '{"paid":"x"}', ...from);
  expect(wrong.code).not.toBe(0);
  expect(wrong.err).toContain("does not fit the question of pay");
  expect(wrong.err).toContain("/account: is missing");
  const right = await say("answer", id, "--value", '{"account":"A-1"}', ...from);
  expect(right).toMatchObject({ code: 0 });
  const ended = await say("resume", "last", ...from, "--content");
  expect(ended.out + ended.err).toContain("A-1");
});
