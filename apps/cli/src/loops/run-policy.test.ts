import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICY_CASES_MAX } from "@turnseal/runtime/project";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const start = process.cwd();
let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-policy-"));
  process.chdir(root);
});
beforeEach(() => {
  writeFileSync("policy.toml", POLICY);
  writeFileSync("cases.toml", CASES);
});
afterAll(() => {
  process.chdir(start);
  rmSync(root, { recursive: true });
});

const POLICY = `name = "payments"

[[rules]]
id = "small"
decision = "allow"
tools = ["local.pay"]
when = "args.cents <= 5000"

[[rules]]
id = "large"
decision = "ask"
tools = ["local.pay"]
when = "args.cents > 5000"
role = "finance"

# Nobody pays more than this, whoever approves.
[[rules]]
id = "too-large"
decision = "deny"
when = "has(args.cents) && args.cents > 1000000"
`;

const CASES = `[[cases]]
name = "a small payment"
tool = "local.pay"
effect = "once"
args = { cents = 5000 }
decision = "allow"
rule = "small"

[[cases]]
name = "a large payment"
tool = "local.pay"
effect = "once"
args = { cents = 5001 }
decision = "ask"
rule = "large"

[[cases]]
name = "an amount in words"
tool = "local.pay"
effect = "once"
args = { cents = "many" }
decision = "deny"
rule = "too-large"
failure = "type-mismatch"

[[cases]]
name = "reading"
tool = "local.look"
effect = "read"
decision = "allow"
`;

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return sayCommand(["policy", ...args]);
}

describe("policy check", () => {
  test("lists the rules with their places, and the digest", async () => {
    const { code, out, err } = await run("check", "policy.toml");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const digest = /sha256:[0-9a-f]{64}/.exec(out)?.[0] ?? "";
    expect(out).toBe(
      "allow  small  local.pay, when args.cents <= 5000  policy.toml:3\n" +
        "ask    large  local.pay, when args.cents > 5000  policy.toml:9\n" +
        "deny   too-large  every tool, when has(args.cents) && args.cents > 1000000  " +
        "policy.toml:17\n" +
        `ok, payments: 3 rules, ${digest}\n`,
    );
  });

  test("--json", async () => {
    const { code, out } = await run("check", "policy.toml", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: "ok",
      name: "payments",
      rules: [
        { id: "small", decision: "allow", file: "policy.toml", line: 3 },
        { id: "large", decision: "ask", file: "policy.toml", line: 9 },
        { id: "too-large", decision: "deny", file: "policy.toml", line: 17 },
      ],
    });
  });

  test("reads JSON, with its lines", async () => {
    writeFileSync(
      "policy.json",
      '{\n  "name": "p",\n  "rules": [\n    {"id": "a", "decision": "deny"}\n  ]\n}',
    );
    const { code, out } = await run("check", "policy.json", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rules: [{ file: "policy.json", line: 4 }] });
  });

  test("a file that is not there is wrong usage", async () => {
    const { code, err } = await run("check", "missing.toml");
    expect(code).toBe(64);
    expect(err).toContain("missing.toml: the file does not exist");
    expect(err).toContain("next: turnseal policy check <a file that exists>");
  });

  test("no file is wrong usage", async () => {
    const { code, err } = await run("check");
    expect(code).toBe(64);
    expect(err).toContain("next: turnseal policy check --help");
  });
});

const RULE = '[[rules]]\nid = "a"\ndecision = "deny"\n';

