/** Evaluates mappings and conditions of a flow against the results known where they stand. */
import type { JsonObject, JsonValue, PathSegment } from "@turnseal/protocol";
import { EXPRESSION_STEPS_MAX } from "../../bounded/condition/expression.ts";
import type { Meter } from "../../bounded/meter.ts";
import {
  applyMapping,
  type CheckedMapping,
  type CheckedSource,
} from "../../definition/checked-mapping.ts";
import type { CheckedExpression } from "../../definition/flow/checked-node.ts";
import { NODE_STEPS } from "../../limits.ts";
import { fail, type Outcome, succeed } from "../../outcome.ts";
import { mapFields } from "../map-fields.ts";
import { countRuns } from "./count-runs.ts";
import type { NodePlace } from "./node.ts";

type Known = Pick<NodePlace, "known" | "absent" | "runs">;

/** Builds an object. A path from a name that stands for nothing leaves its field out. */
export function mapKnown(mapping: CheckedMapping, at: Known, what: string): Outcome<JsonObject> {
  const given = mapping.filter(({ source }) => !leadsNowhere(source, at.known));
  return countSteps(at, (meter) => mapFields(given, fillAbsent(at), what, meter));
}

/** An evaluation blocks everything else, so a long one counts as several nodes. */
function countSteps<Read>(
  at: Pick<Known, "runs">,
  read: (meter: Meter) => Outcome<Read>,
): Outcome<Read> {
  const meter = { stepsLeft: EXPRESSION_STEPS_MAX };
  const given = read(meter);
  const nodes = Math.floor((EXPRESSION_STEPS_MAX - meter.stepsLeft) / NODE_STEPS);
  return countRuns(at, nodes) ?? given;
}

/** Evaluates one source; undefined where it leads nowhere. */
export function readKnown(
  source: CheckedSource,
  known: Known,
  what: string,
): Outcome<JsonValue | undefined> {
  const mapped = mapKnown([{ field: "value", source }], known, what);
  return mapped.kind === "ok" ? succeed(mapped.value["value"]) : mapped;
}

/** Evaluates a condition. A result that is no boolean is a failure, and never false. */
export function readCondition(
  { text, evaluate }: CheckedExpression,
  known: Known,
  what: string,
): Outcome<boolean> {
  const source: CheckedSource = { kind: "expression", text, evaluate, type: "bool", reads: [] };
  return countSteps(known, (meter) => {
    const mapped = applyMapping([{ field: "holds", source }], fillAbsent(known), meter);
    const holds = mapped.kind === "mapped" ? mapped.fields["holds"] : undefined;
    if (typeof holds === "boolean") return succeed(holds);
    const failure = mapped.kind === "failed" ? mapped.failure : "type-mismatch";
    const message = `${what}: the condition gives no boolean: ${failure}`;
    return fail("MAPPING_FAILED", message, { expression: text, failure });
  });
}

function fillAbsent({ known, absent }: Pick<Known, "known" | "absent">): JsonObject {
  if (absent.length === 0) return known;
  return { ...Object.fromEntries(absent.map((name) => [name, null])), ...known };
}

function leadsNowhere(source: CheckedSource, known: JsonObject): boolean {
  if (source.kind !== "path") return false;
  const [root, second] = source.segments;
  if (!isThere(known, root)) return true;
  // A state that was never in force gave nothing.
  return root === "states" && second !== undefined && !isThere(known["states"], second);
}

function isThere(value: JsonValue | undefined, segment: PathSegment | undefined): boolean {
  if (segment === undefined) return true;
  return typeof value === "object" && value !== null && Object.hasOwn(value, segment);
}

/** The place with more that is known in it. Names in `without` stand for nothing there. */
export function withKnown(
  place: NodePlace,
  more: JsonObject,
  without: readonly string[] = [],
): NodePlace {
  const known: Record<string, JsonValue> = { ...place.known, ...more };
  for (const name of without) delete known[name];
  const given = new Set(Object.keys(more));
  const absent = [...new Set([...place.absent, ...without])].filter((name) => !given.has(name));
  return { ...place, known, absent };
}
