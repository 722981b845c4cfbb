import type { OpenClaim, OpenRequest, RunProjection } from "@turnseal/folds";
import { type Drift, isDrifted, type ResumeCheck, type RootDrift } from "@turnseal/host";
import type { Grant, RunSpec } from "@turnseal/protocol";
import { toJsonClaim } from "../../inbox/render-waiting.ts";
import { type Line, line, type Span, toned } from "../../screen/line.ts";
import { renderDetail } from "../../screen/render-field.ts";
import { shortId } from "../../screen/short-id.ts";
import { describeRoot } from "../files/render-world.ts";
import type { ObstacleWords } from "../state/describe-obstacle.ts";

/** The run of the check, which has started. */
type CheckedRun = Pick<RunProjection, "openTurn"> & {
  readonly spec: RunSpec;
  /** The digest of today's rules, where there are any. */
  readonly today?: string | null;
  /** The hashes of what is answered, and not read into its log yet. */
  readonly answered: ReadonlySet<string>;
  /** The obstacle to resuming it, if there is one. */
  readonly kept: ObstacleWords | undefined;
};

const DIGEST_SHOWN = "sha256:".length + 12;

/**
 * Renders what has changed since a run was started, what is open, and whether it is safe to go on.
 */
export function renderResumeCheck(
  check: ResumeCheck,
  { spec: { grant, policy }, openTurn, today, answered, kept }: CheckedRun,
): Line[] {
  const { run, loops, tools, models, semantics, open, world } = check;
  return [
    line(toned("strong", "resume"), `  ${run}`),
    ...renderDrifts("loops", loops, "as pinned at the start"),
    ...renderDrifts("tools", tools, "same builds as recorded"),
    ...renderDrifts("models", models, "same models as recorded"),
    ...renderDrifts("semantics", semantics === null ? [] : [semantics], undefined),
    ...renderDetail("grant", describeGrant(grant, check.isGrantExpired)),
    ...renderDetail("policy", describePolicy(policy, today ?? null)),
    ...(open.length === 0
      ? renderDetail("open", "nothing")
      : open.flatMap((claim) => renderOpen(claim, answered))),
    ...renderAsked(openTurn?.asked ?? [], { run, answered }),
    ...renderFiles(world, run),
    { spans: [{ text: "  " }, toned("faint", "safe".padEnd(10)), ...describeSafety(kept)] },
  ];
}

/** The same for programs. */
export function toResumeLine(
  { open, world, isSafe: _, lack: __, ...check }: ResumeCheck,
  { openTurn, answered, kept }: Pick<CheckedRun, "openTurn" | "answered" | "kept">,
): object {
  const asked = (openTurn?.asked ?? []).map((request) => toJsonAsked(request, answered));
  return {
    type: "resume",
    ...check,
    open: open.map(toJsonClaim),
    asked,
    world: world.map(toJsonRoot),
    isSafe: kept === undefined,
    ...(kept === undefined ? {} : { why: kept.words, next: kept.next }),
  };
}

/** Only `turnseal drift` names the files: paths are content. */
export function toJsonRoot(root: RootDrift): object {
  const { root: name, files } = root;
  return root.kind === "looked"
    ? { root: name, files, drifts: root.drifts.length }
    : { root: name, files, unknown: root.why };
}

/** The drift of its managed files, a line for each root. */
export function renderFiles(world: readonly RootDrift[], run: string): Line[] {
  return world.flatMap((root) => renderDetail("files", describeFiles(root, run)));
}

function describeFiles(root: RootDrift, run: string): string {
  const more = isDrifted(root) ? `: turnseal drift ${shortId(run)}` : "";
  return `${root.root}, ${describeRoot(root)}${more}`;
}

/** Requests of a run that are shown one by one; a fan-out may have hundreds. */
export const ASKED_SHOWN_MAX = 10;

