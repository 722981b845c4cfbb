/** The waits of a run, and how often people lifted its quarantine, in words. */
import type { OpenRequest, RunProjection } from "@turnseal/folds";
import type { RunStanding } from "@turnseal/runtime/folder";
import { countOf } from "../../screen/count-of.ts";
import { shortId } from "../../screen/short-id.ts";

export function describeAwaited(state: Extract<RunStanding, { kind: "waiting" }>): string[] {
  const { asked, unknown, signals, answered } = state;
  const signalled = signals.length === 0 ? [] : [`it waits for the signal ${signals.join(" or ")}`];
  if (asked.length + unknown.length + signals.length === 0)
    return ["a run that it handed work to has not ended"];
  return [
    ...signalled,
    ...asked.map((request) => describeAsked(request, answered)),
    ...unknown.map(({ name, hash }) =>
      answered.has(hash)
        ? `${name} is resolved, which takes effect on resume`
        : `a person must say whether ${name} happened`,
    ),
  ];
}

function describeAsked(
  { kind, name, loop, role, id, hash, approvers, approvedBy, excluded, decideBy }: OpenRequest,
  answered: ReadonlySet<string>,
): string {
  if (answered.has(hash))
    return `the ${kind} ${kind === "approval" ? name : loop} is answered, to be read on resume`;
  const who = approvers === 1 ? "a person" : `${approvers} people`;
  const whose = role === null ? who : `${who} with the role ${role}`;
  const what = kind === "approval" ? `approve ${name}` : `answer ${loop}`;
  const terms = [
    ...(approvedBy.length === 0 ? [] : [`${approvedBy.join(", ")} has approved`]),
    ...(excluded.length === 0 ? [] : [`not ${excluded.join(", ")}`]),
    ...(decideBy === null ? [] : [`until ${decideBy}`]),
  ].join("; ");
  const answer = kind === "approval" ? "approve" : "answer";
  const how = `turnseal inbox ${shortId(id)} shows it, turnseal ${answer} ${shortId(id)} decides`;
  return `${whose} must ${what}${terms === "" ? "" : `, ${terms}`} (${how})`;
}

/** Empty for a run without a lifted quarantine. */
export function describeLifts(projection: Pick<RunProjection, "lifts"> | undefined): string[] {
  const { lifts = 0 } = projection ?? {};
  return lifts === 0 ? [] : [`people have lifted its quarantine ${countOf(lifts, "time")}`];
}
