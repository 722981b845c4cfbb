// Requests to people, in this process: the list, the card, decisions, answers, and the rules of
// today. Stories over several processes are in approvals.test.ts.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { INPUT_BYTES_MAX } from "@turnseal/kernel";
import { turnseal } from "@turnseal/runtime";
import { afterAll, describe, expect, test } from "vitest";
import { type Said, sayCommand } from "../say-command.test.data.ts";
import { readPerson } from "../terminal/read-person.ts";

const loops = fileURLToPath(new URL("../__fixtures__/desk.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-inbox-"));
afterAll(() => rmSync(root, { recursive: true }));

const me = readPerson();
const finance = { TURNSEAL_ROLES: "finance" };

const askLarge = `
[[rules]]
id = "large"
decision = "ask"
tools = ["local.pay"]
when = "args.cents > 1000"
role = "finance"
`;
const allow = '\n[[rules]]\nid = "payments"\ndecision = "allow"\ntools = ["local.pay"]\n';

let stages = 0;

/** A store of its own for each story, with rules beside it. */
function openStage(rules = askLarge) {
  stages += 1;
  const place = join(root, String(stages));
  const [store, policy, ledger] = [`${place}/store`, `${place}-rules.toml`, `${place}-paid.txt`];
  const write = (text: string): void => writeFileSync(policy, `name = "desk"\n${text}${allow}`);
  write(rules);
  const ask = (...args: string[]): Promise<Said> =>
    sayCommand([...args, "--store", store], finance);
  const askAsNobody = (...args: string[]): Promise<Said> =>
    sayCommand([...args, "--store", store], {});
  const start = (payments: readonly object[], ...more: string[]): Promise<Said> => {
    const input = JSON.stringify({ asks: payments.map((one) => ({ ledger, ...one })) });
    const granted = ["--allow", "local.pay,turnseal.question", "--policy", policy];
    return ask("run", "desk", "--from", loops, "--input", input, ...granted, ...more);
  };
  const paid = (): string => (existsSync(ledger) ? readFileSync(ledger, "utf8") : "");
  return { place, store, policy, ledger, write, ask, askAsNobody, start, paid };
}

const large = { to: "ada", cents: 1200 };
const lastLine = (text: string): Record<string, unknown> =>
  JSON.parse(text.trim().split("\n").at(-1) ?? "{}");

