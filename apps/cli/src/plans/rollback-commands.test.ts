// A rollback of a run, as the commands show it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRun } from "@turnseal/runtime/folder";
import { findRunTarget, openHost, openRuns } from "@turnseal/runtime/runs";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/undone.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-rollbacks-"));
afterAll(() => rmSync(root, { recursive: true }));
const allowed = "local.put,local.mail,local.fail,local.lose";
let stages = 0;

function openStage(plan: (ledger: string) => object) {
  stages += 1;
  const place = join(root, String(stages));
  const [file, ledger] = [`${place}.json`, `${place}-ledger`];
  writeFileSync(ledger, "");
  writeFileSync(file, JSON.stringify(plan(ledger)));
  const say = async (...args: readonly string[]) => {
    return sayCommand([...args, "--store", place]);
  };
  const propose = () => say("plan", "propose", file, "--from", loops, "--allow", allowed, "--json");
  return { place, say, propose, read: () => readFileSync(ledger, "utf8").split("\n").slice(0, -1) };
}

const sequence = (ledger: string) => ({
  title: "fill the shelf",
  steps: [
    { id: "one", loop: "put", input: { ledger, what: "one" } },
    { id: "mail", loop: "mail", input: { ledger, to: "ada" }, after: ["one"] },
    { id: "two", loop: "put", input: { ledger, what: "two" }, after: ["mail"] },
  ],
});

async function carryOut(stage: ReturnType<typeof openStage>): Promise<string> {
  const { run } = JSON.parse((await stage.propose()).out.split("\n")[0] ?? "") as { run: string };
  await stage.say("approve", run);
  expect(await stage.say("plan", "run", run)).toMatchObject({ code: 0 });
  return run;
}

