import type { OpenClaim } from "@turnseal/host";
import { type Line, line, toned } from "./line.ts";
import { renderDetail } from "./render-field.ts";
import { shortId } from "./short-id.ts";

/** Renders what a run waits for, and the command that answers. */
export function renderWaiting(run: string, unknown: readonly OpenClaim[]): Line[] {
  return [
    line(toned("warning", "waiting for a person"), `  ${run}`),
    ...unknown.flatMap(renderUnknown),
    ...renderAnswers(run, unknown),
  ];
}

function renderUnknown({ key, name, effect, claim, deadlineAt }: OpenClaim): Line[] {
  return [
    line("  ", toned("strong", name), ": nobody knows whether it happened"),
    ...renderDetail("declared", effect),
    ...renderDetail("claimed", `event ${claim}, to end by ${deadlineAt}`),
    ...renderDetail("key", key),
  ];
}

function renderAnswers(run: string, unknown: readonly OpenClaim[]): Line[] {
  const key = unknown.length > 1 ? " <key>" : "";
  const command = `turnseal resolve ${shortId(run)}${key}`;
  return [
    line("  ", toned("faint", "next: "), `${command} happened --result '<what it answered>'`),
    line("  ", toned("faint", "   or: "), `${command} retry`),
    line("  ", toned("faint", "   or: "), `${command} abandon`),
  ];
}

/** The same for programs. */
export function toWaitingLine(run: string, unknown: readonly OpenClaim[]): object {
  return { type: "waiting", run, for: "person", unknown: unknown.map(toJsonClaim) };
}

/** An open claim as JSON shows it. */
export function toJsonClaim({
  key,
  name,
  effect,
  claim,
  deadlineAt,
  isUnknown,
}: OpenClaim): object {
  return { key, name, effect, claim, deadlineAt, isUnknown };
}