describe("an action that the rules ask for", () => {
  test("parks the run with 2, and shows what is content only to who asks for it", async () => {
    const stage = openStage();
    const { code, out } = await stage.start([large]);
    expect(code).toBe(2);
    expect(out).toMatch(/^ {2}policy {4}desk$/m);
    expect(out).toMatch(/^approval \S{8} {2}local\.pay needs approval {2}pay 1\.0\.0$/m);
    expect(out).toMatch(/hidden here: see turnseal inbox \S{8}$/m);
    expect(out).not.toContain("1200");
    const card = await stage.ask("inbox");
    expect(card.code).toBe(0);
    expect(card.out).toMatch(/^ {2}arguments cents {3}1200$/m);
    expect(card.out).toMatch(/^ {2}undo {6}no, only by hand: void the payment$/m);
    expect(card.out).toMatch(/^ {2}asked by {2}rule large, .*rules\.toml:3$/m);
    expect(card.out).toMatch(/^ {2}decides {3}one person with the role finance$/m);
    const [waiting] = JSON.parse((await stage.ask("inbox", "last", "--json")).out);
    expect(waiting).toMatchObject({
      approvals: [{ name: "local.pay", request: large, undo: "void the payment" }],
      questions: [],
      unknown: [],
    });
    const [row] = JSON.parse((await stage.ask("runs", "--json")).out);
    expect(row).toMatchObject({ state: "waiting", waiting: 1 });
    expect((await stage.ask("runs")).out).toContain("waiting: 1 approval");
    expect((await stage.ask("show", "last")).out).toMatch(/waits {5}\S{8} for the approval of/);
    const explained = await stage.ask("explain", "last");
    expect(explained.out).toMatch(/a person with the role finance must approve local\.pay, until /);
    expect(explained.out).toMatch(
      /\(turnseal inbox (\S{8}) shows it, turnseal approve \1 decides\)/,
    );
    // A second look changes nothing, and ends as the first did.
    const again = await stage.ask("resume", "--json");
    expect(again.code).toBe(2);
    expect(lastLine(again.out)).toMatchObject({
      type: "waiting",
      approvals: [{ role: "finance" }],
    });
    expect(again.out).not.toContain("1200");
    expect(stage.paid()).toBe("");
  });

  test("is approved by its id or its run, and done in the same turn", async () => {
    const stage = openStage();
    await stage.start([large]);
    const [{ approvals }] = JSON.parse((await stage.ask("inbox", "--json")).out);
    const said = await stage.ask("approve", approvals[0].id.slice(0, 6), "--reason", "fine");
    expect(said.code).toBe(0);
    expect(said.out).toContain(`✓ local.pay is approved by ${me}`);
    expect(said.out).toMatch(/next: turnseal resume \S{8}/);
    expect((await stage.ask("inbox")).out).toContain(`${me} said approve, which takes effect when`);
    expect(stage.paid()).toBe("");
    const ended = await stage.ask("resume", "--json");
    expect(ended.code).toBe(0);
    expect(stage.paid()).toBe("ada 1200\n");
    const verified = await stage.ask("verify", "last");
    expect(verified.out).toMatch(
      new RegExp(`local\\.pay \\(event \\d+\\): approved by ${me} \\(finance\\), event \\d+; rule`),
    );
    const { allowed } = JSON.parse((await stage.ask("verify", "last", "--json")).out);
    expect(allowed).toMatchObject([{ tool: "local.pay", rule: { id: "large" }, turn: 1 }]);
    const { out } = await stage.ask("explain", "last");
    expect(out).toMatch(/Who allowed it\?\n.*\n {2}local\.pay .*approved by .*rule large/);
    expect((await stage.ask("replay", "last")).code).toBe(0);
    expect((await stage.ask("inbox")).out).toBe("nothing is waiting for a person\n");
  });

  test("is shown as answered until the run is resumed", async () => {
    const stage = openStage();
    await stage.start([large]);
    await stage.ask("approve", "last");
    const { out: card } = await stage.ask("inbox");
    expect(card).not.toContain("turnseal approve");
    expect(card).toMatch(/^ {2}next: turnseal resume \S{8} {2}\(the run is idle/m);
    expect((await stage.ask("runs")).out).toContain("answered: to be resumed");
    const [row] = JSON.parse((await stage.ask("runs", "--json")).out);
    expect(row).toMatchObject({ state: "waiting", waiting: 0, answered: 1 });
    const { out: shown } = await stage.ask("show", "last");
    expect(shown).toMatch(/^ {2}answered {2}\S{8}, the approval of local\.pay by finance/m);
    expect(shown).not.toMatch(/^ {2}waits/m);
    const json = JSON.parse((await stage.ask("show", "last", "--json")).out);
    expect(json).toMatchObject({ waiting: 0, answered: 1, asked: [{ isAnswered: true }] });
    const { out: explained } = await stage.ask("explain", "last");
    expect(explained).toContain("the approval local.pay is answered, to be read on resume");
    expect(explained).not.toContain("must approve");
    expect(explained).toMatch(/next: turnseal resume \S{8}$/m);
    const resumed = await stage.ask("resume");
    expect(resumed).toMatchObject({ code: 0, out: expect.stringContaining("  answered  ") });
    expect(resumed.out).not.toMatch(/^ {2}waits/m);
  });

  test("is not decided without the role, and the error says where roles come from", async () => {
    const stage = openStage();
    await stage.start([large]);
    for (const word of ["approve", "reject"]) {
      const { code, out, err } = await stage.askAsNobody(word, "last");
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain("ROLE_MISSING  the approval local.pay needs the role finance");
      expect(err).toContain("TURNSEAL_ROLES (none)");
    }
    expect((await stage.ask("resume")).code).toBe(2);
  });

  test("is rejected, and the run ends with 1", async () => {
    const stage = openStage();
    await stage.start([large]);
    const said = await stage.ask("reject", "last", "--reason", "no such order", "--json");
    expect(lastLine(said.out)).toMatchObject({ type: "decide", choice: "reject", by: me });
    const changed = await stage.ask("approve", "last");
    expect(changed).toMatchObject({
      code: 1,
      err: expect.stringContaining("already decided otherwise"),
    });
    const ended = await stage.ask("resume");
    expect(ended.code).toBe(1);
    expect(ended.out).toContain("stopped: approval-rejected");
    expect(stage.paid()).toBe("");
  });

  test("has an answer of another person already: the second learns who was first", async () => {
    const stage = openStage();
    await stage.start([large]);
    const [row] = JSON.parse((await stage.ask("runs", "--json")).out);
    const host = await turnseal({ store: stage.store });
    const [request] = await host.requests(row.run);
    const bob = { id: "bob", roles: ["finance"] };
    await host.decide(row.run, request?.id ?? "", { choice: "approve", by: bob });
    await host.close();
    const { out } = await stage.ask("reject", "last");
    expect(out).toContain("your reject of local.pay is saved");
    expect(out).toContain("bob answered before you: approve");
    expect(out).not.toContain("is rejected");
    expect((await stage.ask("resume")).code).toBe(0);
    expect(stage.paid()).toBe("ada 1200\n");
  });

  test("is edited to what fits alone, and asked for anew", async () => {
    const stage = openStage();
    await stage.start([large]);
    const wrong = await stage.ask("approve", "last", "--edit", '{"cents":-1}');
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain("ANSWER_REFUSED  the arguments do not fit pay");
    expect(wrong.err).toMatch(/required|minimum|at least/);
    const none = await stage.ask("approve", "last", "--edit", "null");
    expect(none.err).toMatch(/^ {2}it must be object$/m);
    const huge = join(stage.place, "huge.json");
    const to = "x".repeat(INPUT_BYTES_MAX);
    writeFileSync(huge, JSON.stringify({ ledger: stage.ledger, to, cents: 1100 }));
    const tooLarge = await stage.ask("approve", "last", "--edit", `@${huge}`);
    expect(tooLarge.code).toBe(1);
    expect(tooLarge.err).toContain(`JSON of at most ${INPUT_BYTES_MAX} bytes`);
    expect(tooLarge.err).toContain("next: turnseal inbox");
    const edited = join(stage.place, "edited.json");
    writeFileSync(edited, JSON.stringify({ ledger: stage.ledger, to: "ada", cents: 1100 }));
    const said = await stage.ask("approve", "last", "--edit", `@${edited}`);
    expect(said.out).toContain("a new approval request is created, with the edited arguments");
    expect((await stage.ask("resume")).code).toBe(2);
    expect((await stage.ask("inbox")).out).toMatch(/^ {2}arguments cents {3}1100$/m);
    await stage.ask("approve", "last");
    expect((await stage.ask("resume")).code).toBe(0);
    expect(stage.paid()).toBe("ada 1100\n");
  });

  test("needs as many people as the rule says", async () => {
    const stage = openStage(`${askLarge}approvers = 2\n`);
    await stage.start([large]);
    const said = await stage.ask("approve", "last");
    expect(said.out).toContain("1 of 2 approvals still needed, from people with the role finance");
    // One word of two is no answer yet.
    expect((await stage.ask("runs")).out).toContain("waiting: 1 approval");
    expect((await stage.ask("inbox")).out).toContain("next: turnseal approve");
    expect((await stage.ask("resume")).code).toBe(2);
    const { out } = await stage.ask("inbox");
    expect(out).toMatch(/^ {2}decides {3}2 people with the role finance$/m);
    expect(out).toMatch(new RegExp(`^ {2}decisions ${me} has approved$`, "m"));
    expect((await stage.ask("approve", "last")).out).toContain(
      "saved before: local.pay is approved",
    );
    expect(stage.paid()).toBe("");
  });

  test("has run out when nobody decides, which a resume finds", async () => {
    const stage = openStage(`${askLarge}decideWithinMs = 1\n`);
    await stage.start([large]);
    for (const word of ["approve", "reject"]) {
      const late = await stage.ask(word, "last");
      expect(late.code).toBe(1);
      expect(late.err).toContain("not accepted: the request for local.pay expired at 20");
      expect(late.err).toMatch(/next: turnseal resume \S{8} /);
    }
    const ended = await stage.ask("resume");
    expect(ended.code).toBe(1);
    expect(ended.out).toContain("stopped: approval-expired");
  });
});

test("a turn is stopped alone, once, and only while it is open", async () => {
  const stage = openStage();
  await stage.start([large], "--await", "message");
  expect(await stage.ask("cancel", "last", "--turn", "2")).toMatchObject({
    code: 1,
    err: expect.stringContaining("not accepted: turn 2 is not open"),
  });
  const told = await stage.ask("cancel", "last", "--turn", "1");
  expect(told.out).toContain("✓ turn 1 is being cancelled");
  expect((await stage.ask("cancel", "last", "--turn", "1")).out).toContain(
    "saved before: turn 1 is being cancelled",
  );
  const resumed = await stage.ask("resume");
  expect(resumed.out).toMatch(/^turn 1 {2}cancelled/m);
  expect(resumed.code).toBe(2);
  expect(resumed.out).toContain("waiting for message");
  // The run itself can still be cancelled by the same person.
  await stage.ask("cancel", "last");
  expect((await stage.ask("resume")).out).toContain("stopped: cancelled");
  expect((await stage.ask("cancel", "last", "--turn", "1")).err).toContain("the run has stopped");
});

describe("several at once", () => {
  test("are listed, and have to be named", async () => {
    const stage = openStage();
    await stage.start([large, { to: "bob", cents: 1300 }]);
    const listed = await stage.ask("inbox");
    expect(
      listed.out.match(/^\S{8} {2}approval {2}local\.pay {2}for finance {2}run/gm),
    ).toHaveLength(2);
    const unclear = await stage.ask("approve", "last");
    expect(unclear.code).toBe(64);
    expect(unclear.err).toMatch(/2 approvals match last: \S{36}, \S{36}\n {2}next: name one/);
    const [{ approvals }] = JSON.parse((await stage.ask("inbox", "--json")).out);
    await stage.ask("approve", approvals[1].id);
    const { out } = await stage.ask("inbox");
    expect(out.match(/^\S{8} {2}approval .* left$/gm)).toHaveLength(1);
    expect(out.match(/^\S{8} {2}approval .*, answered, not applied yet$/gm)).toHaveLength(1);
    expect(out).toMatch(/next: turnseal resume \S{8} .*\n {2}next: turnseal inbox <id>/);
    expect((await stage.ask("runs")).out).toContain("waiting: 1 approval, 1 answered");
    await stage.ask("approve", approvals[0].id);
    expect((await stage.ask("resume")).code).toBe(0);
    expect(stage.paid()).toBe("ada 1200\nbob 1300\n");
  });
});

describe("a question", () => {
  const begin = (stage: ReturnType<typeof openStage>): Promise<Said> => {
    const input = JSON.stringify({ asks: [{ of: "p\u0430ypal" }] });
    const granted = ["--allow", "turnseal.question"];
    return stage.ask("run", "help", "--from", loops, "--input", input, ...granted);
  };

  test("waits for an answer that fits, and goes on with it", async () => {
    const stage = openStage();
    expect((await begin(stage)).code).toBe(2);
    const card = await stage.ask("inbox");
    expect(card.out).toMatch(/^question \S{8} {2}account asks/m);
    expect(card.out).toContain('of  "p\\u0430ypal"');
    expect(card.out).toContain("contains look-alike characters");
    expect(card.out).toMatch(/^ {2}answers {3}a person with the role support$/m);
    const answer = (value: string, roles: string): Promise<Said> =>
      sayCommand(["answer", "last", "--value", value, "--store", `${stage.place}/store`], {
        TURNSEAL_ROLES: roles,
      });
    const wrong = await answer('{"number":1}', "support");
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("ANSWER_REFUSED") });
    const other = await answer('{"account":"7"}', "finance");
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining("ROLE_MISSING") });
    expect((await answer("{", "support")).code).toBe(64);
    expect((await stage.ask("resume")).code).toBe(2);
    const right = await answer('{"account":"7"}', "support");
    expect(right.out).toContain(`✓ account is answered by ${me}`);
    expect((await stage.ask("inbox")).out).not.toContain("turnseal answer");
    expect((await stage.ask("runs")).out).toContain("answered: to be resumed");
    expect((await stage.ask("resume")).code).toBe(0);
    expect((await stage.ask("explain", "last")).out).toContain(`${me} answered account`);
    expect((await stage.ask("verify", "last")).code).toBe(0);
  });
});

