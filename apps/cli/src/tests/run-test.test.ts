import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approve, deskFile, openFolder, refundCase } from "./desk.test.data.ts";

const folder = openFolder();
afterAll(folder.remove);
const inside = (...names: string[]): string => join(folder.path, ...names);

const approved = { ...refundCase, caller: [approve] };
const grant = {
  ...{ grantor: "ada", tools: ["desk.refund"], handoffs: ["refund"] },
  budget: { turns: 9, toolCalls: 9, effects: 9, handoffs: 1 },
};

beforeAll(() => {
  mkdirSync(inside("good", "deep"), { recursive: true });
  mkdirSync(inside("mixed"));
  mkdirSync(inside("bad"));
  mkdirSync(inside("none"));
  folder.write("good/a.harness.json", approved);
  folder.write("good/deep/b.harness.json", {
    ...approved,
    name: "handed on",
    loop: "delegate",
    grant,
  });
  folder.write("good/other.json", "not a harness");
  folder.write("mixed/a.harness.json", approved);
  folder.write("mixed/b.harness.json", {
    ...approved,
    name: "wrong \u001b[31m",
    expect: { stopped: "denied" },
  });
  folder.write("bad/a.harness.json", { ...approved, expects: {} });
  folder.write("bad/b.harness.json", "{");
});

test("a folder of cases that pass ends with 0, one line each", async () => {
  const { code, out, err } = await folder.run(["test", inside("good")]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.split("\n")).toEqual([
    `✓ a large refund  ${inside("good/a.harness.json")}`,
    `✓ handed on  ${inside("good/deep/b.harness.json")}`,
    "2 passed, 0 failed",
    "",
  ]);
});

test("a case that differs ends with 1, and says what was expected", async () => {
  const { code, out } = await folder.run(["test", inside("mixed")]);
  expect(code).toBe(1);
  expect(out).not.toContain("\u001b");
  expect(out).toContain(
    '/expect/stopped\n      expected  "denied"\n      actual    "goal-reached"\n',
  );
  expect(out).toMatch(/1 passed, 1 failed\n$/);
});

test("as JSON it says the same, and what came of each run", async () => {
  const { code, out } = await folder.run(["test", inside("mixed"), "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    passed: 1,
    failed: 1,
    cases: [
      { status: "passed", actual: { stopped: "goal-reached" }, differences: [] },
      { status: "failed", differences: [{ path: "/expect/stopped", expected: "denied" }] },
    ],
  });
});

test("a file that is not understood fails the command before anything runs", async () => {
  const { code, out, err } = await folder.run(["test", inside("mixed"), inside("bad")]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(`${inside("bad/a.harness.json")}:1:`);
  expect(err).toContain("/expects `expects` is not known here");
  expect(err).toContain(`${inside("bad/b.harness.json")}:1:2  json`);
  expect(err).toContain("next: fix it, and turnseal test ");
});

test.each([
  [["test"], "missing required argument 'paths'"],
  [["test", "nowhere"], "nowhere does not exist"],
  [["test", inside("none")], "there is no *.harness.json or .toml in"],
])("%j is wrong use", async (args, message) => {
  const { code, err } = await folder.run(args);
  expect(code).toBe(64);
  expect(err).toContain(message);
  expect(err).toContain("next: turnseal test");
});

describe("what a harness names", () => {
  test.each<[string, object, string]>([
    ["a loop that is not there", { loop: "fly" }, "there is no loop fly"],
    ["a file that is not there", { from: ["nowhere.mjs"] }, "nowhere.mjs does not exist"],
    ["rules that are not there", { policy: "nowhere.toml" }, "nowhere.toml"],
    ["rules that are refused", { policy: { name: "x", rules: [{ id: "a" }] } }, "decision"],
    ["a document that is not there", { guidance: [{ ref: "nowhere.md" }] }, "nowhere.md"],
    ["a document outside", { guidance: [{ ref: "../a.md" }] }, "is not below"],
  ])("%s is refused", async (_, fields, message) => {
    const file = folder.write("named.harness.json", { ...approved, ...fields });
    const { code, err } = await folder.run(["test", file]);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });

  test("is found beside it: rules, documents, and TOML does as well", async () => {
    const line = 'name = "desk"\n[[rules]]\nid = "all"\ndecision = "allow"\n';
    folder.write("rules.toml", line);
    folder.write("a.md", "be kind");
    const file = folder.write(
      "toml.harness.toml",
      `name = "as toml"
loop = "refund"
from = [${JSON.stringify(deskFile)}]
policy = "rules.toml"
input = { order = "A-1", cents = 1200 }
grant = { grantor = "ada", tools = ["desk.refund"], budget = {} }
[[guidance]]
ref = "a.md"
[expect]
stopped = "goal-reached"
[[expect.turns]]
effects = [{ tool = "desk.refund", rule = "all" }]
guidance = ["sha256:6ce7ab8de24e2a3d26bd9b4ea6af0e2c0a2fe5bc66a41e17a26b4be0b5b2df0a"]
`,
    );
    const { out } = await folder.run(["test", file, "--json"]);
    const [only] = JSON.parse(out).cases;
    // The digest in the file is a wrong one: everything else is as it says.
    expect(only.differences).toMatchObject([{ path: "/expect/turns/0/guidance/0" }]);
  });
});

test("receipts are written so that anybody can verify them with the demo key", async () => {
  const written = inside("receipts");
  await folder.run(["test", inside("good"), "--receipts", written]);
  const names = readdirSync(written);
  expect(names).toHaveLength(6);
  const keys = join(written, "keys.json");
  for (const name of names.filter((each) => each !== "keys.json")) {
    const verified = await folder.run(["verify", join(written, name), "--keys", keys]);
    expect({ name, ...verified }).toMatchObject({ name, code: 0 });
  }
  const again = inside("again");
  await folder.run(["test", inside("good"), "--receipts", again]);
  for (const name of names)
    expect(readFileSync(join(again, name), "utf8")).toBe(readFileSync(join(written, name), "utf8"));
  const [bundle = ""] = names.filter((name) => name.endsWith("a.bundle.json"));
  const text = readFileSync(join(written, bundle), "utf8").replaceAll("goal-reached", "failed");
  const forged = folder.write("forged.json", text);
  expect((await folder.run(["verify", forged, "--keys", keys])).code).toBe(3);
});
