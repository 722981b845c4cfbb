import type { JsonObject } from "@turnseal/protocol";
import type { Meter } from "../bounded/meter.ts";
import { applyMapping, type CheckedMapping } from "../definition/checked-mapping.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";

/** Builds an object by a mapping, or says which of its fields has no source. */
export function mapFields(
  mapping: CheckedMapping,
  known: JsonObject,
  what: string,
  meter?: Meter,
): Outcome<JsonObject> {
  const mapped = applyMapping(mapping, known, meter);
  if (mapped.kind === "mapped") return succeed(mapped.fields);
  if (mapped.kind === "failed") {
    const { field, expression, failure } = mapped;
    const message = `${what}: the expression of \`${field}\` gives no value: ${failure}`;
    return fail("MAPPING_FAILED", message, { expression, failure });
  }
  const { path, reason } = mapped;
  return fail("MAPPING_FAILED", `${what}: ${path} cannot be followed: ${reason}`, { path });
}