describe("rules", () => {
  test("that have changed deny what they now deny, also what was approved", async () => {
    const stage = openStage();
    await stage.start([large]);
    await stage.ask("approve", "last");
    stage.write('[[rules]]\nid = "frozen"\ndecision = "deny"\ntools = ["local.pay"]\n');
    const ended = await stage.ask("resume");
    expect(ended.out).toContain("the current rules differ, and what they deny is denied");
    expect(stage.paid()).toBe("");
    expect((await stage.ask("explain", "last")).out).toMatch(
      /^ {2}refused: local\.pay is denied: rule frozen \(event \d+\)$/m,
    );
    expect((await stage.ask("verify", "last")).code).toBe(0);
  });

  test("that the grant leaves out is refused, and explain says so", async () => {
    const stage = openStage();
    await stage.start([large], "--allow", "local.nothing");
    expect(stage.paid()).toBe("");
    expect((await stage.ask("explain", "last")).out).toMatch(
      /^ {2}refused: local\.pay is not allowed: .+ \(event \d+\)$/m,
    );
  });

  test("that are gone leave those that the run was started with, and one is told", async () => {
    const stage = openStage();
    await stage.start([large]);
    await stage.ask("approve", "last");
    rmSync(stage.policy);
    const ended = await stage.ask("resume");
    expect(ended.code).toBe(0);
    expect(ended.err).toMatch(/note: .*rules\.toml no longer exists/);
    expect(stage.paid()).toBe("ada 1200\n");
  });

  test("that cannot be read start and resume nothing", async () => {
    const stage = openStage();
    await stage.start([large]);
    writeFileSync(stage.policy, "name = 1");
    expect((await stage.ask("resume")).code).toBe(1);
    expect((await stage.start([large])).code).toBe(1);
    const missing = await stage.ask("run", "desk", "--from", loops, "--policy", "nowhere.toml");
    expect(missing).toMatchObject({ code: 64, err: expect.stringContaining("nowhere.toml: ") });
  });

  test("on trial are recorded, and decide nothing", async () => {
    const stage = openStage();
    const shadow = `${stage.policy}.shadow.toml`;
    writeFileSync(shadow, 'name = "strict"\n[[rules]]\nid = "none"\ndecision = "deny"\n');
    const { code } = await stage.start([{ to: "ada", cents: 10 }], "--shadow", shadow);
    expect(code).toBe(0);
    expect(stage.paid()).toBe("ada 10\n");
    const { out } = await stage.ask("export", "last", "--out", "-");
    const claims = JSON.parse(out).events.filter(
      ({ content }: { content: object }) => "shadow" in content,
    );
    expect(claims).toMatchObject([{ content: { shadow: { kind: "deny", rule: { id: "none" } } } }]);
  });
});

