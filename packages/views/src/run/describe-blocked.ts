import type { RunProjection } from "@turnseal/folds";
import type { Block, Obstacle } from "@turnseal/protocol";

/** Why a run that has not stopped does not go on. */
export interface NamedBlock extends Block {
  /** The cause in words. */
  readonly words: string;
  /** ISO 8601: since when. */
  readonly since: string;
}

/** Finds the block of a run by its last worker; undefined for a run that goes on. */
export function findBlocked({ blocked, stopped }: RunProjection): NamedBlock | undefined {
  if (blocked === null || stopped !== null) return undefined;
  const { at: since, ...block } = blocked;
  return { ...block, words: describeBlocked(block), since };
}

/** Says why a run cannot go on. */
export function describeBlocked({
  cause,
  what = "",
  until,
}: {
  readonly cause: Obstacle;
  readonly what?: string;
  readonly until?: string | undefined;
}): string {
  switch (cause) {
    case "loop-missing":
      return `${what}, which it needs, is missing`;
    case "loop-changed":
      return `${what} has changed since the run started, under the same version`;
    case "tool-missing":
      return `no function is bound to ${what}`;
    case "release-away":
      return `no worker of release ${what}, which has what it needs, answers`;
    case "root-missing":
      return `no folder is bound to the root ${what}`;
    case "world-drift":
      return `files under the root ${what} are not what the run recorded`;
    case "unspoken":
      return `its open turn was started by another version of the program (${what})`;
    case "key-ended":
      return `the signing key ${what} has expired`;
    case "error":
      return `it failed with ${what}, which a retry cannot fix`;
    case "quarantined":
      return `workers were lost each time that it did ${what}`;
    case "paused":
      return `paused: ${what}`;
    case "limited":
      return `its tenant has reached a limit: ${what}${describeUntil(until)}`;
    case "carried":
      return `${what} executes it`;
    case "stale":
      return "its log is older than its state: an older copy of the store was restored";
    case "content-erased":
      return "its content was erased";
  }
}

function describeUntil(until: string | undefined): string {
  return until === undefined ? "" : `, until ${until}`;
}
