/** Decides which code a command that continues a run may load, if only a note names its place. */
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { readNotedLoops } from "@turnseal/runtime/runs";
import { sanitizeText, shortId } from "@turnseal/terminal";
import { RefusalError } from "./terminal/refusal.ts";
import type { Surroundings } from "./terminal/surroundings.ts";
import type { NamedRun } from "./with-run.ts";

interface Admission {
  readonly from?: readonly string[] | undefined;
  /** The command, for messages about paths. */
  readonly command: string;
}

/**
 * Without paths on the command line, the note of the run names the loops. Modules inside the
 * project are loaded: the folder of the command, or the one with the store. Any other module needs
 * a person's consent. Undefined means that no code is loaded.
 */
export async function admitNoted(
  { known, folder }: NamedRun,
  { from, command }: Admission,
  surroundings: Surroundings,
): Promise<readonly string[] | undefined> {
  if (from !== undefined) return from;
  const noted = await readNotedLoops(known, folder);
  if (noted === undefined || noted.code.length === 0) return undefined;
  const { paths, code } = noted;
  const projects = await Promise.all([process.cwd(), dirname(folder.path)].map(readReal));
  const real = await Promise.all(code.map(readReal));
  const outside = real.filter((file) => !projects.some((project) => isWithin(project, file)));
  if (outside.length === 0 || (await confirm(outside, surroundings))) return paths;
  const id = shortId(known.run);
  const message =
    `run ${id} names code outside of the project: ${nameAll(outside)}; it is not loaded, since ` +
    "every user who can write to the store can change what the run names";
  const next = `turnseal ${command} ${id} --from ${paths.join(" ")}  (runs that code)`;
  throw new RefusalError(message, next);
}

function readReal(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

function isWithin(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== "" && path.split(/[/\\]/)[0] !== ".." && !isAbsolute(path);
}

/** Paths that a question names. */
const NAMED_MAX = 5;

function nameAll(files: readonly string[]): string {
  const rest = files.length - NAMED_MAX;
  const named = files.slice(0, NAMED_MAX).join(", ");
  return rest > 0 ? `${named} and ${rest} more` : named;
}

async function confirm(
  files: readonly string[],
  { stdin, terminal: { out, err } }: Surroundings,
): Promise<boolean> {
  const isTyped = "isTTY" in stdin && stdin.isTTY === true;
  if (!isTyped || !out.isLive) return false;
  err.writeText(`The run names code outside of the project: ${sanitizeText(nameAll(files))}\n`);
  err.writeText("Load and run it? Write yes: ");
  const reader = createInterface({ input: stdin });
  const answer = await new Promise<string>((resume) => {
    reader.once("line", resume);
    reader.once("close", () => resume(""));
  });
  reader.close();
  return answer.trim() === "yes";
}
