import { type AdoptionProblem, planAdoption, readRun, tellAdoption } from "@turnseal/host";
import { ROOT_FILE_BYTES_MAX } from "@turnseal/ports";
import { findPathFault, PATH_FAULTS } from "@turnseal/protocol/artifact";
import { bindRoots, WORKSPACE_ROOT } from "@turnseal/runtime/project";
import {
  countOf,
  line,
  renderNext,
  shortId,
  type Terminal,
  toned,
  writeJson,
} from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { readIdentity } from "../../terminal/read-identity.ts";
import { accept, RefusalError } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../../with-run.ts";
import { applyFileAnswer, reportLater } from "./apply-file-answer.ts";
import { refuseStopped } from "./refuse-stopped.ts";

export interface AdoptOptions extends StoreOptions {
  readonly root?: string;
  readonly json?: boolean;
}

/** `turnseal adopt`: has a run manage files that are there. */
export function runAdopt(
  name: string,
  paths: readonly string[],
  options: AdoptOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, environment } = surroundings;
  const { roots } = accept(bindRoots(environment));
  // The folder of the command is always bound, and so never what is meant without its name.
  const named = Object.keys(roots).filter((root) => root !== WORKSPACE_ROOT);
  const [only, ...others] = named;
  const root = options.root ?? (others.length === 0 ? only : undefined);
  if (root === undefined) throw refuseRoot(name, named);
  return withRun(name, options, async (named) => {
    const { known, folder } = named;
    const { stores } = folder;
    const projection = await readRun(stores, known.run);
    if (projection === undefined || projection.stopped !== null) throw refuseStopped(known.run);
    const plan = await planAdoption(projection, { root, paths }, { stores, roots });
    if (plan.kind === "unknown") throw refuseUnknown({ root, name }, plan.why);
    if (plan.kind === "refused") {
      const isThere = async (path: string): Promise<boolean> =>
        (await planAdoption(projection, { root, paths: [path] }, { stores, roots })).kind ===
        "planned";
      const meant = await findMeant(plan.problems, isThere);
      return reportProblems(known.run, plan.problems, { meant, terminal });
    }
    const by = readIdentity(environment);
    const told = await tellAdoption(known.run, { ...plan, by }, { stores, put: stores.inbox.put });
    if (told.kind === "refused") throw refuse(told.reason, known.run);
    const end = await applyFileAnswer(named, { key: told.key, at: plan.plan.at, roots });
    if (end.kind === "waiting") return reportLater(known.run, surroundings);
    if (end.kind === "refused") throw refuse(end.why, known.run);
    const files = end.event.type === "artifact.adopted" ? end.event.content.artifacts.changed : 0;
    return reportAdopted(known.run, files, { root, options, terminal });
  });
}

function refuse(why: string, run: string): RefusalError {
  const next = `turnseal drift ${shortId(run)} --new, then run this command again`;
  return new RefusalError(`nothing was adopted: ${why}`, next, EXIT_CODES.failed);
}

/** A root whose folder is missing counts as not bound. */
function refuseRoot(run: string, bound: readonly string[]): RefusalError {
  const why =
    bound.length === 0
      ? "no root is bound to a folder that is there"
      : `the roots ${bound.join(", ")} are bound, and none of them is named`;
  return new RefusalError(`nothing was adopted: ${why}`, bindNext(run));
}

function refuseUnknown(
  { root, name }: { readonly root: string; readonly name: string },
  why: keyof typeof reasons,
): RefusalError {
  const nexts = { many: `turnseal adopt ${name} <fewer paths>`, erased: `turnseal verify ${name}` };
  const next = why === "many" || why === "erased" ? nexts[why] : bindNext(name);
  return new RefusalError(`nothing was adopted: ${reasons[why]} (${root})`, next);
}

function bindNext(run: string): string {
  return `TURNSEAL_ROOTS=<name>=<folder> turnseal adopt ${run} <paths> --root <name>`;
}

const reasons = {
  unbound: "no folder is bound to the root here",
  absent: "the folder of the root is not there",
  erased: "the content of the run was erased",
  many: "these are more files, or more bytes, than are adopted at once",
} as const;

function reportProblems(
  run: string,
  problems: readonly AdoptionProblem[],
  { meant, terminal: { err } }: { readonly meant: Meant; readonly terminal: Terminal },
): ExitCode {
  err.writeLine(line(toned("bad", "error: "), "nothing was adopted"));
  for (const { path, why } of problems)
    err.writeLine(line("  ", toned("bad", path), `  ${describeProblem(path, why, meant)}`));
  const next =
    meant.size === 0
      ? `turnseal drift ${shortId(run)} --new  (lists files that it does not manage)`
      : `turnseal adopt ${shortId(run)} ${[...meant.values()].join(" ")}`;
  err.writeLine(renderNext(next));
  return EXIT_CODES.failed;
}

/** Existing paths, by the path that was typed. */
type Meant = ReadonlyMap<string, string>;

/** A path that begins with the folder of the root itself is there without that. */
async function findMeant(
  problems: readonly AdoptionProblem[],
  isThere: (path: string) => Promise<boolean>,
): Promise<Meant> {
  const meant = new Map<string, string>();
  for (const { path, why } of problems) {
    const below = path.slice(path.indexOf("/") + 1);
    if (why === "absent" && below !== path && (await isThere(below))) meant.set(path, below);
  }
  return meant;
}

/** Paths of other programs, and of the store, in any case. */
const RESERVED = /(?:^|\/)\.(?:git|turnseal)(?:\/|$)/i;

function describeProblem(path: string, why: AdoptionProblem["why"], meant: Meant): string {
  switch (why) {
    case "path": {
      const fault = findPathFault(path);
      return fault === undefined ? "is no path" : PATH_FAULTS[fault];
    }
    case "absent":
      return meant.has(path)
        ? `is not there: paths begin at the folder of the root, and ${meant.get(path)} is there`
        : "is not there";
    case "link":
      return "is a link, or has one on the way";
    case "no-file":
      return "is no file: name each file of a folder";
    case "too-large":
      return `is too large to be kept: a file has at most ${ROOT_FILE_BYTES_MAX / 1024 ** 2} MiB`;
    case "unread":
      return RESERVED.test(path)
        ? "is reserved: nothing below .git and .turnseal is managed"
        : "cannot be read here";
    case "managed":
      return "is managed already";
    case "twin":
      return "is the same as another where case does not count";
  }
}

interface AdoptedParts {
  readonly root: string;
  readonly options: AdoptOptions;
  readonly terminal: Terminal;
}

function reportAdopted(
  run: string,
  files: number,
  { root, options, terminal: { out } }: AdoptedParts,
): ExitCode {
  if (options.json) writeJson(out, { type: "adopted", run, root, files });
  else
    out.writeLine(
      line(
        toned("good", "✓ "),
        `${shortId(run)} manages ${countOf(files, "more file")} in ${root}`,
      ),
    );
  return EXIT_CODES.done;
}
