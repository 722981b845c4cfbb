// A run becomes a test that passes offline, and fails when its loops change.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Harness } from "@turnseal/testing";
import { afterAll, expect, test } from "vitest";
import { deskFile, openFolder, rules } from "./desk.test.data.ts";

const folder = openFolder();
afterAll(folder.remove);
const store = ["--store", join(folder.path, "store")];
const policy = folder.write("rules.json", rules);

async function begin(loop: string, input: unknown, ...more: string[]) {
  const { out, code } = await folder.run([
    ...["run", loop, "--from", deskFile, "--policy", policy, "--json", ...store],
    ...["--input", JSON.stringify(input), ...more],
  ]);
  return { code, run: String(JSON.parse(out.split("\n")[0] ?? "")["run"]) };
}

/** The first open request of a kind. */
async function waiting(run: string, kind: "approvals" | "questions"): Promise<string> {
  const { out } = await folder.run(["inbox", "--json", ...store]);
  const cards: { run: string; approvals: { id: string }[]; questions: { id: string }[] }[] =
    JSON.parse(out);
  return cards.find((card) => card.run === run)?.[kind][0]?.id ?? "";
}

async function makeFixture(run: string, name: string, ...more: string[]) {
  const file = join(folder.path, name);
  const made = await folder.run(["fixture", run, "--out", file, ...more, ...store]);
  return { ...made, file, read: () => JSON.parse(readFileSync(file, "utf8")) as Harness };
}

const tools = "desk.refund,desk.lookup,turnseal.question";
const plan = [
  [["lookup", { order: "A-1" }]],
  [
    ["refund", { order: "A-1", cents: 1200 }],
    ["refund", { order: "A-2", cents: 13 }],
  ],
  [["review", { order: "A-1" }]],
];

test("a run with approvals, failures and questions, from its store to a green test", async () => {
  const customer = 'ada "the" lovelace';
  const { run, code } = await begin("clerk", { plan, customer }, "--allow", tools);
  expect(code).toBe(2);
  const id = await waiting(run, "approvals");
  await folder.run(["approve", id, "--reason", "Bob vouches for her", ...store]);
  await folder.run(["resume", run, ...store]);
  await folder.run([
    "answer",
    await waiting(run, "questions"),
    "--value",
    '{"fine":true}',
    ...store,
  ]);
  expect((await folder.run(["resume", run, ...store])).code).toBe(0);

  const made = await makeFixture(run, "clerk.harness.json", "--redact", "/input/customer");
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(made.out).toContain("and it passes offline");
  const text = readFileSync(made.file, "utf8");
  expect(text).not.toContain("lovelace");
  expect(text).not.toContain("Bob vouches");
  const harness = made.read();
  expect(harness).toMatchObject({
    loop: "clerk",
    grant: { grantor: "person-1" },
    caller: [
      { approval: "desk.refund", choice: "approve", reason: "redacted", by: { id: "person-1" } },
      { question: "review", answer: { fine: true }, by: { roles: ["finance"] } },
    ],
    tools: {
      "desk.refund": { results: [{ given: { cents: 1200 } }, { failure: "no luck with A-2" }] },
    },
    expect: { stopped: "goal-reached", turns: [{ outcome: "completed", rounds: 4 }] },
  });
  expect(JSON.stringify(harness.expect)).toContain('"approvedBy":["person-1"]');
  expect((await folder.run(["test", made.file])).code).toBe(0);

  // Another order of the tools, another answer of one, another prompt: each is reported.
  const spoil = async (change: (spoiled: Harness) => Harness): Promise<string> => {
    writeFileSync(join(folder.path, "spoiled.harness.json"), JSON.stringify(change(harness)));
    const { code: ended, out } = await folder.run([
      "test",
      join(folder.path, "spoiled.harness.json"),
    ]);
    expect(ended).toBe(1);
    return out;
  };
  const [first = {}, second = {}, ...rest] = harness.model ?? [];
  const reordered = { ...second, toolCalls: [...(second.toolCalls ?? [])].reverse() };
  expect(await spoil((same) => ({ ...same, model: [first, reordered, ...rest] }))).toContain(
    "/tools/desk.refund/results/0/given/cents\n      expected  1200\n      actual    13\n",
  );
  expect(
    await spoil((same) => ({ ...same, model: [{ ...first, asked: "Do less" }, second, ...rest] })),
  ).toContain("/model/0/asked\n            - Do less\n            + Do [[[");
  expect(await spoil((same) => ({ ...same, input: { plan: [], customer: "x" } }))).toContain(
    "            + Do [] for x\n",
  );
  const digests = (same: Harness) =>
    JSON.parse(JSON.stringify(same).replaceAll("sha256:", "sha256:0"));
  expect(await spoil(digests)).toContain("/expect/turns/0/loops/0/digest");
});

test("a run that waits, one that was rejected, and one that handed on", async () => {
  const order = { order: "A-1", cents: 1200 };
  const parked = await begin("refund", order, "--allow", tools);
  const first = await makeFixture(parked.run, "parked.harness.json");
  expect(first).toMatchObject({ code: 0 });
  expect(first.read().expect).toMatchObject({ waiting: [{ approval: "desk.refund" }], turns: [] });
  await folder.run(["reject", await waiting(parked.run, "approvals"), "--reason", "no", ...store]);
  await folder.run(["resume", parked.run, ...store]);
  const second = await makeFixture(parked.run, "rejected.harness.json");
  expect(second).toMatchObject({ code: 0 });
  expect(second.read().expect).toMatchObject({ stopped: "approval-rejected" });

  const grant = folder.write("grant.json", {
    ...{ grantor: "ada", tools: ["desk.refund"], handoffs: ["refund"] },
    budget: { turns: 9, toolCalls: 9, effects: 9, handoffs: 1 },
  });
  const handed = await begin("delegate", { ...order, cents: 10 }, "--grant", grant);
  expect(handed.code).toBe(0);
  const third = await makeFixture(handed.run, "handed.harness.json");
  expect(third).toMatchObject({ code: 0 });
  expect(third.read().expect).toMatchObject({
    handoffs: [{ loop: "refund", stopped: "goal-reached" }],
  });
});

test("what cannot be told again is refused, with the reason", async () => {
  const { run } = await begin("lookup", { order: "A-1" }, "--allow", "desk.lookup");
  const again = await makeFixture(run, "twice.harness.json");
  expect(again.code).toBe(0);
  expect(await makeFixture(run, "twice.harness.json")).toMatchObject({
    code: 64,
    err: expect.stringContaining("exists already"),
  });
  expect(await makeFixture(run, "x.harness.json", "--redact", "/input/nothing")).toMatchObject({
    code: 64,
    err: expect.stringContaining("there is no text at /input/nothing to redact"),
  });
  expect(await makeFixture(run, "x.harness.json", "--redact", "input")).toMatchObject({
    code: 64,
    err: expect.stringContaining("JSON Pointer"),
  });
  await folder.run(["erase", run, "--yes", ...store]);
  expect(await makeFixture(run, "erased.harness.json")).toMatchObject({
    code: 64,
    err: expect.stringContaining("the content of the run was erased"),
  });
});
