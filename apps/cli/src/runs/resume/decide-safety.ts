/** Whether a run can be resumed here: what keeps it, and what helps. */
import { isDrifted, type ResumeCheck, type RootDrift } from "@turnseal/host";
import type { FoundObstacle } from "@turnseal/runtime/folder";
import { shortId } from "@turnseal/terminal";
import { describeObstacle, type ObstacleWords, UNKNOWN_ROOTS } from "@turnseal/terminal/runs";

export interface SafetyFacts {
  /** Another obstacle that was found. */
  readonly obstacle?: FoundObstacle | undefined;
  /** Set if workers of an engine drive it, with loops and folders of their own. */
  readonly isElsewhere: boolean;
  /** It begins no turn while its files differ. */
  readonly isStrict: boolean;
  /** The inbox has an answer on its files, or they do not matter since the run is to end. */
  readonly isWorldSettled: boolean;
}

/** Undefined if it can go on. */
export function decideSafety(
  { run, lack, semantics, world }: ResumeCheck,
  { obstacle, isElsewhere, isStrict, isWorldSettled }: SafetyFacts,
): ObstacleWords | undefined {
  const id = shortId(run);
  if (obstacle !== undefined) return describeObstacle(obstacle, id);
  if (lack !== null) return describeObstacle({ ...lack, why: lack.cause }, id);
  if (semantics !== null)
    return describeObstacle({ why: "unspoken", what: `semantics ${semantics.recorded}` }, id);
  const drifted = isWorldSettled ? [] : listDrifted(world, isElsewhere);
  return drifted.length === 0 ? undefined : describeDrifted(run, drifted, isStrict);
}

/** Roots that are not as recorded. The workers of an engine have folders of their own. */
export function listDrifted(
  world: readonly RootDrift[],
  isElsewhere: boolean,
): readonly RootDrift[] {
  const isTheirs = (root: RootDrift): boolean =>
    isElsewhere && root.kind === "unknown" && root.why === "unbound";
  return world.filter((root) => isDrifted(root) && !isTheirs(root));
}

/** Why a run is not resumed whose files are not as recorded; where they are unknown, why. */
export function describeDrifted(
  run: string,
  drifted: readonly RootDrift[],
  isStrict: boolean,
): ObstacleWords {
  const id = shortId(run);
  for (const root of drifted) {
    if (root.kind !== "unknown") continue;
    if (root.why === "erased") return describeObstacle({ why: "content-erased" }, id);
    if (root.why === "unbound")
      return describeObstacle({ why: "root-missing", what: root.root }, id);
    return {
      words: `files under ${root.root} cannot be compared: ${UNKNOWN_ROOTS[root.why]}`,
      next: `TURNSEAL_ROOTS=${root.root}=<folder> turnseal resume ${id}`,
    };
  }
  // A run that begins no turn while files differ would not go on with files that are left.
  const ways = `graph-wins|files-win|merge${isStrict ? "" : "|leave"}`;
  return {
    words: `files under ${drifted.map(({ root }) => root).join(", ")} are not what the run recorded`,
    next: `turnseal drift ${id}, then turnseal resume ${id} --on-drift <${ways}>`,
  };
}
