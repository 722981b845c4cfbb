import type { Drift, OpenClaim, ResumeCheck } from "@turnseal/host";
import type { Grant } from "@turnseal/protocol";
import { type Line, line, type Span, toned } from "./line.ts";
import { renderDetail } from "./render-field.ts";
import { toJsonClaim } from "./render-waiting.ts";

const DIGEST_SHOWN = "sha256:".length + 12;

/**
 * Renders what has changed since a run was started, what is open, and whether it is safe to go on.
 */
export function renderResumeCheck(check: ResumeCheck, grant: Grant): Line[] {
  const { run, loops, tools, models, semantics, open, isSafe } = check;
  return [
    line(toned("strong", "resume"), `  ${run}`),
    ...renderDrifts("loops", loops, "as they were pinned"),
    ...renderDrifts("tools", tools, "the builds that were recorded"),
    ...renderDrifts("models", models, "the models that were recorded"),
    ...renderDrifts("semantics", semantics === null ? [] : [semantics], undefined),
    ...renderDetail("grant", describeGrant(grant, check.isGrantExpired)),
    ...(open.length === 0 ? renderDetail("open", "nothing") : open.flatMap(renderOpen)),
    { spans: [{ text: "  " }, toned("faint", "safe".padEnd(10)), ...describeSafety(isSafe)] },
  ];
}

/** The same for programs. */
export function toResumeLine({ open, ...check }: ResumeCheck): object {
  return { type: "resume", ...check, open: open.map(toJsonClaim) };
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
  if (expiresAt === undefined) return `by ${grantor}, without end`;
  return `by ${grantor}, ${isExpired ? "expired at" : "until"} ${expiresAt}`;
}

const fates: ReadonlyMap<string, string> = new Map([
  ["repeatable", "is asked again, and counted as paid"],
  ["read", "is done again"],
  ["idempotent", "is done again under the same key"],
  ["reconcile", "the tool is asked what became of it, after its deadline"],
  ["once", "a person is asked what became of it, after its deadline"],
]);

function renderOpen({ name, effect, isUnknown, deadlineAt }: OpenClaim): Line[] {
  const fate = isUnknown ? "waits for a person's answer" : (fates.get(effect) ?? effect);
  return renderDetail("open", `${name} (${effect}), to end by ${deadlineAt}: ${fate}`);
}

function describeSafety(isSafe: boolean): Span[] {
  if (isSafe) return [toned("good", "yes")];
  return [toned("bad", "no"), { text: ": what the run was started with is not there any more" }];
}