describe("a broken policy is refused, with its line and what to do", () => {
  test.each<[string, string, string]>([
    ["empty", "", "policy.toml:1:1  field-missing"],
    ["no name", RULE, "policy.toml:1:1  field-missing"],
    ["an empty name", `name = ""\n${RULE}`, "policy.toml:1:1  field-empty"],
    ["a number as name", `\nname = 5\n${RULE}`, "policy.toml:2:1  field-type"],
    ["no rules", 'name = "p"\n', "policy.toml:1:1  field-missing"],
    ["rules as a table", 'name = "p"\n[rules]\nid = "a"\n', "policy.toml:2:1  field-type"],
    ["a default", `name = "p"\ndefault = "allow"\n${RULE}`, "policy.toml:2:1  field-unknown"],
    ["no id", 'name = "p"\n[[rules]]\ndecision = "deny"\n', "policy.toml:2:1  field-missing"],
    ["no decision", 'name = "p"\n[[rules]]\nid = "a"\n', "policy.toml:2:1  field-missing"],
    [
      "another decision",
      `name = "p"\n${RULE.replace("deny", "permit")}`,
      "policy.toml:4:1  field-type",
    ],
    ["a bad id", `name = "p"\n${RULE.replace('"a"', '"a b"')}`, "policy.toml:3:1  field-type"],
    ["an id twice", `name = "p"\n${RULE}${RULE}`, "policy.toml:6:1  rule-repeated"],
    ["a misspelt field", `name = "p"\n${RULE}wen = "true"\n`, "policy.toml:5:1  field-unknown"],
    [
      "a tool without a list",
      `name = "p"\n${RULE}tools = "local.pay"\n`,
      "policy.toml:5:1  field-type",
    ],
    [
      "a tool without namespace",
      `name = "p"\n${RULE}tools = [\n"pay"]\n`,
      "policy.toml:6:1  field-type",
    ],
    ["no tools", `name = "p"\n${RULE}tools = []\n`, "policy.toml:5:1  field-empty"],
    [
      "a truth value as condition",
      `name = "p"\n${RULE}when = true\n`,
      "policy.toml:5:1  field-type",
    ],
    [
      "half a condition",
      `name = "p"\n${RULE}when = "args."\n`,
      "policy.toml:5:1  condition-invalid",
    ],
    [
      "an unknown fact",
      `name = "p"\n${RULE}when = "user == 1"\n`,
      "policy.toml:5:1  condition-invalid",
    ],
    [
      "a role of a denial",
      `name = "p"\n${RULE}role = "chief"\n`,
      "policy.toml:5:1  field-misplaced",
    ],
    ["a place of its own", `name = "p"\n${RULE}line = 99\n`, "policy.toml:5:1  field-unknown"],
    ["a date", `name = "p"\n${RULE}reason = 2030-01-01\n`, "policy.toml:5:1  toml"],
    ["no TOML", `name = "p"\n${RULE}when\n`, "policy.toml:5:5  toml"],
    ["a key twice", `name = "p"\n${RULE}id = "b"\n`, "policy.toml:5:1  toml"],
  ])("%s", async (_, text, place) => {
    writeFileSync("policy.toml", text);
    const { code, out, err } = await run("check", "policy.toml");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(place);
    expect(err).toMatch(/^ {2}mend: ./m);
    expect(err).toContain("next: fix policy.toml, and try again");
  });

  test("every problem is told, also as JSON", async () => {
    writeFileSync("policy.toml", `${RULE}when = "("\n`);
    writeFileSync("many.toml", `name = 1\n${RULE}unless = "x"\nline = 4\n`);
    const { code, out } = await run("check", "many.toml", "--json");
    expect(code).toBe(1);
    const rules = (JSON.parse(out) as { problems: { rule: string }[] }).problems.map(
      ({ rule }) => rule,
    );
    expect(rules).toEqual(["field-unknown", "field-type", "field-unknown"]);
  });

  test("text of the file cannot move the cursor", async () => {
    writeFileSync("policy.toml", `name = "p"\n${RULE}"\\u001b[2Jx" = 1\n`);
    const { err } = await run("check", "policy.toml");
    expect(err).toContain("\\u001b[2Jx");
    expect(err).not.toContain("\u001b");
  });
});

