import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGENTS_MAX, readServed } from "./read-served.ts";

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-served-"));
});
afterAll(() => rmSync(root, { recursive: true }));

let files = 0;
function write(text: string): string {
  const file = join(root, `module-${++files}.mjs`);
  writeFileSync(file, text);
  return file;
}

const loop = `{ definition: { id: "chat" } }`;
const agent = `{ loop: ${loop}, grant: {} }`;

test("agents are read from every module, and who somebody is from one", async () => {
  const [one, two] = [
    write(`export const agents = { a: ${agent} }; export const authenticate = () => undefined;`),
    write(`export const agents = { b: ${agent} };`),
  ];
  const served = await readServed([one, two]);
  expect(served.kind === "read" && Object.keys(served.agents)).toEqual(["a", "b"]);
  expect(served.kind === "read" && typeof served.authenticate).toBe("function");
});

test.each([
  ["no module exports agents", "export const other = 1;"],
  ["is not an object", "export const agents = [];"],
  ["has no loop", "export const agents = { a: { grant: {} } };"],
  ["has no grant", `export const agents = { a: { loop: ${loop} } };`],
  [
    "has an unknown field key",
    `export const agents = { a: { loop: ${loop}, grant: {}, key: "x" } };`,
  ],
  ["is not an object", "export const agents = { a: 1 };"],
])("%s", async (message, text) => {
  expect(await readServed([write(text)])).toEqual({
    kind: "unusable",
    message: expect.stringContaining(message),
  });
});

test("an agent that two modules export is nobody's", async () => {
  const files = [write(`export const agents = { a: ${agent} };`)];
  files.push(write(`export const agents = { a: ${agent} };`));
  expect(await readServed(files)).toMatchObject({ kind: "unusable" });
});

test("there are AGENTS_MAX agents at most", async () => {
  const table = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `a${index}: ${agent}`);
    return `export const agents = { ${names.join(", ")} };`;
  };
  expect((await readServed([write(table(AGENTS_MAX))])).kind).toBe("read");
  expect((await readServed([write(table(AGENTS_MAX + 1))])).kind).toBe("unusable");
});

test("a workflow and a document beside the modules are no modules", async () => {
  const folder = mkdtempSync(join(root, "beside-"));
  writeFileSync(join(folder, "a.mjs"), `export const agents = { a: ${agent} };`);
  writeFileSync(join(folder, "w.toml"), '[workflow]\nname = "w"\n');
  writeFileSync(join(folder, "loop.json"), "{}");
  const served = await readServed([folder]);
  expect(served.kind === "read" && Object.keys(served.agents)).toEqual(["a"]);
});
