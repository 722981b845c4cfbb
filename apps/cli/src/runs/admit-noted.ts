/** Which code a command that goes on with a run may load, where only a note says where it is. */
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { readNotedLoops } from "@turnseal/runtime/runs";
import type { ExitCode } from "../exit-codes.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { NamedRun } from "../with-run.ts";

interface Admission {
  readonly from?: readonly string[] | undefined;
  /** The command, for whoever has to name the paths. */
  readonly command: string;
}

export type Admitted =
  /** Without `from` no code is loaded. */
  | { readonly kind: "admitted"; readonly place: { readonly from?: readonly string[] } }
  | { readonly kind: "refused"; readonly code: ExitCode };

/**
 * Where the command line does not name the loops, the note of the run does. Modules inside of the
 * project are loaded: the folder that the command runs in, or the one that holds the store. For
 * any other module a person is asked.
 */
export async function admitNoted(
  { known, folder }: NamedRun,
  { from, command }: Admission,
  surroundings: Surroundings,
): Promise<Admitted> {
  if (from !== undefined) return { kind: "admitted", place: { from } };
  const noted = await readNotedLoops(known, folder);
  if (noted === undefined || noted.code.length === 0) return { kind: "admitted", place: {} };
  const { paths, code } = noted;
  const projects = await Promise.all([process.cwd(), dirname(folder.path)].map(readReal));
  const real = await Promise.all(code.map(readReal));
  const outside = real.filter((file) => !projects.some((project) => isWithin(project, file)));
  if (outside.length === 0 || (await confirm(outside, surroundings)))
    return { kind: "admitted", place: { from: paths } };
  const id = shortId(known.run);
  const message =
    `run ${id} names code outside of the project: ${nameAll(outside)}; it is not loaded, since ` +
    "every user who can write to the store can change what the run names";
  const next = `turnseal ${command} ${id} --from ${paths.join(" ")}  (runs that code)`;
  return { kind: "refused", code: reportUsage(surroundings.terminal, message, next) };
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
