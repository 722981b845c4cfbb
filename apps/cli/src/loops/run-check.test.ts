// Loops with the exports of a module: all problems between them are reported at once.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { createScreen } from "@turnseal/terminal";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readWritten } from "../read-written.test.data.ts";
import { type CheckOptions, runCheck } from "./run-check.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-check-"));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Names {
  readonly backend: string;
  readonly audit: string;
  readonly granted: readonly string[];
  readonly goal: string;
  readonly field: string;
  readonly next: string;
}

const right: Names = {
  ...{ backend: "openai", audit: "local.audit", granted: ["local.refund", "local.audit"] },
  ...{ goal: "$.output.done", field: "order", next: "$.output.order" },
};

/** A module with an agent, its two tools, and the function of one more. */
function write(name: string, change: Partial<Names> = {}): string {
  const { backend, audit, granted, goal, field, next } = { ...right, ...change };
  const order = { type: "object", properties: { order: { type: "string" } } };
  const output = {
    type: "object",
    properties: { done: { type: "boolean" }, order: { type: "string" } },
  };
  const header = { version: "1.0.0", inputSchema: order, outputSchema: output };
  const tool = (id: string, implementation: string) => ({
    ...header,
    ...{ id, name: id, kind: "tool", tool: { implementation } },
  });
  const agent = {
    ...header,
    ...{ id: "agent", name: "Agent", kind: "prompt", backend: { id: backend } },
    prompt: {
      ...{ template: "Refund {{order}}", variables: ["order"] },
      tools: [{ loopId: "refund" }, { loopId: "audit" }],
    },
  };
  const served = {
    grant: { grantor: "ada", tools: granted, budget: { turns: 3 } },
    bounds: { goal: { path: goal, equals: true }, nextInput: { [field]: next } },
  };
  const file = join(root, `${name}.mjs`);
  writeFileSync(
    file,
    `const run = () => ({ done: true });
    export const refund = { definition: ${JSON.stringify(tool("refund", "local.refund"))}, run };
    export const log = { definition: ${JSON.stringify(tool("log", "local.audit"))}, run };
    export const audit = { definition: ${JSON.stringify(tool("audit", audit))} };
    export const agent = { definition: ${JSON.stringify(agent)} };
    export const agents = { support: { loop: agent, ...${JSON.stringify(served)} } };`,
  );
  return file;
}

async function check(file: string, options: CheckOptions = {}) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const terminal = { out: createScreen(stdout, {}), err: createScreen(stderr, {}) };
  const code = await runCheck([file], options, terminal);
  return { code, out: readWritten(stdout), err: readWritten(stderr) };
}

test("four mistakes in one file are all shown, each with what to do", async () => {
  const file = write("wrong", {
    ...{ backend: "opnai", audit: "local.adit", granted: ["local.refnd", "local.adit"] },
    ...{ goal: "$.output.doen", field: "oder" },
  });
  const { code, out, err } = await check(file);
  expect({ code, err }).toEqual({ code: 1, err: "" });
  const loops = `turnseal loops agent --from ${file}`;
  for (const [place, rule, ...lines] of [
    [
      ...["agent at /backend/id", "backend-unbound"],
      ...["agent asks the backend opnai, which is not set up"],
      ...["mend: name openai, or name mock for the scripted model", `next: turnseal check ${file}`],
    ],
    [
      ...["audit at /tool/implementation", "tool-unbound"],
      ...["no function is bound to local.adit", "mend: write local.audit"],
      `next: turnseal check ${file}`,
    ],
    [
      ...["agents at /support/grant", "agent-grant"],
      "the grant names local.refnd, and there is no such tool: did you mean local.refund?",
      ...["mend: write the name that the tool has", `next: ${loops}`],
    ],
    [
      ...["agents at /support/bounds", "path-nowhere"],
      "`goal` reads $.output.doen, and the output has there only: done, order; did you mean done?",
      ...["mend: name a field that the schema has", `next: ${loops}`],
    ],
    [
      ...["agents at /support/bounds", "path-nowhere"],
      "`nextInput` names the field oder, and the input has there only: order; did you mean order?",
      ...["mend: name a field that the schema has", `next: ${loops}`],
    ],
  ])
    expect(out).toContain(
      `${file} export ${place}  ${rule}\n${lines.map((text) => `  ${text}\n`).join("")}`,
    );
  expect(out).toMatch(/^5 problems, 1 warning in 1 file$/m);
});

