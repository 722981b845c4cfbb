/** The items of fan-outs and the other parts of a flow: which, how they ended, and why. */
import type { FlowPart } from "@turnseal/host";
import { type Line, line, toned } from "../../screen/line.ts";

/** Parts that one listing shows, and the characters of a reason. Failed ones come first. */
export const PARTS_SHOWN_MAX = 20;
export const REASON_SHOWN_MAX = 200;

/** In the path of an item of a repeat: an agent tells in its answer what it did. */
const IN_ROUNDS = "/rounds/";

const marks = { ok: "✓", error: "✗", withdrawn: "–", open: "…" } as const;
const tones = { ok: "good", error: "bad", withdrawn: "faint", open: "faint" } as const;

/** Renders the items; nothing where the flow has no fan-out and nothing of it failed. */
export function renderParts(parts: readonly FlowPart[]): Line[] {
  const told = parts.filter(
    ({ index, status, path }) =>
      status === "error" || (index !== undefined && !path.includes(IN_ROUNDS)),
  );
  const isAll = told.length <= PARTS_SHOWN_MAX;
  const ordered = isAll ? told : told.toSorted((one, other) => rankOf(one) - rankOf(other));
  const rest = told.length - PARTS_SHOWN_MAX;
  if (told.length === 0) return [];
  return [
    line(toned("strong", "items")),
    ...ordered.slice(0, PARTS_SHOWN_MAX).map(renderPart),
    ...(rest > 0 ? [line("  ", toned("faint", `and ${rest} more`))] : []),
  ];
}

/** The parts that failed, in one line each. */
export function describeFailedParts(parts: readonly FlowPart[]): string[] {
  const failed = parts.filter(({ status }) => status === "error");
  const rest = failed.length - PARTS_SHOWN_MAX;
  return [
    ...failed.slice(0, PARTS_SHOWN_MAX).map((part) => `${nameOf(part)} failed${describeWhy(part)}`),
    ...(rest > 0 ? [`and ${rest} more failed`] : []),
  ];
}

function rankOf({ status }: FlowPart): number {
  return status === "error" ? 0 : 1;
}

function renderPart(part: FlowPart): Line {
  const { status } = part;
  const words = status === "error" ? `failed${describeWhy(part)}` : status;
  return line("  ", toned(tones[status], marks[status]), ` ${nameOf(part)}  ${words}`);
}

function nameOf({ path, index, label }: FlowPart): string {
  if (label !== undefined) return index === undefined ? label : `${index} ${label}`;
  return index === undefined ? path : `${path} item ${index}`;
}

/** The reason of the failure, on one line; the code if there is none. */
function describeWhy({ code, reason }: FlowPart): string {
  const words = reason?.replaceAll(/\s+/g, " ").trim().slice(0, REASON_SHOWN_MAX);
  const known = [...(code === undefined ? [] : [code]), ...(words ? [words] : [])];
  return known.length === 0 ? "" : `: ${known.join(": ")}`;
}