test("a run is listed, asked for and taken back, once and in reverse", async () => {
  const stage = openStage(sequence);
  const { say, read } = stage;
  const run = await carryOut(stage);
  const dry = await say("rollback", run, "--dry-run");
  expect(dry).toMatchObject({ code: 0, err: "" });
  expect(dry.out).toMatch(/1 {2}local\.put \{"ledger":.*… {2}turn 1, done .*, by local\.put\.undo/);
  expect(dry.out).toContain("cannot be undone");
  expect(dry.out).toContain("mail that was sent cannot be called back");
  expect(read()).toEqual(["put one", "mail ada", "put two"]);
  const asked = await say("rollback", run);
  expect(asked.code).toBe(2);
  const card = await say("inbox", "last");
  for (const words of ["mail that was sent", "Take back run", "put.undo"])
    expect(card.out).toContain(words);
  expect(card.out).toMatch(/undoes +2 actions, in this order/);
  expect(card.out).toMatch(/at most +turns 1, toolCalls 2, effects 2/);
  expect(card.out).not.toContain("receipt");
  const again = JSON.parse((await say("rollback", run, "--json")).out) as { run: string };
  await say("approve", again.run);
  expect(await say("plan", "run", again.run)).toMatchObject({ code: 0 });
  expect(read()).toEqual(["put one", "mail ada", "put two", "took two", "took one"]);
  expect(await say("verify", again.run)).toMatchObject({ code: 0 });
  expect((await say("explain", run, "--from", loops)).out).toContain(
    `rolled back by run ${again.run.slice(0, 8)}`,
  );
  expect((await say("explain", again.run)).out).toContain(`takes back run ${run.slice(0, 8)}`);
  expect((await say("rollback", run)).out).toContain("is there already: goal-reached");
  expect(read()).toHaveLength(5);
});

test("what fails is no success: a person is asked, and explain says it", async () => {
  const stage = openStage((ledger) => ({
    title: "fill the shelf",
    steps: ["one", "stuck", "two"].map((what) => ({
      ...{ id: what, loop: "put", input: { ledger, what } },
    })),
  }));
  const { say } = stage;
  const run = await carryOut(stage);
  const [first = ""] = (await say("rollback", run, "--json")).out.split("\n");
  const { run: rollback } = JSON.parse(first) as { run: string };
  await say("approve", rollback);
  expect(await say("plan", "run", rollback)).toMatchObject({ code: 2 });
  expect(stage.read().slice(3)).toHaveLength(2);
  expect(await say("rollback", run)).toMatchObject({ code: 2 });
  const card = await say("inbox", "last");
  expect(card.out).toContain(`1 of 3 actions of run ${run.slice(0, 8)} not taken back`);
  expect(card.out).toContain(`--value '{"rest":"taken-back-by-hand"}'`);
  for (const [of, words] of [
    [run, `rolled back by run ${rollback.slice(0, 8)}: not ended, 1 of 3 actions not taken back`],
    [rollback, `takes back run ${run.slice(0, 8)}, 1 of 3 actions not taken back`],
  ] as const)
    expect((await say("explain", of)).out).toContain(words);
  const json = JSON.parse((await say("explain", run, "--from", loops, "--json")).out) as object;
  expect(json).toMatchObject({ rollbacks: [{ takenBack: 2, of: 3 }] });
  expect((await say("answer", "last", "--value", '{"rest":"whatever"}')).code).not.toBe(0);
  expect(await say("answer", "last", "--value", '{"rest":"stays"}')).toMatchObject({ code: 0 });
  expect(await say("plan", "run", rollback)).toMatchObject({ code: 0 });
  expect(await say("verify", rollback)).toMatchObject({ code: 0 });
  expect((await say("rollback", run, "--dry-run")).out).toContain("will be undone");
});

test("the card of an action says what takes it back, and for how long", async () => {
  const stage = openStage(sequence);
  const rules = join(root, "rules.json");
  writeFileSync(rules, JSON.stringify({ name: "r", rules: [{ id: "all", decision: "ask" }] }));
  const { say } = stage;
  const ask = (loop: string) =>
    say(
      "run",
      loop,
      "--from",
      loops,
      "--input",
      "{}",
      "--allow",
      `local.${loop}`,
      "--policy",
      rules,
    );
  await ask("put");
  const card = await say("inbox", "last");
  expect(card.out).toMatch(/undo +yes, by turnseal rollback, for .* after it: put\.undo/);
  await ask("mail");
  const final = await say("inbox", "last");
  expect(final.out).toMatch(/undo +no: mail that was sent cannot be called\s+back/);
});

test("a run that goes on, or is not there, is wrong usage, with the next command", async () => {
  const stage = openStage(sequence);
  const { run } = JSON.parse((await stage.propose()).out.split("\n")[0] ?? "") as { run: string };
  const going = await stage.say("rollback", run);
  expect(going.code).toBe(64);
  expect(going.err).toMatch(/has not stopped[\s\S]*turnseal cancel/);
  expect(await stage.say("rollback", "ffffffff")).toMatchObject({ code: 64 });
});

test("a plan that is to be reversible has no step that is final", async () => {
  const stage = openStage((ledger) => ({ ...sequence(ledger), reversible: true }));
  const refused = await stage.propose();
  expect(refused.code).toBe(1);
  expect(refused.err + refused.out).toContain("mail acts, and says that it is final");
});

test("erase names the rollback that has what it took back, and erases it if asked", async () => {
  const stage = openStage(sequence);
  const { say } = stage;
  const run = await carryOut(stage);
  const [first = ""] = (await say("rollback", run, "--json")).out.split("\n");
  const asked = JSON.parse(first) as { run: string };
  const words = `a rollback of what was done by ${run.slice(0, 8)}`;
  expect((await say("erase", run, "--yes")).err).toContain(`${asked.run}  ${words}`);
  const both = await say("erase", run, "--with-copies", "--yes");
  expect(both).toMatchObject({ code: 0, err: "" });
  expect(both.out).toContain(`the content of ${asked.run}, ${words}, is erased`);
});

interface Explained {
  readonly triggered: object;
  readonly rollbacks: readonly { readonly run: string }[];
}

const failing = (steps: readonly string[]) => (ledger: string) => ({
  ...{ title: "fill the shelf", rollbackOn: ["failed", "cancelled"] },
  steps: [...steps, "fail"].map((id, index, all) => ({
    ...{ id, loop: id === "fail" ? "fail" : "put", input: { ledger, what: id } },
    ...(index === 0 ? {} : { after: [all[index - 1]] }),
  })),
});

async function failPlan(stage: ReturnType<typeof openStage>): Promise<string> {
  const { run } = JSON.parse((await stage.propose()).out.split("\n")[0] ?? "") as { run: string };
  await stage.say("approve", run);
  return run;
}

test("a plan that fails asks for its rollback, which people decide on like any", async () => {
  const stage = openStage(failing(["one", "two"]));
  const { say, read } = stage;
  const run = await failPlan(stage);
  const failed = await say("plan", "run", run);
  expect(failed.code).toBe(1);
  const [, asked = ""] = /its rollback is asked for on failed: run (\w+)/.exec(failed.out) ?? [];
  expect(failed.out).toContain(`next: turnseal inbox ${asked}`);
  expect(read()).toEqual(["put one", "put two"]);
  const explained = await say("explain", run, "--from", loops);
  expect(explained.out).toContain(`a rollback is run ${asked}: waits for approval`);
  const stands = `its rollback is asked for on failed: run ${asked}`;
  expect(explained.out).toContain(`${stands}, waits for approval, 2 of 2 actions not taken back\n`);
  const json = JSON.parse((await say("explain", run, "--from", loops, "--json")).out) as Explained;
  expect(json.triggered).toMatchObject({ cause: "failed", kind: "asked" });
  expect((await say("rollback", run)).out).toContain(`rollback ${asked} of run`);
  expect((await say("inbox", asked)).out).toMatch(/undoes +2 actions, in this order/);
  await say("approve", asked);
  expect(await say("plan", "run", asked)).toMatchObject({ code: 0 });
  expect(read()).toEqual(["put one", "put two", "took two", "took one"]);
  const ended = `${stands}, ended as goal-reached, 2 actions taken back\n`;
  expect((await say("explain", run, "--from", loops)).out).toContain(ended);
  expect(await say("verify", asked)).toMatchObject({ code: 0 });
});

test("a rollback that people rejected is said to be", async () => {
  const stage = openStage(failing(["one", "two"]));
  const { say } = stage;
  const run = await failPlan(stage);
  const { out } = await say("plan", "run", run);
  const [, asked = ""] = /its rollback is asked for on failed: run (\w+)/.exec(out) ?? [];
  await say("reject", asked);
  await say("plan", "run", asked);
  const explained = await say("explain", run, "--from", loops);
  expect(explained.out).toMatch(/on failed: run \w+, rejected, 2 of 2 actions not taken back\n/);
  expect(explained.out).not.toContain("next: turnseal inbox");
  expect(stage.read()).toEqual(["put one", "put two"]);
});

test("a plan that did nothing asks for none; a cause is known by its name", async () => {
  const stage = openStage(failing([]));
  const run = await failPlan(stage);
  const failed = await stage.say("plan", "run", run);
  expect(failed.out).toContain("no rollback is asked for on failed");
  expect((await stage.say("explain", run, "--from", loops)).out).toContain(
    "no rollback is asked for on failed: there is nothing that could be taken back",
  );
  const bad = openStage((ledger) => ({ ...failing([])(ledger), rollbackOn: ["broken"] }));
  const refused = await bad.propose();
  expect(refused.code).not.toBe(0);
  expect(refused.out + refused.err).toMatch(/rollbackOn must be a list of .*cancelled, failed/);
});

test("what nobody knows the end of is said first; then whoever resumes the run asks", async () => {
  const stage = openStage((ledger) => ({
    ...{ title: "fill the shelf", rollbackOn: ["cancelled"] },
    steps: [
      { id: "one", loop: "put", input: { ledger, what: "one" } },
      { id: "lost", loop: "lose", after: ["one"] },
    ],
  }));
  const { say } = stage;
  const run = await failPlan(stage);
  expect(await say("plan", "run", run)).toMatchObject({ code: 2 });
  await say("cancel", run);
  expect((await say("resume", run)).out).toContain("no rollback is asked for on cancelled");
  expect((await say("explain", run, "--from", loops)).out).toMatch(
    /no rollback is asked for on cancelled: it is not known whether local\.lose/,
  );
  await say("resolve", run, "never");
  expect((await say("explain", run, "--from", loops)).out).toMatch(
    /on cancelled yet\n *next: turnseal resume/,
  );
  expect((await say("resume", run)).out).toContain("its rollback is asked for on cancelled: run");
  expect(stage.read()).toEqual(["put one"]);
});

/** One step by a process of its own, on the store of the stage, which may die where it tells. */
async function step(place: string, run: string, diesAtTelling: boolean): Promise<void> {
  const folder = await openRuns({ store: place });
  if (folder.kind === "unusable") throw new Error(folder.message);
  const search = await findRun(folder, run);
  if (search.kind === "unusable") throw new Error(search.message);
  const target = await findRunTarget(search.known, folder, [loops]);
  if (target.kind !== "found") throw new Error(target.kind);
  const { stores } = folder;
  const put = diesAtTelling ? () => Promise.reject(new Error("dead")) : stores.inbox.put;
  const dying = { ...folder, stores: { ...stores, inbox: { ...stores.inbox, put } } };
  const opened = await openHost(target, dying, { environment: {} } as never);
  if (opened.kind === "refused") throw new Error(opened.kind);
  await opened.driver?.advance(run).catch(() => {});
  await stores.close();
}

test.each([
  ["before it has asked, is resumed", true, "resume", "its rollback is asked for on failed: run"],
  ["before it has begun with it, is asked for by hand", false, "rollback", "needs approval"],
] as const)("a run whose worker dies %s", async (_, diesAtTelling, command, words) => {
  const stage = openStage(failing(["one"]));
  const { say } = stage;
  const run = await failPlan(stage);
  await step(stage.place, run, diesAtTelling);
  const { triggered } = JSON.parse(
    (await say("explain", run, "--from", loops, "--json")).out,
  ) as Explained;
  expect(triggered).toMatchObject({ cause: "failed", kind: diesAtTelling ? "owed" : "asked" });
  expect((await say(command, run)).out).toContain(words);
  const { rollbacks } = JSON.parse(
    (await say("explain", run, "--from", loops, "--json")).out,
  ) as Explained;
  expect(rollbacks).toHaveLength(1);
  await say("approve", rollbacks[0]?.run ?? "");
  expect(await say("plan", "run", rollbacks[0]?.run ?? "")).toMatchObject({ code: 0 });
  expect(stage.read()).toEqual(["put one", "took one"]);
});

test("where what takes back is not here, explain says it, and nothing is asked for", async () => {
  const stage = openStage(failing(["one"]));
  const { say } = stage;
  const run = await failPlan(stage);
  await step(stage.place, run, true);
  const half = fileURLToPath(new URL("../__fixtures__/half-undone.mjs", import.meta.url));
  await say("resume", run, "--from", half);
  const explained = await say("explain", run, "--from", half);
  expect(explained.out).toMatch(
    /on failed yet: what takes it back is not here \(put\.undo 1\.0\.0, for local\.put\)/,
  );
  expect(explained.out).toContain("next: start a worker that has put.undo 1.0.0, then turnseal");
  expect(explained.out).toMatch(/or: turnseal rollback \w+ {2}\(leaves what cannot be taken back/);
  const json = JSON.parse((await say("explain", run, "--from", half, "--json")).out) as Explained;
  expect(json.triggered).toMatchObject({ kind: "owed", lacks: [{ loop: "put.undo" }] });
  const asked = "its rollback is asked for on failed: run";
  expect((await say("resume", run, "--from", loops)).out).toContain(asked);
});
