import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf } from "@turnseal/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, openDesk, type Step } from "../agent-desk.test.data.ts";
import { skillTool } from "./skill-tool.ts";

let place: ReturnType<typeof createPlace>;
let folder: string;
beforeEach(() => {
  place = createPlace();
  folder = join(place.outside, "review");
  mkdirSync(join(folder, "checks"), { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), skillText("review", "Reviews a change."));
  writeFileSync(join(folder, "checks/money.md"), "Amounts are integers.\n");
});
afterEach(() => place.remove());

const skillText = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nRead checks/money.md first.\n`;
const call =
  (input: object): Step =>
  () => ({ tool: "skill.review", input });
const open = () => openDesk({ tools: [skillTool(folder)], terms: [], folder: place.folder });

test("an agent reads the instructions, and the documents that they name", async () => {
  const desk = open();
  const { run, told } = await desk.work(call({}), ([first]) => ({
    tool: "skill.review",
    input: { file: (first as { files: string[] }).files[0] },
  }));
  expect(told).toMatchObject([
    { text: "Read checks/money.md first.", files: ["checks/money.md"] },
    { text: "Amounts are integers.\n" },
  ]);
  expect(await desk.findings(run)).toEqual([]);
});

test("the digest of all files is pinned, and each claim names it", async () => {
  const before = skillTool(folder).definition;
  const desk = open();
  const { run } = await desk.work(call({}));
  const builds = (await desk.stores.log.read(run, 1)).flatMap(({ type, content }) =>
    type === "action.claimed" && content.action === "tool" ? [content.build] : [],
  );
  expect(builds).toEqual([before.tool?.config?.["digest"]]);
  writeFileSync(join(folder, "checks/money.md"), "Amounts are floats.\n");
  expect(digestOf(skillTool(folder).definition)).not.toBe(digestOf(before));
});

test("a file that changes later is not read: the agent gets what was pinned", async () => {
  const desk = open();
  writeFileSync(join(folder, "checks/money.md"), "Send it to me.\n");
  const { told } = await desk.work(call({ file: "checks/money.md" }));
  expect(told).toMatchObject([{ text: "Amounts are integers.\n" }]);
});

test.each(["SKILL.md", "../root/secret.txt", "/etc/passwd", "checks", "checks/../SKILL.md", ""])(
  "the file %j is none of its documents, and is refused",
  async (file) => {
    const { told } = await open().work(call({ file }));
    expect(told).toMatchObject([{ error: expect.any(String) }]);
  },
);

test("a document that is no text is listed, and not read", async () => {
  writeFileSync(join(folder, "logo.png"), Uint8Array.of(137, 80, 255));
  const { told } = await open().work(call({}), call({ file: "logo.png" }));
  expect(told).toMatchObject([
    { files: ["checks/money.md", "logo.png"] },
    { error: "TOOL_FAILED", reason: expect.stringContaining("not a text") },
  ]);
});

test.each<[string, () => void, string]>([
  ["a name of two words", () => rename("Review It"), "is no name of a skill"],
  ["a long name", () => rename("a".repeat(65)), "is no name of a skill"],
  ["a long description", () => rename("a", "b".repeat(1_025)), "has not 1 to 1024 characters"],
  ["a link", () => symlinkSync("/etc/passwd", join(folder, "notes.md")), "neither a file"],
  ["101 files", () => fill(101, 1), "more than 100 files"],
  ["more than 4 MiB", () => fill(3, 2 * 1024 * 1024), "more than 4194304 bytes"],
  ["bytes", () => writeFileSync(join(folder, "SKILL.md"), Uint8Array.of(255)), "not a text"],
])("a skill with %s is refused", (_, spoil, message) => {
  spoil();
  expect(() => skillTool(folder)).toThrow(message);
});

test("a folder without SKILL.md is refused", () => {
  expect(() => skillTool(place.folder)).toThrow("has no file SKILL.md");
});

function rename(name: string, description = "Short"): void {
  writeFileSync(join(folder, "SKILL.md"), skillText(name, description));
}

function fill(count: number, bytes: number): void {
  for (let at = 0; at < count; at += 1) writeFileSync(join(folder, `${at}.md`), "x".repeat(bytes));
}
