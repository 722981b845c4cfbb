import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readWorkflows } from "./read-workflows.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-beside-"));
  mkdirSync(join(root, "loops/folder"), { recursive: true });
  writeFileSync(join(root, ".env"), "SECRET=1");
  writeFileSync(join(root, "other.toml"), '[[steps]]\nprompt = "a"\n');
  writeFileSync(join(root, "loops/words.md"), "Be brief.");
  symlinkSync("../.env", join(root, "loops/link.md"));
});
afterAll(() => rmSync(root, { recursive: true }));

async function read(text: string, isNamed = true) {
  const file = join(root, "loops/w.toml");
  writeFileSync(file, text);
  const known = { findLoop: () => undefined, loopIds: [] };
  const files = await readWorkflows([{ file, isNamed }], known);
  return {
    problems: files.flatMap(({ findings }) => findings),
    documents: files.flatMap(({ sources }) => sources.map(({ document }) => document)),
  };
}

const asking = (file: string): string =>
  `[workflow.llm]\nsystem_prompt = ${JSON.stringify(`file:${file}`)}\n[[steps]]\nprompt = "Sum up"\n`;

const OUTSIDE = "it leads out of the folder of the workflow";

describe("a text that a workflow names", () => {
  test("stands in its folder or below it", async () => {
    for (const name of ["words.md", "./words.md", "folder/../words.md"])
      expect(JSON.stringify(await read(asking(name)))).toContain("Be brief.");
  });

  test.each<[string, string]>([
    ["../.env", OUTSIDE],
    ["folder/../../.env", OUTSIDE],
    ["/etc/hostname", OUTSIDE],
    ["../../../../../dev/tty", OUTSIDE],
    ["link.md", OUTSIDE],
    ["folder", "it is no plain file"],
  ])("is not %s", async (name, message) => {
    const { problems, documents } = await read(asking(name));
    expect(problems).toMatchObject([
      { rule: "reference-unknown", message: `${name}: ${message}`, position: { line: 2 } },
    ]);
    expect(documents).toEqual([]);
  });
});

test("a workflow that another names stands in its folder, too", async () => {
  const { problems } = await read('[[steps]]\nworkflow = "../other.toml"\n');
  expect(problems).toMatchObject([
    { rule: "reference-unknown", message: `../other.toml: ${OUTSIDE}` },
  ]);
});

describe("a file of a folder is a workflow by its keys", () => {
  test.each<[boolean, string]>([
    [true, "steps = [{ actoin = 1 }]\n"],
    [true, 'workflow.nmae = "x"\n'],
    [true, "[workflow]\nname =\n"],
    [false, "[states-x]\nname = 1\n"],
    [false, "[states-x]\nname =\n"],
    [false, 'text = """\n[workflow]\n"""\n'],
  ])("%s: %j", async (isWorkflow, text) => {
    expect((await read(text, false)).problems.length > 0).toBe(isWorkflow);
  });
});

test("a file with far too many steps is refused at once", async () => {
  const before = process.cpuUsage();
  const { problems } = await read('[[steps]]\naction = "view ."\n'.repeat(20_000));
  expect(problems).toMatchObject([{ rule: "flow-limit", path: "/steps" }]);
  expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
});
