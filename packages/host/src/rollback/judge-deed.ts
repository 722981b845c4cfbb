/** Whether an action can be taken back, what does it, and why it is left otherwise. */
import { type ArtifactChanges, canonicalize, type JsonValue } from "@turnseal/protocol";
import { FILES_BUILD, type TakenAction } from "@turnseal/protocol/authoring";
import { readContent } from "../read-content.ts";
import type { RollbackHead } from "../run-ids.ts";
import type { ToolDeed, TriedUndo } from "./read-deeds.ts";
import { areFilesKept } from "./restore-files.ts";
import type { RollbackPorts } from "./rollback-ports.ts";
import { sizeOf } from "./size-of.ts";

export type LeftAction = RollbackHead["left"][number];

/** Bytes of what one rollback holds of actions. */
export const PAGE_BYTES_MAX = 640 * 1024;

/** An action that can be taken back, and what does it. */
export interface UndoStep {
  readonly takesBack: TakenAction & { readonly input: JsonValue; readonly result: JsonValue };
  /** The tool that acted. */
  readonly tool: string;
  /** The loop that takes it back, and the name that a grant has for it. */
  readonly loop: string;
  readonly version: string;
  readonly undo: string;
  readonly doneAt: string;
  /** Until when it can be taken back; absent for ever. */
  readonly until?: string;
  /** The files that it changed, where it did. */
  readonly changes?: ArtifactChanges;
}

/** Why nobody has said whether an action happened, and nobody will. */
const UNASKED = "too many were unknown to be asked about";

export type JudgedDeed =
  | { readonly kind: "undo"; readonly step: UndoStep }
  | { readonly kind: "left"; readonly left: LeftAction }
  | { readonly kind: "nothing" };

/** Whether an action can be taken back now. */
export async function judgeDeed(deed: ToolDeed, ports: RollbackPorts): Promise<JudgedDeed> {
  const { run, turn, key, tool, end, compensation } = deed;
  const leave = (why: LeftAction["why"], reason?: string): JudgedDeed => ({
    kind: "left",
    left: { run, turn, key, tool, why, ...(reason === undefined ? {} : { reason }) },
  });
  if (end.kind === "abandoned") return leave("abandoned");
  // What was to take back an action of its own run is told with that action.
  if (end.kind === "open" && deed.takesBack?.run !== run) return leave("abandoned", UNASKED);
  if (end.kind !== "done") return { kind: "nothing" };
  // Whatever else speaks against it: who puts it right has to know that this was tried.
  if (deed.tried !== undefined)
    return leave("compensation-unknown", describeTried(deed.tried, run));
  if (compensation === undefined)
    return deed.irreversible === undefined
      ? leave("undeclared")
      : leave("irreversible", deed.irreversible);
  const isOfFiles = compensation.build === FILES_BUILD;
  // A person said that it happened, and nobody which files it changed.
  if (isOfFiles && end.isSaid === true) return leave("unrecorded");
  if (isOfFiles && end.artifacts === undefined) return { kind: "nothing" };
  const { stores, registry, tools, clock } = ports;
  const { loop, version, withinMs = Number.POSITIVE_INFINITY } = compensation;
  if (clock.now() > Date.parse(end.at) + withinMs) return leave("expired");
  const receipt = await stores.receipts.read(run, turn);
  if (receipt === undefined) return leave("unsealed");
  const input = await readContent(stores, run, deed.request);
  const result = end.result === undefined ? null : await readContent(stores, run, end.result);
  if (input === undefined || result === undefined) return leave("erased");
  if (end.artifacts !== undefined && !(await areFilesKept(run, end.artifacts, stores)))
    return leave("erased");
  const takesBack = { run, turn, key, receipt: receipt.id, input, result };
  if (sizeOf(takesBack) > PAGE_BYTES_MAX) return leave("too-large");
  const undo = registry.resolve(loop, version)?.definition.tool?.implementation;
  const bound = undo === undefined ? undefined : tools.find(undo, version);
  // What another worker may have comes last. A loop of the same name that takes nothing back is
  // another one.
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

function describeTried({ tool, turn, run, isAbandoned }: TriedUndo, of: string): string {
  const place = run === of ? `turn ${turn}` : `run ${run}`;
  const end = isAbandoned ? "which a person abandoned" : "whose end is not known";
  return `${tool} in ${place}, ${end}`;
}

/** True when two say the same of an action, of what it was given and of what it gave. */
export function isSameAction(one: UndoStep["takesBack"], other: JsonValue): boolean {
  return canonicalize({ ...one }) === canonicalize(other);
}
