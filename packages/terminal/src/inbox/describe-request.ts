/** The words of cards and lists about a request: who decides, until when, and by which command. */
import { isEditable, type KeptWord, type Waiting, type WaitingRequest } from "@turnseal/host";
import { PLAN_TOOL } from "@turnseal/protocol";
import { formatDuration } from "../screen/format-duration.ts";
import { shortId } from "../screen/short-id.ts";
import { listRestAnswers } from "./own-questions.ts";

/** Why the request is repeated, if it is. */
export function describeAgain({ facts, name }: WaitingRequest): string | undefined {
  const { replaces } = facts;
  if (replaces === undefined) return undefined;
  return `the code of ${name} changed since event ${replaces}, whose approval does not count`;
}

/** The people who decide, and how many of them. */
export function describePeople({ kind, name, role, approvers }: WaitingRequest): string {
  const whose = role === null ? "" : ` with the role ${role}`;
  if (kind === "question") return name === "agent" ? `an agent${whose}` : `a person${whose}`;
  return approvers === 1 ? `one person${whose}` : `${approvers} people${whose}`;
}

const hands: ReadonlyMap<unknown, string> = new Map([
  ["starter", "started"],
  ["editor", "edited"],
]);

/** The people whom a rule keeps from approving, because they had a part in it. */
export function describeExcluded({ excluded, facts: { exclude } }: WaitingRequest) {
  if (excluded.length === 0) return undefined;
  const had = (Array.isArray(exclude) ? exclude : []).flatMap((who) => hands.get(who) ?? []);
  const why = had.length === 0 ? "" : ` (${had.join(" or ")} it)`;
  return `${excluded.join(", ")}${why}`;
}

/** The decisions so far. */
export function describeWords({ hash, approvedBy }: WaitingRequest, { kept }: Waiting): string {
  const words = [...approvedBy.map((id) => `${id} has approved`), ...describeKept(hash, kept)];
  return words.length === 0 ? "none yet" : words.join("; ");
}

/** The answers that no worker has read into the log yet. */
export function describeKept(hash: string, kept: readonly KeptWord[]): string[] {
  return kept
    .filter(({ about }) => about === hash)
    .map(({ by, said }) => `${by} said ${said}, which takes effect when the run continues`);
}

/** Until when it can be decided. */
export function describeUntil(decideBy: string | null, nowMs: number): string {
  return decideBy === null ? "no expiry" : `${decideBy}, ${describeLeft(decideBy, nowMs)}`;
}

/** How long it can still be decided. */
export function describeLeft(decideBy: string, nowMs: number): string {
  const leftMs = Date.parse(decideBy) - nowMs;
  return leftMs < 0 ? `expired ${formatDuration(-leftMs)} ago` : `${formatDuration(leftMs)} left`;
}

/** The commands that decide an approval: the first two for every one. */
export function approvalCommands(request: WaitingRequest): string[] {
  const name = shortId(request.id);
  return [
    `turnseal approve ${name}`,
    `turnseal reject ${name} --reason '<why>'`,
    ...(request.mayStand === undefined ? [] : [`turnseal approve ${name} --stand`]),
    // Another plan is another run.
    ...(request.name === PLAN_TOOL || !isEditable(request)
      ? []
      : [`turnseal approve ${name} --edit '<other arguments as JSON>'`]),
  ];
}

/** The commands that answer a question. */
export function questionCommands({ id, loop }: WaitingRequest): string[] {
  const answer = `turnseal answer ${shortId(id)} --value`;
  const known = listRestAnswers(loop)?.map(([rest]) => `${answer} '{"rest":"${rest}"}'`);
  return known ?? [`${answer} '<JSON, or @file>'`];
}
