// The guide, executed as it is printed: one shell, from the first command to the last.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Fence, listFences, readMark } from "../tools/documents/list-fences.ts";
import { repositoryRoot } from "../tools/tidy/tree.ts";
import { askServer } from "./command-world.ts";

const document = "docs/guide/durable.md";
// In the repository, where the packages are found as if they were installed.
const folder = join(repositoryRoot, ".turnseal/guide");
const database = `turnseal_guide_${process.pid}`;
const serverUrl =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

afterAll(async () => {
  for (const pid of listLeft()) process.kill(pid, "SIGKILL");
  await askServer(`drop database if exists ${database} with (force)`);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("every command prints what the guide says", { timeout: 180_000 }, async () => {
  const fences = listFences(document, readFileSync(join(repositoryRoot, document), "utf8"));
  rmSync(folder, { recursive: true, force: true });
  for (const fence of fences) {
    const name = readMark(fence, "file");
    if (name === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${fence.text}\n`);
  }
  const commands = fences.filter(({ marks }) => marks.includes("with-engine"));
  expect(commands.length).toBeGreaterThan(3);
  const printed = await runTogether(commands);
  for (const [at, fence] of commands.entries()) {
    const next = fences[fences.indexOf(fence) + 1];
    const wanted = next?.language === "text" ? next.text : "";
    expectLines(printed[at] ?? "", wanted, `${document}:${fence.line}`);
  }
  expect(listLeft()).toEqual([]);
});

const mark = "=== the next fence ===";

/** Runs the fences in one shell, since what one exports or starts is there for the next. */
async function runTogether(commands: readonly Fence[]): Promise<string[]> {
  const script = commands.map(({ text }) => text).join(`\necho "${mark}"\n`);
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  const bin = [dirname(process.execPath), join(repositoryRoot, "node_modules/.bin")];
  const child = spawn("bash", ["-ec", script], {
    cwd: folder,
    env: {
      PATH: [...bin, process.env["PATH"] ?? ""].join(delimiter),
      HOME: process.env["HOME"],
      NO_COLOR: "1",
      TURNSEAL_POSTGRES_URL: url.href,
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
  return out.split(`${mark}\n`);
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
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/\bby \w+/g, "by <person>")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/** Processes that the guide has left behind. */
function listLeft(): number[] {
  const place = join(folder, ".turnseal");
  const names = ["durable", "restate"].filter((name) => {
    try {
      return readdirSync(join(place, name)).includes("pid");
    } catch {
      return false;
    }
  });
  return names.map((name) => Number(readFileSync(join(place, name, "pid"), "utf8")));
}
