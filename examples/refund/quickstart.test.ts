// The commands of this README, exactly as they are printed: an approval, a kill in the middle of a
// payment, and what is left of it. Those of docs/guide/survive-a-kill.md are typed from the packed
// packages.
import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const examples = fileURLToPath(new URL("..", import.meta.url));
const bin = fileURLToPath(new URL("../../apps/cli/bin/turnseal.js", import.meta.url));
const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** The commands of the sections that kill, and that keep a run as a test. */
function listCommands(): string {
  const readme = readFileSync(new URL("./README.md", import.meta.url), "utf8");
  const sections = readme
    .split("\n## ")
    .filter((text) => text.includes("kill -9") || text.includes("turnseal fixture"));
  return sections
    .flatMap((section) => [...section.matchAll(/^```sh\n(.*?)^```$/gms)])
    .map(([, text]) => text)
    .join("");
}

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

/** The story shows the exit code of the last command. */
function run(commands: string, where: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Ran> {
  return new Promise((resolve) => {
    execFile("bash", ["-c", commands], where, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

test("the README does what it says", { timeout: 240_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-quickstart-"));
  folders.push(folder);
  // Copied and not linked: code behind a link stands outside of the project, and is not resumed.
  cpSync(examples, join(folder, "examples"), { recursive: true });
  symlinkSync(modules, join(folder, "node_modules"));
  const stub = join(folder, "npx");
  const command = `exec "${process.execPath}" "${bin}"`;
  writeFileSync(stub, `#!/bin/sh\nshift\n${command} "$@"\n`);
  // `npm create turnseal <folder> -- <options>`, and `npm install`.
  const create = `shift 2; folder="$1"; shift 2; ${command} init "$folder" "$@"`;
  const npm = join(folder, "npm");
  const install = `ln -s "${modules}" node_modules`;
  writeFileSync(npm, `#!/bin/sh\nif [ "$1" = create ]; then ${create}; else ${install}; fi\n`);
  for (const file of [stub, npm]) chmodSync(file, 0o755);
  const env = { PATH: `${folder}${delimiter}${process.env["PATH"]}` };
  const commands = listCommands();
  expect(commands).toMatch(/kill -9.*turnseal fixture/s);
  const { stdout, stderr } = await run(commands, { cwd: folder, env });
  const story = [
    /^waiting for a person {2}\S{36}\napproval \S{8} {2}local\.pay-once needs approval/m,
    /^ended with 2$/m,
    /^ {2}arguments amountCents {2}1250\n {12}order {8}"A-17"$/m,
    /^ {2}undo {6}no, only by hand: the bank takes a payment back until midnight$/m,
    /^ {2}asked by {2}rule large-refunds, (examples\/refund\/)?refunds\.toml:9$/m,
    /^ {2}next: turnseal approve \S{8}$/m,
    /^✓ local\.pay-once is approved by \S+ {2}\S{8}$/m,
    /^run {2}\S{36}\n {2}process {3}\d+$/m,
    /^ {2}open {6}local\.pay-once \(once\)/m,
    /^ {2}safe {6}yes$/m,
    /^waiting for a person {2}\S{36}\n {2}local\.pay-once: it is not known whether it happened$/m,
    /^✓ resolve is saved for the run/m,
    /^turn 1 of at most 8 {2}completed$/m,
    /^stopped: goal-reached/m,
    /^✓ valid {2}run .*\n {2}local\.pay-once \(event \d+\): approved by \S+ \(finance\)/m,
    /^Who allowed it\?\n.*\n {2}local\.pay-once .*approved by .*rule large-refunds/m,
    /^✓ turn 1 {2}identical$/m,
    /^✗ invalid {2}run .*, the first wrong event is \d+$/m,
    /^1$/m,
    /^✓ local\.pay-by-key is approved by /m,
    /^✓ refund\.harness\.json, and it passes offline$/m,
    /^1 passed, 0 failed$/m,
  ];
  let rest = stdout;
  for (const part of story) {
    const found = part.exec(rest);
    expect(found, `${part} in ${rest}${stderr}`).not.toBeNull();
    rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
  }
});