test("a file without mistakes has none, whether or not a key is set", async () => {
  const { code, out } = await check(write("right"));
  expect({ code, last: out.trim().split("\n").at(-1) }).toEqual({ code: 0, last: "ok in 1 file" });
});

test("a tool that an agent may not use is a warning: that can be meant", async () => {
  const { code, out } = await check(write("narrow", { granted: ["local.refund"] }));
  expect(code).toBe(0);
  expect(out).toContain(
    "tool-ungranted\n  agent can ask for local.audit, which the grant does not name: it is denied\n",
  );
});

/** A module with an agent whose rules read what was spent, and that hands off. */
function writeHandoff(name: string, budget: object, when: string): string {
  const header = { version: "1.0.0", inputSchema: true, outputSchema: true, kind: "tool" };
  const config = { loop: "pay", grant: { tools: ["local.pay"], budget } };
  const tool = { implementation: "turnseal.handoff", config };
  const served = {
    grant: { grantor: "ada", tools: ["local.pay"], handoffs: ["pay"], budget: {} },
    policy: { name: "desk", rules: [{ id: "much", decision: "deny", when }] },
  };
  const pay = { ...header, id: "pay", name: "pay", tool: { implementation: "local.pay" } };
  const hand = { ...header, id: "hand", name: "hand", tool };
  const file = join(root, `${name}.mjs`);
  writeFileSync(
    file,
    `export const pay = { definition: ${JSON.stringify(pay)}, run: () => 1 };
    export const hand = { definition: ${JSON.stringify(hand)} };
    export const agents = { desk: { loop: hand, ...${JSON.stringify(served)} } };`,
  );
  return file;
}

test.each([
  ["uncapped", {}, "spend['a.b'] > 1", "a rule reads spend of a.b, and hand hands off"],
  ["unnamed", { "a.b": 1 }, "spend[args.unit] > 1", "a rule reads spend as a whole"],
  ["capped", { "a.b": 1 }, "spend['a.b'] > 1", undefined],
  ["unread", {}, "args.cents > 1", undefined],
])("a rule on what was spent warns of a handoff that is %s", async (name, budget, when, words) => {
  const { code, out } = await check(writeHandoff(name, budget, when));
  expect(code).toBe(0);
  if (words === undefined) expect(out).not.toContain("handoff-uncapped");
  else expect(out).toContain(words);
});

test("a tool whose name is like no other is looked for in another module", async () => {
  const file = write("alone", { audit: "ledger.write", granted: ["local.refund", "ledger.write"] });
  const { code, out } = await check(file);
  expect(code).toBe(1);
  expect(out).toContain(`next: turnseal check ${file} <the module that exports it>`);
});

test("a module that does not load is named once, and nothing is asked of its agents", async () => {
  const file = join(root, "broken.mjs");
  writeFileSync(file, "throw new Error('not today');");
  const { code, out } = await check(file);
  expect(code).toBe(1);
  expect(out).toMatch(/module-failed\n[\s\S]*\n1 problem in 1 file\n$/);
});

test("--json has the next command of each problem", async () => {
  const file = write("json", { backend: "opnai" });
  const { out } = await check(file, { json: true });
  expect(JSON.parse(out).problems).toEqual([
    expect.objectContaining({ rule: "backend-unbound", next: `turnseal check ${file}` }),
  ]);
});
