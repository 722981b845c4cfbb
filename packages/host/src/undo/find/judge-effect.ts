/** Judges whether an action can be undone, by which compensation, and otherwise why it is left. */
import {
  type ArtifactChanges,
  canonicalize,
  isPlainObject,
  type JsonValue,
} from "@turnseal/protocol";
import { FILES_BUILD, type TakenAction } from "@turnseal/protocol/authoring";
import type { RollbackHead } from "../../run-ids.ts";
import { readContent } from "../../state/read-content.ts";
import { areFilesKept } from "./changed-files.ts";
import type { ToolEffect, UnknownCompensation } from "./read-effects.ts";
import type { RollbackPorts } from "./rollback-ports.ts";
import { sizeOf } from "./size-of.ts";

export type LeftAction = RollbackHead["left"][number];

/** Bytes of what one rollback holds of actions. */
export const PAGE_BYTES_MAX = 640 * 1024;

/** An action that can be undone, and its compensation. */
export interface UndoStep {
  readonly takesBack: TakenAction & { readonly input: JsonValue; readonly result: JsonValue };
  /** The tool that acted. */
  readonly tool: string;
  /** The loop that undoes it, and the name that a grant has for it. */
  readonly loop: string;
  readonly version: string;
  readonly undo: string;
  readonly doneAt: string;
  /** How long it can be undone; absent for ever. */
  readonly until?: string;
  /** The files that it changed, where it did. */
  readonly changes?: ArtifactChanges;
}

/** Why the action is unknown, and stays so. */
const UNASKED = "too many were unknown to be asked about";

export type JudgedEffect =
  | { readonly kind: "undo"; readonly step: UndoStep }
  | { readonly kind: "left"; readonly left: LeftAction }
  | { readonly kind: "nothing" };

/** Judges whether an action can be undone now. */
export async function judgeEffect(effect: ToolEffect, ports: RollbackPorts): Promise<JudgedEffect> {
  const { run, turn, key, tool, end, compensation } = effect;
  const leave = (why: LeftAction["why"], reason?: string): JudgedEffect => ({
    kind: "left",
    left: { run, turn, key, tool, why, ...(reason === undefined ? {} : { reason }) },
  });
  if (end.kind === "abandoned") return leave("abandoned");
  // A compensation of an action of the same run is reported with that action.
  if (end.kind === "open" && effect.takesBack?.run !== run) return leave("abandoned", UNASKED);
  if (end.kind !== "done") return { kind: "nothing" };
  // This comes before all other reasons: a person who puts it right has to know of the attempt.
  if (effect.attempt !== undefined)
    return leave("compensation-unknown", describeAttempt(effect.attempt, run));
  if (compensation === undefined)
    return effect.irreversible === undefined
      ? leave("undeclared")
      : leave("irreversible", effect.irreversible);
  const isOfFiles = compensation.build === FILES_BUILD;
  // A person said that it happened, but the changed files are unknown.
  if (isOfFiles && end.isSaid === true) return leave("unrecorded");
  if (isOfFiles && end.artifacts === undefined) return { kind: "nothing" };
  const { stores, registry, tools, clock } = ports;
  const { loop, version, withinMs = Number.POSITIVE_INFINITY } = compensation;
  if (clock.now() > Date.parse(end.at) + withinMs) return leave("expired");
  const receipt = await stores.receipts.read(run, turn);
  if (receipt === undefined) return leave("unsealed");
  const request = await readContent(stores, run, effect.request);
  const input = effect.isContinued && isPlainObject(request) ? request["input"] : request;
  const result = end.result === undefined ? null : await readContent(stores, run, end.result);
  if (input === undefined || result === undefined) return leave("erased");
  if (end.artifacts !== undefined && !(await areFilesKept(run, end.artifacts, stores)))
    return leave("erased");
  const takesBack = { run, turn, key, receipt: receipt.id, input, result };
  if (sizeOf(takesBack) > PAGE_BYTES_MAX) return leave("too-large");
  const undo = registry.resolve(loop, version)?.definition.tool?.implementation;
  const bound = undo === undefined ? undefined : tools.find(undo, version);
  // Reasons that another worker may not have come last. A loop of the same name that takes nothing
  // back is another one.
  if (undo === undefined || bound?.takesBack !== true) return leave("compensation-missing");
  if (bound.build !== compensation.build) return leave("compensation-changed");
  const until =
    compensation.withinMs === undefined
      ? {}
      : { until: new Date(Date.parse(end.at) + withinMs).toISOString() };
  const changes = end.artifacts === undefined ? {} : { changes: end.artifacts };
  const step = { takesBack, tool, loop, version, undo, doneAt: end.at, ...until, ...changes };
  return { kind: "undo", step };
}

function describeAttempt(
  { tool, turn, run, isAbandoned }: UnknownCompensation,
  of: string,
): string {
  const place = run === of ? `turn ${turn}` : `run ${run}`;
  const end = isAbandoned ? "which a person abandoned" : "whose end is not known";
  return `${tool} in ${place}, ${end}`;
}

/** True if both name the same action, with the same input and result. */
export function isSameAction(one: UndoStep["takesBack"], other: JsonValue): boolean {
  return canonicalize({ ...one }) === canonicalize(other);
}