/** The requests of a run, a line for each. */
export function renderAsked(
  asked: readonly OpenRequest[],
  { run, answered }: { readonly run: string; readonly answered: ReadonlySet<string> },
): Line[] {
  const rest = asked.length - ASKED_SHOWN_MAX;
  return [
    ...asked.slice(0, ASKED_SHOWN_MAX).flatMap((request) => renderRequest(request, answered)),
    ...(rest > 0 ? renderDetail("more", `${rest}: turnseal inbox ${shortId(run)}`) : []),
  ];
}

/** An approval or a question as a line about a run shows it. */
function renderRequest(request: OpenRequest, answered: ReadonlySet<string>): Line[] {
  const { kind, id, name, loop, role, decideBy, hash } = request;
  const what = kind === "approval" ? `approval of ${name}` : `answer to ${loop}`;
  const whose = role === null ? "" : ` by ${role}`;
  if (answered.has(hash))
    return renderDetail(
      "answered",
      `${shortId(id)}, the ${what}${whose}: it takes effect on resume`,
    );
  const end = decideBy === null ? "" : `, until ${decideBy}`;
  return renderDetail("waits", `${shortId(id)} for the ${what}${whose}${end}`);
}

/** The same for programs. */
export function toJsonAsked(
  { kind, id, name, loop, role, decideBy, hash }: OpenRequest,
  answered: ReadonlySet<string>,
): object {
  return { kind, id, name, loop, role, decideBy, isAnswered: answered.has(hash) };
}

function renderDrifts(
  name: string,
  drifts: readonly Drift[],
  otherwise: string | undefined,
): Line[] {
  if (drifts.length === 0) return renderDetail(name, otherwise);
  return drifts.map((drift) => ({
    spans: [
      { text: "  " },
      toned("faint", name.padEnd(10)),
      toned("warning", drift.now === null ? "gone: " : "changed: "),
      { text: `${drift.name} was ${cut(drift.recorded)}` },
      { text: drift.now === null ? "" : `, is ${cut(drift.now)}` },
    ],
  }));
}

function cut(text: string): string {
  return text.startsWith("sha256:") ? text.slice(0, DIGEST_SHOWN) : text;
}

function describeGrant({ grantor, expiresAt }: Grant, isExpired: boolean): string {
  if (expiresAt === undefined) return `by ${grantor}, no expiry`;
  return `by ${grantor}, ${isExpired ? "expired at" : "until"} ${expiresAt}`;
}

function describePolicy(pinned: RunSpec["policy"], today: string | null): string | undefined {
  const isOther = today !== null && today !== pinned?.digest;
  if (pinned === undefined) return isOther ? "what the current rules deny" : undefined;
  const others = isOther ? "; the current rules differ, and what they deny is denied" : "";
  return `${pinned.name}, as pinned at the start${others}`;
}

const fates: ReadonlyMap<string, string> = new Map([
  ["repeatable", "the model is asked again, and the lost request counts as spent"],
  ["read", "it is executed again"],
  ["idempotent", "it is executed again with the same key"],
  ["reconcile", "after its deadline the tool is asked whether it happened"],
  ["once", "after its deadline a person is asked whether it happened"],
]);

function renderOpen(claim: OpenClaim, answered: ReadonlySet<string>): Line[] {
  const { name, effect, isUnknown, isHeld, deadlineAt, hash } = claim;
  if (isHeld)
    return renderDetail("held", `${name} (${effect}): nothing was done, its group decides`);
  const word = answered.has(hash) ? "a person has answered" : "a person must answer";
  const fate = isUnknown ? word : (fates.get(effect) ?? effect);
  return renderDetail("open", `${name} (${effect}), deadline ${deadlineAt}: ${fate}`);
}

function describeSafety(kept: ObstacleWords | undefined): Span[] {
  if (kept === undefined) return [toned("good", "yes")];
  return [toned("bad", "no"), { text: `: ${kept.words}` }];
}
