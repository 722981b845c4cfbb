import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LoadedLoops, loadLoops } from "./load-loops.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-workflow-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const TOOLS = ["view", "analyze", "edit"].map((id) => {
  const document = { id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true };
  const definition = { ...document, kind: "tool", tool: { implementation: `local.${id}` } };
  return `export const ${id} = { definition: ${JSON.stringify(definition)}, run: () => 1 };`;
});

/** Writes a folder of its own, with tools, and loads it whole or by the names given. */
async function load(
  folder: string,
  files: Readonly<Record<string, string>>,
  names: readonly string[] = [""],
): Promise<LoadedLoops> {
  for (const [name, text] of Object.entries({ "tools.mjs": TOOLS.join("\n"), ...files })) {
    const file = join(root, folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const loaded = await loadLoops(
    names.map((name) => join(root, folder, name)),
    "strict",
  );
  if (loaded.kind === "unusable") throw new Error(loaded.message);
  return loaded;
}

function idsOf({ registry }: LoadedLoops): string[] {
  return registry.list().map(({ definition }) => definition.id);
}

function wordsOf({ problems }: LoadedLoops): string[] {
  return problems.map(({ file, position, rule, message }) => {
    const name = file.slice(root.length + 1).replace(/^[^/]*\//, "");
    return `${name}:${position?.line}:${position?.column} ${rule}: ${message}`;
  });
}

const STEPS = '[workflow]\nname = "w"\n[[steps]]\naction = "view {file}"\n';

describe("a workflow in a folder of loops", () => {
  test("is loaded beside them", async () => {
    const loaded = await load("beside", { "a-first.toml": STEPS });
    expect(wordsOf(loaded)).toEqual([]);
    expect(idsOf(loaded)).toEqual(["view", "analyze", "edit", "w"]);
  });

  test("is called as its file where it has no name, and has no version of its own", async () => {
    const loaded = await load("named", { "look.toml": '[[steps]]\naction = "view ."\n' });
    expect(loaded.registry.resolve("look")?.definition.version).toBe("0.0.0-dev");
  });

  test("has the digest of what it means", async () => {
    const other = `# the same
[[steps]]    # one step
"action" = 'view {file}'
[workflow]
name = """w"""
`;
    const digest = async (folder: string, text: string) =>
      (await load(folder, { "w.toml": text })).registry.resolve("w")?.digest;
    const first = await digest("digest-1", STEPS);
    expect(first).toMatch(/\w/);
    expect(await digest("digest-2", other)).toBe(first);
    expect(await digest("digest-3", other.replace("{file}", "{files}"))).not.toBe(first);
  });

  test("and a TOML file that is none is passed over there", async () => {
    const loaded = await load("policy", { "policy.toml": 'name = "p"\n', "w.toml": STEPS });
    expect(wordsOf(loaded)).toEqual([]);
  });

  test("is told what is wrong, in its words and at its place", async () => {
    const text =
      '[workflow]\nname = "w"\nversion = "one"\n[[steps]]\ncondition = "cel:1 +"\naction = "view ."\n';
    const loaded = await load("wrong", { "w.toml": text });
    expect(loaded.problems.map(({ rule, position }) => `${rule} ${position?.line}`)).toEqual([
      "version-semver 3",
      "mapping-expression 5",
    ]);
  });
});

test("an expression of a transition is told at its condition", async () => {
  const text =
    '[[states]]\nname = "a"\naction = "view ."\n[[states.transitions]]\nnext = "done"\n' +
    '[[states.transitions]]\nnext = "a"\n  condition = "cel:results.ok"\n';
  const loaded = await load("transition", { "w.toml": text });
  expect(loaded.problems).toMatchObject([
    { rule: "mapping-expression", position: { line: 8, column: 3 } },
  ]);
});

const ASKING = '[workflow.llm]\nsystem_prompt = "file:words.md"\n[[steps]]\nprompt = "Sum up"\n';

describe("files that a workflow names", () => {
  const outer = (file: string): string =>
    `[workflow]\nname = "outer"\n[[steps]]\nworkflow = "${file}"\n`;

  test("are read with it, wherever they stand", async () => {
    const files = {
      "outer.toml": outer("parts/inner.toml"),
      "parts/inner.toml": `${STEPS}${ASKING}`,
      "parts/words.md": "Be brief.",
    };
    const loaded = await load("nested", files, ["tools.mjs", "outer.toml"]);
    expect(wordsOf(loaded)).toEqual([]);
    expect(idsOf(loaded).slice(3)).toEqual(["w", "w.step2", "outer"]);
    expect(loaded.registry.resolve("w.step2")?.definition.prompt?.systemPrompt).toBe("Be brief.");
    expect(loaded.registry.resolve("outer")?.definition.inputSchema).toMatchObject({
      required: ["file"],
    });
  });

  test("is found to lead back to itself, whatever links give it other names", async () => {
    const text = ["d/a.toml", "e/a.toml"].map((name) => `[[steps]]\nworkflow = "${name}"\n`);
    for (const link of ["d", "e"]) {
      mkdirSync(join(root, "linked"), { recursive: true });
      symlinkSync(".", join(root, "linked", link));
    }
    const loaded = await load("linked", { "a.toml": text.join("") }, ["a.toml"]);
    expect(wordsOf(loaded)).toEqual([
      "a.toml:2:1 reference-cycle: d/a.toml leads back to this file",
      "a.toml:4:1 reference-cycle: e/a.toml leads back to this file",
    ]);
  });

  test.each<[string, Record<string, string>, string[]]>([
    [
      "one that is not there",
      { "outer.toml": outer("nowhere.toml") },
      [
        "nowhere.toml:1:1 file-unreadable: the file does not exist",
        "outer.toml:4:1 reference-unknown: nowhere.toml cannot be read as a workflow",
      ],
    ],
    [
      "one that is no workflow",
      { "outer.toml": outer("policy.toml"), "policy.toml": 'name = "p"\n' },
      [
        "policy.toml:1:1 toml: the file is no workflow",
        "outer.toml:4:1 reference-unknown: policy.toml cannot be read as a workflow",
      ],
    ],
    [
      "itself",
      { "outer.toml": outer("./outer.toml") },
      ["outer.toml:4:1 reference-cycle: ./outer.toml leads back to this file"],
    ],
    [
      "one that names it",
      { "outer.toml": outer("b.toml"), "b.toml": outer("outer.toml") },
      [
        "b.toml:4:1 reference-cycle: outer.toml leads back to this file",
        "outer.toml:4:1 reference-unknown: b.toml cannot be read as a workflow",
      ],
    ],
    [
      "a text that is not there",
      {
        "outer.toml":
          '[workflow.llm]\nsystem_prompt = "file:no.md"\n[[steps]]\nprompt = "Sum up"\n',
      },
      ["outer.toml:2:1 reference-unknown: no.md: the file does not exist"],
    ],
  ])("are not %s", async (name, files, problems) => {
    const loaded = await load(`bad-${name}`, files, ["tools.mjs", "outer.toml"]);
    expect(wordsOf(loaded)).toEqual(problems);
  });
});

test("a file that is named has to be a workflow", async () => {
  const loaded = await load("alone", { "p.toml": 'name = "p"\n' }, ["p.toml"]);
  expect(wordsOf(loaded)).toEqual(["p.toml:1:1 toml: the file is no workflow"]);
});

test("a file that is no TOML is told so at its place", async () => {
  const loaded = await load("syntax", { "w.toml": "[workflow]\nname =\n" });
  expect(loaded.problems).toMatchObject([{ rule: "toml", position: { line: 2 } }]);
});

test("a header that is not closed is a mistake of a workflow, also in a folder", async () => {
  const loaded = await load("header", { "w.toml": '[workflow\nname = "w"\n' });
  expect(loaded.problems).toMatchObject([{ rule: "toml", position: { line: 1 } }]);
});

test("without the tools every verb is told", async () => {
  const text = '[[steps]]\naction = "view ."\n[[steps]]\n  action = "fix ."\n';
  const loaded = await load("without", { "w.toml": text }, ["w.toml"]);
  expect(wordsOf(loaded)).toEqual([
    "w.toml:2:1 reference-unknown: no loop `view` is registered",
    "w.toml:4:3 reference-unknown: no loop `edit`, which `fix` means, is registered",
  ]);
});

test("a model in plain text brings the function along that reads it", async () => {
  const text = '[workflow]\nname = "w"\n[workflow.llm]\nformat = "text"\n';
  const loaded = await load("text", { "w.toml": text, "v.toml": text.replace('"w"', '"v"') });
  expect(wordsOf(loaded)).toEqual([]);
  const brought = ["workflow-fetch", "workflow-intents"];
  expect(idsOf(loaded).slice(3)).toEqual(["v", "v.decide", "w", "w.decide", ...brought]);
  expect(loaded.tools.find("workflow.intents", "1.0.0")?.effect).toBe("read");
});