test("what waits in a run that was handed to is seen and decided from above", async () => {
  const handing = '[[rules]]\nid = "hand"\ndecision = "allow"\ntools = ["turnseal.handoff"]\n';
  const stage = openStage(askLarge + handing);
  const grant = `${stage.place}-grant.json`;
  const budget = { effects: 5, toolCalls: 9, turns: 9, handoffs: 1 };
  const tools = ["local.pay"];
  writeFileSync(grant, JSON.stringify({ grantor: "ada", tools, handoffs: ["pay"], budget }));
  const input = JSON.stringify({ ledger: stage.ledger, ...large });
  const files = ["--grant", grant, "--policy", stage.policy];
  const begin = ["run", "delegate", "--from", loops, "--input", input, ...files];
  const parked = await stage.ask(...begin);
  const root = /^run {2}(\S+)$/m.exec(parked.out)?.[1] ?? "";
  expect(parked.code).toBe(2);
  const id = /^approval (\S{8}) {2}local\.pay needs approval/m.exec(parked.out)?.[1] ?? "";
  const child = /^waiting for a person {2}(\S+)$/m.exec(parked.out)?.[1] ?? "";
  expect(child).not.toBe(root);
  expect((await stage.ask("resume", root)).code).toBe(2);
  const said = await stage.ask("approve", id);
  expect(said.out).toContain(`next: turnseal resume ${root.slice(0, 8)}`);
  expect((await stage.ask("inbox")).out).toContain(`next: turnseal resume ${root.slice(0, 8)}`);
  expect((await stage.ask("resume", root)).code).toBe(0);
  expect(stage.paid()).toBe("ada 1200\n");
  expect((await stage.ask("verify")).code).toBe(0);
});

