/** Checks a workflow file against its tables, and says what is wrong with each key. */
import {
  FLOW_NODES_MAX,
  findNearest,
  formatPointer,
  isPlainObject,
  type Problem,
} from "@turnseal/protocol";
import type { Shape, TableName } from "./shape.ts";
import { TABLES } from "./tables.ts";

/** The most problems that are reported for one file: fixing them shows the others. */
export const SLIPS_MAX = 100;

/**
 * Every key that is unknown, missing or of another type; of a file with more steps and states
 * than a flow may have, only this.
 */
export function checkTables(document: unknown): Problem[] {
  const checking: Checking = { problems: [], nodes: 0, limit: undefined };
  checkTable(document, "document", { path: "", checking, problems: checking.problems });
  return checking.limit === undefined ? checking.problems : [checking.limit];
}

interface Checking {
  readonly problems: Problem[];
  /** Steps and states so far. */
  nodes: number;
  limit: Problem | undefined;
}

interface Place {
  readonly path: string;
  readonly checking: Checking;
  readonly problems: Problem[];
}

function below({ path, ...place }: Place, key: string | number): Place {
  return { path: `${path}${formatPointer([key])}`, ...place };
}

/** True if the check can end. */
function isOver({ checking: { problems, limit } }: Place): boolean {
  return limit !== undefined || problems.length >= SLIPS_MAX;
}

function refuseMany({ path, checking }: Place, what: string): void {
  checking.limit = {
    rule: "flow-limit",
    path,
    message: `more than ${FLOW_NODES_MAX} ${what}`,
    mend: "split the workflow into several files",
  };
}

function checkTable(value: unknown, name: TableName, place: Place): void {
  if (!isPlainObject(value)) {
    refuse(place, describe({ kind: "table", name }));
    return;
  }
  if (name === "step" || name === "state") place.checking.nodes += 1;
  if (place.checking.nodes > FLOW_NODES_MAX) {
    refuseMany(place, "steps and states in one file");
    return;
  }
  const keys = TABLES[name];
  for (const [key, item] of Object.entries(value)) {
    if (isOver(place)) return;
    const known = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (known === undefined) refuseKey(key, name, place);
    else checkShape(item, known.shape, below(place, key));
  }
  for (const [key, { isRequired, says }] of Object.entries(keys))
    if (isRequired && !Object.hasOwn(value, key))
      place.problems.push({
        rule: "field-missing",
        path: place.path,
        message: `\`${key}\` is missing: ${says}`,
        mend: `add ${key} = …`,
      });
}

function refuseKey(key: string, name: TableName, place: Place): void {
  const known = Object.keys(TABLES[name]);
  const nearest = findNearest(key, known);
  place.problems.push({
    rule: "field-unknown",
    path: below(place, key).path,
    message: `\`${key}\` is not a key of ${name}`,
    mend: nearest === undefined ? `known here: ${known.join(", ")}` : `write ${nearest}`,
  });
}

function checkShape(value: unknown, written: Shape, place: Place): void {
  const shape = pickShape(value, written);
  if (shape === undefined) {
    refuse(place, describe(written));
    return;
  }
  if (shape.kind === "table") checkTable(value, shape.name, place);
  if (shape.kind === "list" || shape.kind === "map") checkEntries(value as object, shape.of, place);
  if (shape.kind === "choice" && !shape.of.includes(String(value)))
    refuseChoice(String(value), shape.of, place);
  if ((shape.kind === "count" || shape.kind === "seconds") && !isWithin(Number(value), shape))
    refuse(place, describe(shape));
  if (shape.kind === "text" && value === "") refuseEmpty(place);
}

function checkEntries(value: object, shape: Shape, place: Place): void {
  const keys = Object.keys(value);
  if (keys.length > FLOW_NODES_MAX) {
    refuseMany(place, "entries in one list or table");
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (isOver(place)) return;
    checkShape(item, shape, below(place, key));
  }
}

/** The shape whose type a value has. */
function pickShape(value: unknown, shape: Shape): Exclude<Shape, { kind: "either" }> | undefined {
  if (shape.kind !== "either") return isOfType(value, shape) ? shape : undefined;
  for (const one of shape.of) {
    const picked = pickShape(value, one);
    if (picked !== undefined) return picked;
  }
  return undefined;
}

function isOfType(value: unknown, shape: Exclude<Shape, { kind: "either" }>): boolean {
  switch (shape.kind) {
    case "text":
    case "choice":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "count":
      return Number.isInteger(value);
    case "seconds":
      return typeof value === "number";
    case "list":
      return Array.isArray(value);
    case "map":
    case "table":
      return isPlainObject(value);
    case "value":
      return true;
  }
}

function isWithin(value: number, shape: Extract<Shape, { readonly max: number }>): boolean {
  return value >= (shape.kind === "count" ? shape.min : 0) && value <= shape.max;
}

function refuse({ path, problems }: Place, wanted: string): void {
  const message = `${path.slice(1) || "a workflow file"} must be ${wanted}`;
  problems.push({ rule: "field-type", path, message, mend: `write ${wanted}` });
}

function refuseEmpty({ path, problems }: Place): void {
  const message = "the text is empty";
  problems.push({ rule: "field-empty", path, message, mend: "write one, or remove the key" });
}

function refuseChoice(value: string, known: readonly string[], place: Place): void {
  const nearest = findNearest(value, known);
  place.problems.push({
    rule: "field-type",
    path: place.path,
    message: `\`${value}\` is not known here; there are ${known.join(", ")}`,
    mend: `write ${nearest ?? known.join(" or ")}`,
  });
}

function describe(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "a text";
    case "flag":
      return "true or false";
    case "count":
      return `a whole number from ${shape.min} to ${shape.max}`;
    case "seconds":
      return `seconds, from 0 to ${shape.max}`;
    case "choice":
      return `one of ${shape.of.join(", ")}`;
    case "list":
      return shape.of.kind === "table" ? `a list of tables` : "a list";
    case "map":
    case "table":
      return "a table";
    case "either":
      return shape.of.map(describe).join(", or ");
    case "value":
      return "a value";
  }
}