describe("policy test", () => {
  test("all as expected", async () => {
    const { code, out, err } = await run("test", "policy.toml", "cases.toml");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(
      "✓ a small payment     allow  by small (policy.toml:3)\n" +
        "✓ a large payment     ask    by large (policy.toml:9)\n" +
        "✓ an amount in words  deny   by too-large (policy.toml:17), " +
        "because its condition could not be evaluated: type-mismatch\n" +
        "✓ reading             allow  by default\n" +
        "4 passed, 0 failed\n",
    );
  });

  test.each<[string, string, string, string]>([
    [
      "another decision",
      'decision = "ask"',
      'decision = "deny"',
      "cases.toml:9 expects deny by large",
    ],
    ["another rule", 'rule = "large"', 'rule = "small"', "cases.toml:9 expects ask by small"],
    ["the default", 'rule = "small"\n', "", "cases.toml:1 expects allow by default"],
    ["no failure", 'failure = "type-mismatch"\n', "", "cases.toml:17 expects deny by too-large"],
  ])("a case that expects %s fails", async (_, from, to, said) => {
    writeFileSync("cases.toml", CASES.replace(from, to));
    const { code, out } = await run("test", "policy.toml", "cases.toml");
    expect(code).toBe(1);
    expect(out).toContain(said);
    expect(out).toMatch(/3 passed, 1 failed\n$/);
  });

  test("--json", async () => {
    writeFileSync("cases.toml", CASES.replace('rule = "large"', 'rule = "small"'));
    const { code, out } = await run("test", "policy.toml", "cases.toml", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      passed: 3,
      failed: 1,
      cases: [
        { name: "a small payment", status: "passed" },
        {
          status: "failed",
          line: 9,
          expected: { rule: "small" },
          decision: { rule: { id: "large" } },
        },
        { status: "passed" },
        { status: "passed" },
      ],
    });
  });

  test.each<[string, string, string, string]>([
    [
      "an unknown field",
      'decision = "ask"',
      'decision = "ask"\nresult = 1',
      "cases.toml:15:1  field-unknown",
    ],
    ["no decision", 'decision = "ask"\n', "", "cases.toml:9:1  field-missing"],
    ["no tool", 'tool = "local.look"\n', "", "cases.toml:26:1  field-missing"],
    ["an unknown effect", 'effect = "read"', 'effect = "write"', "cases.toml:29:1  field-type"],
    ["an unknown failure", '"type-mismatch"', '"any"', "cases.toml:24:1  field-type"],
    ["a name that is none", '"reading"', "5", "cases.toml:27:1  field-type"],
    ["a field of the file", "[[cases]]", 'only = "x"\n[[cases]]', "cases.toml:1:1  field-unknown"],
    ["no TOML", "[[cases]]", "[[cases", "cases.toml:1:"],
  ])("%s in the cases is refused", async (_, from, to, place) => {
    writeFileSync("cases.toml", CASES.replace(from, to));
    const { code, out, err } = await run("test", "policy.toml", "cases.toml");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(place);
  });

  test("no cases are no proof", async () => {
    writeFileSync("cases.toml", "");
    const { code, err } = await run("test", "policy.toml", "cases.toml");
    expect(code).toBe(1);
    expect(err).toContain("there are no `cases`");
  });

  test("a broken policy is refused before any case", async () => {
    writeFileSync("policy.toml", POLICY.replace("args.cents <= 5000", "args.cents <="));
    const { code, out, err } = await run("test", "policy.toml", "cases.toml");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("policy.toml:7:1  condition-invalid");
  });

  test("POLICY_CASES_MAX cases are tried, and one more refused", async () => {
    const [first = ""] = CASES.split("\n\n");
    writeFileSync("cases.toml", `${first}\n\n`.repeat(POLICY_CASES_MAX));
    const { out } = await run("test", "policy.toml", "cases.toml");
    expect(out).toMatch(/\n1000 passed, 0 failed\n$/);
    writeFileSync("cases.toml", `${first}\n\n`.repeat(POLICY_CASES_MAX + 1));
    expect((await run("test", "policy.toml", "cases.toml")).code).toBe(1);
  });

  test("missing cases are wrong usage", async () => {
    const { code, err } = await run("test", "policy.toml", "missing.toml");
    expect(code).toBe(64);
    expect(err).toContain("missing.toml: the file does not exist");
  });
});
