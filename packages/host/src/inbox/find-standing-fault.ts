/** Whether a person may let an approval stand so (spec/approval.md §11.2). */
import { listStanding, type RunProjection, STANDING_MAX } from "@turnseal/folds";
import {
  isPattern,
  isWithinStanding,
  mayBeStandingTerms,
  type StandingTerms,
} from "@turnseal/protocol";

/** The tool that asks, and how far an approval of it may stand. */
export interface StandingAsked {
  readonly name: string;
  readonly mayStand?: StandingTerms;
}

interface Given {
  readonly choice: unknown;
  readonly standing?: unknown;
  readonly pattern?: unknown;
}

/** The fault of what is given, in words; undefined for none, and for an approval for once. */
export function findStandingFault(
  { name, mayStand }: StandingAsked,
  run: Pick<RunProjection, "standing" | "lastAt">,
  { choice, standing, pattern }: Given,
): string | undefined {
  if (standing === undefined && pattern === undefined) return undefined;
  if (choice !== "approve") return "only an approval can stand";
  if (mayStand === undefined)
    return `no approval of ${name} can stand: the rule that asks has no \`mayStand\``;
  if (!isPattern(pattern)) return "the pattern is not a condition for each field";
  if (!mayBeStandingTerms(standing))
    return "an approval stands for `uses` and `withinMs`, and for `amounts` if wanted";
  if (!isWithinStanding(standing, mayStand))
    return `it is more than \`mayStand\` of the rule allows: ${JSON.stringify(mayStand)}`;
  if (listStanding(run.standing, run.lastAt).length >= STANDING_MAX)
    return `${STANDING_MAX} approvals stand already: revoke one`;
  return undefined;
}
