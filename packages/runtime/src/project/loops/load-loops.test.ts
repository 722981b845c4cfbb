import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ParseMode } from "@turnseal/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listLoops } from "./list-loops.ts";
import { type LoadedLoops, loadLoops } from "./load-loops.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-load-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, content: string | object): string {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  const isModule = typeof content === "string";
  writeFileSync(file, isModule ? content : JSON.stringify(content, null, 2));
  return file;
}

async function load(paths: string[], mode: ParseMode = "strict"): Promise<LoadedLoops> {
  const loaded = await loadLoops(paths, mode);
  if (loaded.kind === "unusable") throw new Error(loaded.message);
  return loaded;
}

function tool(id: string, implementation = "builtin:echo"): object {
  const schemas = { inputSchema: true, outputSchema: true };
  return { id, name: id, version: "1.0.0", ...schemas, kind: "tool", tool: { implementation } };
}

function composite(id: string, ...loopIds: string[]): object {
  const steps = loopIds.map((loopId) => ({ loopId, inputMapping: {} }));
  return { ...tool(id), tool: undefined, kind: "composite", composite: { steps } };
}

function exporting(definition: object, name = "loop"): string {
  return `export const ${name} = { definition: ${JSON.stringify(definition)}, run: (a) => a };\n`;
}

test("loads documents and modules side by side, with the functions of the modules", async () => {
  const module = write("side/b.mjs", exporting(tool("b", "local.b")));
  const loaded = await load([write("side/a.json", tool("a")), module]);
  expect(loaded.problems).toEqual([]);
  expect(loaded.registry.list().map(({ definition }) => definition.id)).toEqual(["a", "b"]);
  expect(loaded.tools.find("local.b", "1.0.0")).toBeDefined();
});

test("loads a TypeScript module as it is", async () => {
  const file = write("typed/a.ts", `const id: string = "a";\n${exporting(tool("a"))}`);
  expect((await load([file])).entries).toHaveLength(1);
});

test("reports every problem of a document at its line, and goes on with the others", async () => {
  const bad = write("many/bad.json", { ...tool("bad"), version: "one", extra: 1, name: 3 });
  const loaded = await load([bad, write("many/good.json", tool("good"))]);
  expect(loaded.problems.map(({ rule, position }) => `${rule} ${position?.line}`)).toEqual([
    "field-type 3",
    "field-unknown 11",
    "version-semver 4",
  ]);
  expect(loaded.entries).toHaveLength(1);
});

test("lenient mode keeps an unknown field and warns at its line", async () => {
  const loaded = await load([write("kept.json", { ...tool("kept"), extra: 1 })], "lenient");
  expect(loaded.problems).toEqual([]);
  expect(loaded.warnings).toMatchObject([{ rule: "field-unknown", position: { line: 11 } }]);
});

test("finds unknown references, cycles and conflicts between files", async () => {
  const files = [
    write("between/a.json", composite("a", "nowhere")),
    write("between/b.json", composite("b", "c")),
    write("between/c.json", composite("c", "b")),
    write("between/d.json", tool("d")),
    write("between/d2.json", { ...tool("d"), name: "other" }),
  ];
  const { problems } = await load(files);
  expect(problems.map(({ rule, file }) => `${rule} ${file.slice(root.length + 9)}`)).toEqual([
    "registry-conflict d2.json",
    "reference-unknown a.json",
    "reference-cycle b.json",
    "reference-cycle c.json",
  ]);
  expect(problems[1]?.position).toEqual({ line: 11, column: 9 });
});

test("names the module and the export of a problem", async () => {
  const file = write("export.mjs", exporting({ ...tool("x"), kind: "other" }, "broken"));
  const { problems } = await load([file]);
  expect(problems).toMatchObject([{ rule: "kind-unknown", file, exportName: "broken" }]);
  expect(problems[0]).not.toHaveProperty("position");
});

test("a module that throws is module-failed, with its words", async () => {
  const { problems } = await load([write("throws.mjs", 'throw new Error("no luck");')]);
  expect(problems).toMatchObject([{ rule: "module-failed" }]);
  expect(problems[0]?.message).toMatch(/no luck/);
});

test("a module without a loop is module-empty", async () => {
  const code =
    "export const answer = 42; export const nothing = null; export const text = 'definition';";
  expect((await load([write("empty.mjs", code)])).problems).toMatchObject([
    { rule: "module-empty" },
  ]);
});

test("two tools that bind other functions to one name are a registry-conflict", async () => {
  const first = write("conflict/a.mjs", exporting(tool("a", "local.same")));
  const second = write("conflict/b.mjs", exporting(tool("b", "local.same")));
  expect((await load([first, second])).problems).toMatchObject([
    { rule: "registry-conflict", file: second },
  ]);
});

test("an export under two names is one loop", async () => {
  const file = write("alias.mjs", `${exporting(tool("a", "local.a"))}export default loop;`);
  const loaded = await load([file]);
  expect(loaded.problems).toEqual([]);
  expect(loaded.entries).toHaveLength(1);
});

test("a tool called __proto__ is a name like any other", async () => {
  const loaded = await load([write("proto.mjs", exporting(tool("p", "__proto__")))]);
  expect(loaded.tools.find("__proto__", "1.0.0")).toBeDefined();
  expect(loaded.tools.find("toString", "1.0.0")).toBeUndefined();
});

test("a document with a field __proto__ is refused", async () => {
  const text = JSON.stringify(tool("p")).replace("{", '{"__proto__": {"id": "q"}, ');
  const file = write("hostile/proto.json", {});
  writeFileSync(file, text);
  expect((await load([file])).problems).not.toEqual([]);
});

test("the refinements of a module are loaded with it, for hosts too", async () => {
  const refusing = "input: (value) => (value === 1 ? [] : [{ path: [], words: 'only one' }])";
  const definition = JSON.stringify(composite("a", "b"));
  const fields = `definition: ${definition}, refinements: { ${refusing} }`;
  const module = `export const loop = { ${fields} };\n`;
  const loaded = await load([write("refined/a.mjs", module), write("refined/b.json", tool("b"))]);
  expect(loaded.registry.resolve("a")?.validateInput(2).words).toEqual([": only one"]);
  expect(listLoops({ loaded }).map(({ refinements }) => refinements?.input?.(1))).toEqual([
    [],
    undefined,
  ]);
});
