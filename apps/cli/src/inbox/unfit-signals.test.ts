// A conversation in the terminal: the printed command works, and one that does not fit ends
// nothing.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-unfit-"));
const talker = join(root, "talker.json");
const inputSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
};
const prompt = { template: "{{text}}", variables: ["text"] };
const head = { id: "talker", name: "Talker", version: "1.0.0", kind: "prompt" };
writeFileSync(talker, JSON.stringify({ ...head, inputSchema, outputSchema: true, prompt }));
afterAll(() => rmSync(root, { recursive: true }));

async function say(args: readonly string[]) {
  return sayCommand([...args, "--store", join(root, "store")]);
}

/** The words of a printed command, as a shell would read them. */
function readCommand(text: string): string[] {
  const [, command = ""] = /next: turnseal (.*)/.exec(text) ?? [];
  return Array.from(
    command.matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, word]) => quoted ?? word ?? "",
  );
}

test("the printed next command of a conversation works, and a bad one ends nothing", async () => {
  const input = '{"text":"hi"}';
  const started = await say([
    "run",
    "talker",
    "--from",
    talker,
    "--input",
    input,
    "--await",
    "message",
  ]);
  const command = readCommand(started.out);
  expect(command).toEqual(["signal", expect.any(String), "message", "--payload", '{"text":"..."}']);
  const [, run = ""] = command;
  for (const bad of [[], ["--payload", '"hello"'], ["--payload", '{"text":7}']]) {
    const refused = await say(["signal", run, "message", ...bad]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("the signal message does not fit: ");
    expect(readCommand(refused.err)).toEqual(command);
  }
  expect((await say(["explain", run])).out).toContain(command.slice(0, 3).join(" "));
  expect(readCommand((await say(["explain", run])).out)).toEqual(command);
  expect(readCommand((await say(["inbox", run])).out)).toEqual(command);
  expect((await say(command)).code).toBe(0);
  const resumed = await say(["resume", run, "--from", talker]);
  expect(resumed.out).toContain("waiting for message");
  expect((await say(["show", run])).out).toContain("turn 2");
});
