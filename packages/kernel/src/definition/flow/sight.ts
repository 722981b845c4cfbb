/** The names that a node may read at its place. */
import { FLOW_NAMES, type FlowNode, type PathSegment } from "@turnseal/protocol";
import type { KnownNames } from "../../bounded/condition/compile-node.ts";
import type { Report } from "../report.ts";

/** A place, its readable names, and the names read so far. */
export interface Sight {
  /** A JSON Pointer into the document. */
  readonly path: string;
  /** Each name with the fields of its value, where they are known. */
  readonly names: KnownNames;
  /** The known names that were read. */
  readonly reads: Set<string>;
  readonly walk: Walk;
}

/** Facts about a whole flow. */
export interface Walk {
  readonly report: Report;
  /** True when something reads times or the trace of a call, or its result as a whole. */
  readsRecord: boolean;
}

const flowNames: ReadonlySet<string> = new Set(FLOW_NAMES);

/** The default name of an item. */
export const ITEM_NAME = "item";

const plainFields = ["status", "output", "error"];
const callFields = ["callId", "loopId", "loopVersion"];
const recordFields = ["startedAt", "endedAt", "durationMs", "trace"];
/** The fields of an error. */
export const ERROR_FIELDS: readonly string[] = ["code", "message", "reason"];
/** The fields of the result of a state's body. */
export const RESULT_FIELDS: readonly string[] = plainFields;

/** The fields of a node's result. */
export function resultFields({ kind }: FlowNode): readonly string[] {
  if (kind === "call") return [...plainFields, ...callFields, ...recordFields];
  return kind === "parallel" || kind === "forEach" ? [...plainFields, "items"] : plainFields;
}

/** The same place with more names, which may hide others. */
export function seeMore(sight: Sight, more: Iterable<readonly [string, Fields]>): Sight {
  return { ...sight, names: new Map([...sight.names, ...more]) };
}

type Fields = readonly string[] | undefined;

/** The readable names after a node, at its place. */
export function seeAfter(node: FlowNode, sight: Sight): Sight {
  return node.name === undefined ? sight : seeMore(sight, [[node.name, resultFields(node)]]);
}

/** A part of what stands here. */
export function seeAt(sight: Sight, segment: string): Sight {
  return { ...sight, path: `${sight.path}/${segment}` };
}

/** Notes what a source reads. */
export function noteReads(reads: readonly (readonly PathSegment[])[], sight: Sight): void {
  for (const [root, field] of reads) {
    if (typeof root !== "string" || !sight.names.has(root)) continue;
    sight.reads.add(root);
    const fields = sight.names.get(root) ?? [];
    const isOfRecord = field === undefined || recordFields.includes(String(field));
    if (isOfRecord && fields.includes("trace")) sight.walk.readsRecord = true;
  }
}

/** Refuses a name that stands for something else here. */
export function checkName(name: string, { path, names, walk: { report } }: Sight): void {
  const mend = "choose another name";
  if (flowNames.has(name)) {
    const message = `nothing in a flow may be called \`${name}\``;
    report.refuse({ rule: "binding-name", path, message, mend });
  } else if (names.has(name)) {
    const message = `\`${name}\` stands for something else here already`;
    report.refuse({ rule: "binding-repeated", path, message, mend });
  }
}
