// A plan from its file to its end, as the commands show it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/planned.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-plans-"));
afterAll(() => rmSync(root, { recursive: true }));

const allow = ["--allow", "local.look,local.tell"];
const plan = `
title = "Tell the north"

[[steps]]
id = "look"
description = "Look who is there"
loop = "look"
input = { region = "north" }

[[steps]]
id = "tell"
loop = "tell"
input = { to = { from = "$.look.output" }, text = "Hello" }
`;
let stages = 0;

function openStage(text = plan, rules = "") {
  stages += 1;
  const place = join(root, String(stages));
  const [file, policy] = [`${place}.toml`, `${place}-rules.toml`];
  writeFileSync(file, text);
  writeFileSync(policy, rules);
  const say = async (...args: readonly string[]) => {
    return sayCommand([...args, "--store", place]);
  };
  const ruled = rules === "" ? [] : ["--policy", policy];
  const propose = (...more: readonly string[]) =>
    say("plan", "propose", file, "--from", loops, ...allow, ...ruled, ...more);
  return { file, say, propose };
}

test("a plan is proposed, approved and carried out", async () => {
  const { say, propose } = openStage();
  const proposed = await propose();
  expect(proposed).toMatchObject({ code: 2 });
  expect(proposed.out).not.toContain("Tell the north");
  const card = await say("inbox", "last");
  for (const word of [
    '"Tell the north"',
    '"Look who is there"',
    '"Hello"',
    "at most",
    "lets the plan start",
  ])
    expect(card.out).toContain(word);
  expect(card.out).not.toContain("--edit");
  expect((await say("plan", "show", "last")).out).toBe(
    [
      "plan  Tell the north  proposed",
      "  at most   toolCalls 9, 15 min",
      "  pending   look  look  Look who is there",
      "  pending   tell  tell, after look",
      "",
    ].join("\n"),
  );
  expect(await say("approve", "last")).toMatchObject({ code: 0 });
  expect(await say("plan", "run", "last")).toMatchObject({ code: 0 });
  const shown = JSON.parse((await say("plan", "show", "last", "--json")).out) as {
    readonly state: string;
    readonly steps: readonly { readonly state: string }[];
  };
  expect(shown.state).toBe("completed");
  expect(shown.steps.map(({ state }) => state)).toEqual(["completed", "completed"]);
  expect(await say("verify", "last")).toMatchObject({ code: 0 });
});

test("with --json, what is said of the plan that is replaced is not among the lines", async () => {
  const { propose } = openStage();
  const read = (out: string) => JSON.parse(out.split("\n")[0] ?? "") as { readonly run: string };
  const { run } = read((await propose("--json")).out);
  const second = await propose("--json", "--instead-of", run);
  expect(read(second.out).run).not.toBe(run);
  expect(second.err).toContain("cancel");
});

test("a plan is drawn with how far each step is, while it waits and when it is done", async () => {
  const { say, propose } = openStage();
  await propose();
  const waiting = await say("draw", "last");
  expect(waiting.out).toBe(
    [
      "Tell the north  proposed",
      "sequence",
      "├─ plan",
      "│      proposed",
      "├─ look: look",
      "│      pending",
      "│      Look who is there",
      "└─ tell: tell",
      "       pending",
      "",
    ].join("\n"),
  );
  await say("approve", "last");
  expect((await say("explain", "last")).out).not.toContain("gone");
  await say("plan", "run", "last");
  const done = await say("draw", "last", "--as", "svg");
  expect(done.out.match(/>completed</g)).toHaveLength(3);
  expect((await say("draw", "last", "--as", "mermaid")).out).toContain("look: look");
  await say("erase", "last", "--yes");
  const erased = await say("draw", "last");
  expect(erased).toMatchObject({ code: 64 });
  expect(erased.err).toContain("the plan was erased");
});

test("a plan whose words were erased still says what became of its steps", async () => {
  const { say, propose } = openStage();
  await propose();
  await say("approve", "last");
  await say("plan", "run", "last");
  expect(await say("erase", "last", "--yes")).toMatchObject({ code: 0 });
  expect((await say("plan", "show", "last")).out).toBe(
    [
      "plan  (erased)  completed",
      "  completed step 1  look",
      "  completed step 2  tell, after step 1",
      "",
    ].join("\n"),
  );
});

test("a plan that is rejected ends its run", async () => {
  const { say, propose } = openStage();
  await propose();
  await say("reject", "last");
  expect((await say("plan", "run", "last")).out).toContain("stopped: approval-rejected");
  expect((await say("plan", "show", "last")).out).toContain("plan  Tell the north  rejected");
});

test("whoever proposed a plan does not approve it, where a rule says so", async () => {
  const rules = `name = "plans"
[[rules]]
id = "eyes"
decision = "ask"
tools = ["turnseal.plan"]
exclude = ["starter"]
`;
  const { say, propose } = openStage(plan, rules);
  await propose();
  const answer = await say("approve", "last");
  expect(answer.code).toBe(1);
  expect(answer.err).toContain("PERSON_EXCLUDED");
});

test("another plan is another run, and what was approved of the first is void", async () => {
  const { say, propose, file } = openStage();
  const first = JSON.parse((await propose("--json")).out.split("\n")[0] ?? "") as { run: string };
  await say("approve", first.run);
  writeFileSync(file, plan.replace("Hello", "Goodbye"));
  expect(await propose("--instead-of", first.run)).toMatchObject({ code: 2 });
  expect((await say("plan", "run", first.run)).out).toContain("stopped: cancelled");
  expect((await say("plan", "show", first.run)).out).toContain("plan  Tell the north  cancelled");
  expect((await say("inbox", "last")).out).toContain('"Goodbye"');
});

test.each([
  [
    "a loop that is not there",
    plan.replace('loop = "tell"', 'loop = "shout"'),
    "there is no loop shout",
  ],
  [
    "a step that is not there",
    plan.replace("$.look.output", "$.find.output"),
    "no step is called find",
  ],
  [
    "a circle",
    plan.replace("input = { region", 'after = ["tell"]\ninput = { region'),
    "look → tell → look",
  ],
  ["what is no TOML", "title = ", "refused: 1 problem"],
])("%s is refused, and nothing is started", async (_, text, words) => {
  const { say, propose } = openStage(text);
  const refused = await propose();
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(words);
  expect((await say("runs")).out).not.toContain("plan-");
});

test("a file that is not there, and a run without a plan, are wrong usage", async () => {
  const { say, propose } = openStage();
  expect(await say("plan", "propose", join(root, "none.toml"), "--from", loops)).toMatchObject({
    code: 64,
  });
  await propose();
  await say(
    "run",
    "look",
    "--from",
    loops,
    "--input",
    '{"region":"south"}',
    "--allow",
    "local.look",
  );
  const answer = await say("plan", "show", "last");
  expect(answer.err).toContain("the run has no plan");
  const carried = await say("plan", "run", "last");
  expect(carried.code).toBe(64);
  expect(carried.err).toMatch(/is of look, and has no plan[\s\S]*turnseal resume [0-9a-f]{8}/);
});

test("the graph of a plan is made anew, and says the same", async () => {
  const { say, propose } = openStage();
  await propose();
  const first = await say("plan", "rebuild", "last", "--json");
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(first.out)).toMatchObject({ isSame: true });
  const again = await say("plan", "rebuild", "last");
  expect(again.out).toContain("it was the same before");
  expect(again.out).toContain(JSON.parse(first.out).stateHash);
});
