/** Reports a field that a schema does not allow. */
import { findNearest, NEAREST_LENGTH_MAX } from "@turnseal/protocol";
import { addFault, type Evaluation } from "./evaluation.ts";

/** Names beyond this are not compared, so that many slips in one value take no longer than one. */
const COMPARED_MAX = 64;

/**
 * The field is named by its place, like every other fault, with the probably intended name. A very
 * long name may be misplaced content, so it is not repeated.
 */
export function refuseField(name: string, known: readonly string[], evaluation: Evaluation): false {
  // Inside an alternative, faults are not collected.
  if (evaluation.faults === undefined) return false;
  if (name.length > NEAREST_LENGTH_MAX)
    return addFault(evaluation, "has a field that is not allowed, with a very long name");
  const nearest = findNearest(name, known.slice(0, COMPARED_MAX));
  const meant = nearest === undefined ? "" : `: did you mean "${nearest}"?`;
  return addFault(evaluation, `is a field that is not allowed${meant}`, name);
}
