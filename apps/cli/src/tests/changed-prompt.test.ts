// An edited prompt is shown by its text, at each place where a digest shows the change.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFolder } from "./desk.test.data.ts";

const folder = openFolder();
afterAll(folder.remove);
const store = ["--store", join(folder.path, "store")];
const loops = join(folder.path, "loops");
const fixture = join(folder.path, "chat.harness.json");

function writePrompt(template: string): void {
  const document = {
    ...{ id: "greet", name: "greet", version: "1.0.0", kind: "prompt" },
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    outputSchema: true,
    prompt: { template, variables: ["text"] },
  };
  writeFileSync(join(loops, "greet.json"), JSON.stringify(document));
}

/** No conversation: its documents are not kept with it. */
function writeFlow(): void {
  const greet = { kind: "call", loopId: "greet", inputMapping: { text: "$.input.text" } };
  const nodes = [{ kind: "wait", for: { signal: "go" } }, greet];
  const document = {
    ...{ id: "later", name: "later", version: "1.0.0", kind: "composite" },
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    outputSchema: true,
    composite: { flow: { kind: "sequence", nodes } },
  };
  writeFileSync(join(loops, "later.json"), JSON.stringify(document));
}

beforeAll(async () => {
  mkdirSync(loops);
  writePrompt("Be brief.\nGreet {{text}}");
  writeFlow();
  const bounds = ["--await", "message", "--next-input", '{"text":"$.signals.message.text"}'];
  const input = ["--input", '{"text":"Ada"}', "--from", loops];
  expect((await folder.run(["run", "later", ...input, ...store])).code).toBe(2);
  expect((await folder.run(["run", "greet", ...input, ...bounds, ...store])).code).toBe(2);
  const said = ["--payload", '{"text":"Grace"}'];
  expect((await folder.run(["signal", "last", "message", ...said, ...store])).code).toBe(0);
  expect((await folder.run(["resume", "last", ...store])).code).toBe(2);
});

test("a chat becomes a test, which passes offline", async () => {
  const made = await folder.run(["fixture", "last", "--out", fixture, ...store]);
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(readFileSync(fixture, "utf8"))).toMatchObject({
    loops: [{ id: "greet" }],
    signals: [{ name: "message", payload: { text: "Grace" }, by: "person-1", afterTurn: 1 }],
    expect: {
      waiting: [{ signal: "message" }],
      turns: [{ decision: "wait" }, { decision: "wait" }],
    },
  });
});

test("a test of a prompt that was edited shows the lines, and an update takes them", async () => {
  writePrompt("Be kind.\nGreet {{text}}");
  const { code, out } = await folder.run(["test", fixture]);
  expect(code).toBe(1);
  expect(out).toContain("/model/0/asked\n            - Be brief.\n            + Be kind.\n");
  expect(out).toContain("/expect/turns/0/loops/0/digest  greet 1.0.0 has changed\n");
  expect(out).toContain("/prompt/template\n            - Be brief.\n            + Be kind.\n");
  expect(out).not.toContain("sha256:");
  await folder.run(["test", fixture, "--update"]);
  const { loops: kept } = JSON.parse(readFileSync(fixture, "utf8"));
  expect(kept).toMatchObject([{ prompt: { template: "Be kind.\nGreet {{text}}" } }]);
});

test("a run that is blocked by it shows them too; a conversation keeps the old words", async () => {
  const { out } = await folder.run(["runs", "--blocked", ...store]);
  expect(out).toMatch(/blocked: greet 1\.0\.0 loop-changed/);
  expect(out).toContain("/prompt/template\n            - Be brief.\n            + Be kind.\n");
  const [row] = JSON.parse((await folder.run(["runs", "--blocked", "--json", ...store])).out);
  expect(row.changes).toMatchObject([{ path: "/prompt/template" }]);
  const said = ["signal", "last", "message", "--payload", '{"text":"Bo"}', ...store];
  expect((await folder.run(said)).code).toBe(0);
  expect((await folder.run(["resume", "last", ...store])).code).toBe(2);
});

test("a document that was exchanged in the store is not shown", async () => {
  const [row] = JSON.parse((await folder.run(["runs", "--blocked", "--json", ...store])).out);
  const [name = ""] = readdirSync(join(folder.path, "store", "loops"));
  writeFileSync(join(folder.path, "store", "loops", name), '{"prompt":{"template":"forged"}}');
  const { out } = await folder.run(["runs", "--blocked", ...store]);
  expect(out).toContain(row.run.slice(0, 8));
  expect(out).not.toContain("forged");
});
