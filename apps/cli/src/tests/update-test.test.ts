import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { approve, openFolder, refundCase } from "./desk.test.data.ts";

const folder = openFolder();
afterAll(folder.remove);

const approved = { ...refundCase, caller: [approve] };
const wrong = { ...approved, name: 'wrong "<&>\u0001', expect: { stopped: "denied" } };

test("an update writes what came of a case, and then it passes", async () => {
  const file = folder.write("update.harness.json", wrong);
  const { code, out } = await folder.run(["test", file, "--update"]);
  expect(code).toBe(0);
  expect(out).toContain("updated");
  const { expect: written, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  expect(written).toEqual({ stopped: "goal-reached" });
  expect(rest).toEqual({ ...approved, name: wrong.name, expect: undefined, ...rest });
  expect((await folder.run(["test", file])).code).toBe(0);
});

test("a run that waits where it should have stopped is updated, and the reverse", async () => {
  const waits = folder.write("waits.harness.json", {
    ...refundCase,
    expect: { stopped: "denied" },
  });
  expect((await folder.run(["test", waits, "--update"])).code).toBe(0);
  expect(JSON.parse(readFileSync(waits, "utf8")).expect).toMatchObject({
    waiting: [{ approval: "desk.refund", role: "finance" }],
  });
  const asked = [{ approval: "desk.refund" }];
  const stops = folder.write("stops.harness.json", { ...approved, expect: { waiting: asked } });
  expect((await folder.run(["test", stops, "--update"])).code).toBe(0);
  expect(JSON.parse(readFileSync(stops, "utf8")).expect).toEqual({ stopped: "goal-reached" });
  expect((await folder.run(["test", waits, stops])).code).toBe(0);
});

test("a case whose run cannot be started has nothing to expect, and is left as it is", async () => {
  const rules = [{ id: "ask", decision: "ask", exclude: ["starter"] }];
  const policy = { name: "desk", rules };
  const file = folder.write("unfit.harness.json", { ...refundCase, policy });
  const before = readFileSync(file, "utf8");
  const { code, err } = await folder.run(["test", file, "--update"]);
  expect(code).toBe(1);
  expect(err).toContain("is changed by hand");
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("a case that passes is not written again", async () => {
  const file = folder.write("same.harness.json", approved);
  const before = readFileSync(file, "utf8");
  expect((await folder.run(["test", file, "--update"])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("results are written as JUnit, and no name breaks out of its place", async () => {
  folder.write("good.harness.json", approved);
  const file = folder.write("bad.harness.json", wrong);
  const report = join(folder.path, "report.xml");
  const { code } = await folder.run(["test", file, "--junit", report]);
  expect(code).toBe(1);
  const xml = readFileSync(report, "utf8");
  expect(xml).toContain('<testsuite name="turnseal" tests="1" failures="1">');
  expect(xml).toContain('<testcase name="wrong &quot;&lt;&amp;&gt;"');
  expect(xml).toContain("/expect/stopped: expected &quot;denied&quot;");
});

test("a report that cannot be written is a wrong command line", async () => {
  const file = folder.write("other.harness.json", approved);
  const { code, err } = await folder.run(["test", file, "--junit", "/nowhere/report.xml"]);
  expect(code).toBe(64);
  expect(err).toContain("/nowhere/report.xml cannot be written");
});
