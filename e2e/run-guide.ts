/**
 * A page of the guide, executed as it is printed: one shell, from the first command to the last.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect } from "vitest";
import { type Fence, listFences, readMark } from "../tools/documents/list-fences.ts";
import { repositoryRoot } from "../tools/tidy/tree.ts";

export interface GuideOptions {
  readonly document: string;
  /** In the repository, where the packages are found as if they were installed. */
  readonly folder: string;
  /** The mark of the fences that are executed. */
  readonly mark: string;
  readonly env: Readonly<Record<string, string>>;
  /** From what is printed in the document to what is executed here, such as a free port. */
  readonly adapt?: (script: string) => string;
  /** And back: from what was printed here to what the document says. */
  readonly show?: (printed: string) => string;
}

/** Executes the fences, and expects what each prints to be the text fence after it. */
export async function runGuide(options: GuideOptions): Promise<void> {
  const { document, folder, mark, show = (printed) => printed } = options;
  const fences = listFences(document, readFileSync(join(repositoryRoot, document), "utf8"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const fence of fences) {
    const name = readMark(fence, "file");
    if (name === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${fence.text}\n`);
  }
  const commands = fences.filter(({ marks }) => marks.includes(mark));
  expect(commands.length).toBeGreaterThan(1);
  const printed = await runTogether(commands, options);
  for (const [at, fence] of commands.entries()) {
    const next = fences[fences.indexOf(fence) + 1];
    const wanted = next?.language === "text" ? next.text : "";
    expectLines(show(printed[at] ?? ""), wanted, `${document}:${fence.line}`);
  }
}

const divider = "=== the next fence ===";

/** Runs the fences in one shell, since what one exports or starts is there for the next. */
async function runTogether(
  commands: readonly Fence[],
  { folder, env, adapt = (script) => script }: GuideOptions,
): Promise<string[]> {
  const script = commands.map(({ text }) => text).join(`\necho "${divider}"\n`);
  const bin = [dirname(process.execPath), join(repositoryRoot, "node_modules/.bin")];
  const child = spawn("bash", ["-ec", adapt(script)], {
    cwd: folder,
    env: {
      PATH: [...bin, process.env["PATH"] ?? ""].join(delimiter),
      HOME: process.env["HOME"],
      NO_COLOR: "1",
      ...env,
    },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const code = await new Promise((resume) => child.on("close", resume));
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return out.split(`${divider}\n`);
}

/** Compares line by line; `...` in the document stands for any lines. */
function expectLines(printed: string, wanted: string, place: string): void {
  const lines = normalize(printed);
  const parts = wanted.split(/^\.\.\.$/m).map(normalize);
  let from = 0;
  for (const [at, part] of parts.entries()) {
    const rest = lines.slice(from);
    const start = at === 0 ? 0 : findPart(rest, part);
    expect(rest.slice(start, start + part.length), place).toEqual(part);
    from += start + part.length;
  }
  expect(lines.slice(from), place).toEqual([]);
}

function findPart(lines: readonly string[], part: readonly string[]): number {
  return Math.max(
    0,
    lines.findIndex((_, at) => part.every((line, offset) => lines[at + offset] === line)),
  );
}

/** What differs from one execution to the next: ids, digests, times, and who sits there. */
function normalize(text: string): string[] {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\b[0-9a-f]{8}\b/g, "<id>")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "<release>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/ {2}(\d\d-\d\d )?\d\d:\d\d(?= {2})/g, "  <time>")
    .replaceAll(/\bby \w+/g, "by <person>")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