test("what a tool of a module needs of a grant is asked of it", async () => {
  const stage = openStage();
  const input = JSON.stringify({ ledger: stage.ledger, ...large });
  const begin = ["run", "pay-scoped", "--from", loops, "--input", input];
  const denied = await stage.ask(...begin, "--allow", "local.pay-scoped");
  expect({ code: denied.code, paid: stage.paid() }).toEqual({ code: 1, paid: "" });
  const grant = `${stage.place}-grant.json`;
  const scoped = { grantor: "ada", tools: ["local.pay-scoped"], budget: {} };
  writeFileSync(grant, JSON.stringify({ ...scoped, scopes: ["payments:write"] }));
  expect((await stage.ask(...begin, "--grant", grant)).code).toBe(0);
  expect(stage.paid()).toBe("ada 1200\n");
});

describe("wrong use ends with 64, what is wrong, and what to try", () => {
  test.each([
    [["approve"], "missing required argument 'name'", "next: turnseal approve --help"],
    [["approve", "zzz"], "no open approval matches zzz", "next: turnseal inbox"],
    [["approve", ""], "no open approval matches", "next: turnseal inbox"],
    [["reject", "zzz"], "no open approval matches zzz", "next: turnseal inbox"],
    [["approve", "last", "--edit", "{"], "--edit is not valid JSON", "next: turnseal approve last"],
    [["approve", "last", "--edit", "@nowhere"], "nowhere: ", "next: turnseal approve last"],
    [["answer", "last"], "required option '--value <json>'", "next: turnseal answer --help"],
    [["answer", "last", "--value", "1"], "no open question matches last", "next: turnseal inbox"],
    [["inbox", "zzz"], "no open request matches zzz", "next: turnseal inbox"],
  ])("turnseal %j", async (args, message, next) => {
    const stage = openStage();
    await stage.start([large]);
    const { code, out, err } = await stage.ask(...args);
    expect({ code, out }).toEqual({ code: 64, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(next);
  });
});
