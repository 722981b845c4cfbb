import type { FoundObstacle } from "@turnseal/runtime/folder";
import { describeBlocked } from "@turnseal/views";
import type { Line } from "../../screen/line.ts";
import { renderChanges } from "../../screen/render-changes.ts";
import { renderDetail, renderField } from "../../screen/render-field.ts";

export interface ObstacleWords {
  /** The obstacle, for a sentence. */
  readonly words: string;
  /** The remedy. */
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
export function describeObstacle(obstacle: FoundObstacle, run: string): ObstacleWords {
  const { why, ...rest } = obstacle;
  return { words: describeBlocked({ cause: why, ...rest }), next: adviseOn(obstacle, run) };
}

function adviseOn({ why, what = "" }: FoundObstacle, run: string): string {
  const started = "the loops that it was started with";
  const resume = `turnseal resume ${run}`;
  const cancel = `turnseal cancel ${run}`;
  switch (why) {
    case "loop-missing":
    case "loop-changed":
    case "tool-missing":
      return `${resume} --from <${started}>; under an engine, a worker with them`;
    case "release-away":
      return "turnseal deploy status says where; start the workers of that release again";
    case "root-missing":
      return `TURNSEAL_ROOTS=${what}=<folder> ${resume}; under an engine, a worker with it`;
    case "world-drift":
      return `turnseal drift ${run}, and turnseal drift ${run} --reconcile <way>`;
    case "unspoken":
      return "resume it with that version: docs/operate/deployments.md says how";
    case "key-ended":
      return "turnseal keys rotate";
    case "error":
      return `look ${what} up in docs/errors.md; ${resume} once it is fixed, or ${cancel}`;
    case "quarantined":
      return (
        `look into ${what} and the logs of the workers; ${resume} tries it again, ` +
        `${cancel} ends it`
      );
    case "paused":
      return "turnseal pauses lists what is paused; turnseal unpause lifts it";
    case "limited":
      return "it goes on by itself then, or minutes after turnseal tenant limit raises it";
    case "carried":
      return `wait for it, or ${resume}`;
    case "stale":
    case "content-erased":
      return `turnseal verify ${run}`;
  }
}
