/** Compares a run with its loops and its files as they are now. */
import { openDriftFinder, type RunClient } from "@turnseal/host";
import { findObstacle, type LoopsHere } from "@turnseal/runtime/folder";
import { findRunRoots, findRunTarget, openHost, type UnusableTarget } from "@turnseal/runtime/runs";
import { shortId } from "@turnseal/terminal";
import { describeObstacle, type Explanation } from "@turnseal/terminal/runs";
import type { Surroundings } from "../../terminal/surroundings.ts";
import type { NamedRun } from "../../with-run.ts";
import { decideSafety } from "../resume/decide-safety.ts";
import { isCancelled } from "../resume/resolve-drift.ts";
import { readStandingOf } from "../state/read-standing-of.ts";

type Checked = Pick<Explanation, "state" | "obstacle" | "check" | "kept">;

/** The state of a run that has not stopped, and its obstacle; or why they are unknown. */
export async function checkRun(
  named: NamedRun,
  from: readonly string[] | undefined,
  surroundings: Surroundings,
): Promise<Checked> {
  const { known, folder } = named;
  const { state, obstacle } = await readStandingOf({ ...named, stores: folder.stores });
  const recorded = obstacle === undefined ? {} : { obstacle };
  const kept = obstacle && describeObstacle(obstacle, shortId(known.run));
  const opened = await openRun(named, from, surroundings);
  if ("problem" in opened) return { state, ...recorded, check: opened, kept };
  const check = await opened.host.checkResume(known.run);
  if (check === undefined) return { state, ...recorded, check: null, kept };
  const isElsewhere = folder.engine !== undefined;
  const isOld = obstacle !== undefined && !isElsewhere && CHECKED.has(obstacle.why);
  const still = decideSafety(check, {
    obstacle: isOld ? await findObstacle(folder, known, opened.loops) : obstacle,
    isElsewhere,
    isStrict: known.projection?.spec?.bounds.noDrift === true,
    isWorldSettled: await isCancelled(named),
  });
  return { state, ...(still === undefined ? {} : recorded), check, kept: still };
}

/** Causes that are checked again: the recorded ones may be over by now. */
const CHECKED: ReadonlySet<string> = new Set([
  ...["loop-missing", "loop-changed", "tool-missing", "root-missing", "world-drift", "unspoken"],
  "release-away",
]);

type Opened = { readonly host: RunClient; readonly loops: LoopsHere };

/** A host with the loops of the run. */
export async function openRun(
  { known, folder }: NamedRun,
  from: readonly string[] | undefined,
  surroundings: Surroundings,
): Promise<Opened | { readonly problem: string }> {
  const target = await findRunTarget(known, folder, from);
  if (target.kind === "unusable") return { problem: describeUnusable(target) };
  if (target.kind === "refused") return { problem: "its loops have problems: turnseal check" };
  const opened = await openHost(target, folder, surroundings);
  return opened.kind === "refused"
    ? { problem: opened.problems.map(({ message }) => message).join("; ") }
    : { host: opened.host, loops: target.loaded };
}

/** Only a place that the person names is loaded by a command that looks. */
function describeUnusable({ message, isNotedCode }: UnusableTarget): string {
  return isNotedCode === true ? `${message}; --from <files or folders> loads it` : message;
}

/** The drift of the files of a stopped run, if it manages any. */
export async function lookAfterStop(
  { known, folder }: NamedRun,
  from: readonly string[] | undefined,
  { environment }: Surroundings,
): Promise<Pick<Explanation, "world">> {
  const { stopped = null, artifacts = {} } = known.projection ?? {};
  if (stopped === null || Object.keys(artifacts).length === 0) return {};
  const bound = await findRunRoots(known, folder, { environment, from });
  const roots = bound.kind === "bound" ? bound.roots : {};
  return {
    world: await openDriftFinder(known.run, { stores: folder.stores, roots }).find(artifacts),
  };
}
