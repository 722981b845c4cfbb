import type { FoundObstacle } from "@turnseal/runtime/folder";
import type { Line } from "./line.ts";
import { renderChanges } from "./render-changes.ts";
import { renderDetail, renderField } from "./render-field.ts";

export interface ObstacleWords {
  /** What keeps the run, for a sentence. */
  readonly words: string;
  /** What to do. */
  readonly next: string;
}

/** The same as lines about a run. */
export function renderObstacle(obstacle: FoundObstacle, run: string): Line[] {
  const { words, next } = describeObstacle(obstacle, run);
  return [
    ...renderField("blocked", words),
    ...renderChanges(obstacle.changes ?? []),
    ...renderDetail("next", next),
  ];
}

/** Says why a run cannot go on, and what helps; `run` is the name that a command takes. */
export function describeObstacle(
  { why, what = "", until }: FoundObstacle,
  run: string,
): ObstacleWords {
  const started = "the loops that it was started with";
  const resume = `turnseal resume ${run} --from <${started}>; under an engine, a worker with them`;
  switch (why) {
    case "loop-missing":
      return { words: `${what}, which it needs, is missing`, next: resume };
    case "loop-changed":
      return {
        words: `${what} has changed since the run started, under the same version`,
        next: resume,
      };
    case "tool-missing":
      return { words: `no function is bound to ${what}`, next: resume };
    case "release-away":
      return {
        words: `no worker of release ${what}, which has what it needs, answers`,
        next: "turnseal deploy status says where; start the workers of that release again",
      };
    case "root-missing":
      return {
        words: `no folder is bound to the root ${what}`,
        next: `TURNSEAL_ROOTS=${what}=<folder> turnseal resume ${run}; under an engine, a worker with it`,
      };
    case "world-drift":
      return {
        words: `files under the root ${what} are not what the run recorded`,
        next: `turnseal drift ${run}, and turnseal drift ${run} --reconcile <way>`,
      };
    case "unspoken":
      return {
        words: `its open turn was started by another version of the program (${what})`,
        next: "resume it with that version: docs/operate/deployments.md says how",
      };
    case "key-ended":
      return { words: `the signing key ${what} has expired`, next: "turnseal keys rotate" };
    case "error":
      return {
        words: `it failed with ${what}, which a retry cannot fix`,
        next: `look ${what} up in docs/errors.md; turnseal resume ${run} once it is fixed, or turnseal cancel ${run}`,
      };
    case "quarantined":
      return {
        words: `workers were lost each time that it did ${what}`,
        next: `look into ${what} and the logs of the workers; turnseal resume ${run} tries it again, turnseal cancel ${run} ends it`,
      };
    case "paused":
      return {
        words: `paused: ${what}`,
        next: "turnseal pauses lists what is paused; turnseal unpause lifts it",
      };
    case "limited":
      return {
        words: `its tenant has reached a limit: ${what}${until === undefined ? "" : `, until ${until}`}`,
        next: "it goes on by itself then, or within minutes of turnseal tenant limit, which raises it",
      };
    case "stale":
      return {
        words: "its log is older than its state: an older copy of the store was restored",
        next: `turnseal verify ${run}`,
      };
    case "carried":
      return { words: `${what} executes it`, next: `wait for it, or turnseal resume ${run}` };
    case "content-erased":
      return { words: "its content was erased", next: `turnseal verify ${run}` };
  }
}
