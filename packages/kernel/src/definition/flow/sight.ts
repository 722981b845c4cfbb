/** What may be read where a node stands, and under which names. */
import { FLOW_NAMES, type FlowNode, type PathSegment } from "@turnseal/protocol";
import type { KnownNames } from "../../bounded/condition/compile-node.ts";
import type { Report } from "../report.ts";

/** Where something stands, what it may read, and what was read so far. */
export interface Sight {
  /** A JSON Pointer into the document. */
  readonly path: string;
  /** Each name with the fields of what it stands for, where they are known. */
  readonly names: KnownNames;
  /** The names that were read, of those that are known. */
  readonly reads: Set<string>;
  readonly walk: Walk;
}

/** What is gathered of a whole flow. */
export interface Walk {
  readonly report: Report;
  /** True when something reads times or the trace of a call, or its result as a whole. */
  readsRecord: boolean;
}

const flowNames: ReadonlySet<string> = new Set(FLOW_NAMES);

/** What an item is called where its list does not say. */
export const ITEM_NAME = "item";

const plainFields = ["status", "output", "error"];
const callFields = ["callId", "loopId", "loopVersion"];
const recordFields = ["startedAt", "endedAt", "durationMs", "trace"];
/** What is known of an error. */
export const ERROR_FIELDS: readonly string[] = ["code", "message", "reason"];
/** What the body of a state came to. */
export const RESULT_FIELDS: readonly string[] = plainFields;

/** The fields of what a node comes to. */
export function resultFields({ kind }: FlowNode): readonly string[] {
  if (kind === "call") return [...plainFields, ...callFields, ...recordFields];
  return kind === "parallel" || kind === "forEach" ? [...plainFields, "items"] : plainFields;
}

/** The same place with more names, each of which may hide another. */
export function seeMore(sight: Sight, more: Iterable<readonly [string, Fields]>): Sight {
  return { ...sight, names: new Map([...sight.names, ...more]) };
}

type Fields = readonly string[] | undefined;

/** What is known after a node, where it stood. */
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
