// The commands that the pages for operators tell to type: each must exist, with its flags.
import { readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createScreen } from "@turnseal/terminal";
import { expect, test } from "vitest";
import { runProgram } from "../program.ts";
import { readWritten } from "../read-written.test.data.ts";

async function readHelp(command: string): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  await runProgram([command, "--help"], {
    environment: {},
    stdin: Readable.from([]),
    ...{ stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  return readWritten(stdout);
}

/** Commands in fences of a page, each on one line. */
function listCommands(page: string): string[][] {
  const file = fileURLToPath(new URL(`../../../../docs/operate/${page}`, import.meta.url));
  const fences = readFileSync(file, "utf8").matchAll(/^```sh\n(.*?)^```$/gms);
  return [...fences]
    .flatMap(([, text = ""]) => text.replaceAll("\\\n", " ").split("\n"))
    .filter((line) => line.startsWith("turnseal "))
    .map((line) => line.split(/\s+/).slice(1));
}

const pages = ["alerts.md", "layout.md", "tenants.md", "server.md"];

test.each(pages)("%s names commands and flags that there are", async (page) => {
  const commands = listCommands(page);
  expect(commands.length).toBeGreaterThan(0);
  for (const [name = "", ...rest] of commands) {
    const help = await readHelp(name);
    expect(help).toContain(`Usage: turnseal ${name} `);
    const flags = rest.filter((word) => word.startsWith("--"));
    const missing = flags.filter((flag) => !new RegExp(`${flag}[ ,\\n]`).test(help));
    expect([page, name, missing]).toEqual([page, name, []]);
  }
});
