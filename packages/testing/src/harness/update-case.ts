/** Writes the result of a case into its file as the new expectation. */
import { readFile, writeFile } from "node:fs/promises";
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { listReachable } from "@turnseal/runtime/project";
import { wholeFields } from "./difference.ts";
import type { Harness } from "./harness.ts";
import { harnessShape } from "./harness-shape.ts";
import { readHarness } from "./read-harness.ts";
import { type CaseResult, runCase } from "./run-case.ts";

/**
 * Updates the file's expectation to the current result, and runs the case again. Fields that it
 * leaves out stay out. Undefined for a file that cannot be written again as it was: TOML has
 * comments, and a case without a run has nothing to expect. Such a file is left as it is.
 */
export async function updateCase({ file, actual }: CaseResult): Promise<CaseResult | undefined> {
  if (!file.endsWith(".json")) return undefined;
  const harness: unknown = JSON.parse(await readFile(file, "utf8"));
  if (!isPlainObject(harness) || !isPlainObject(harness["expect"])) return undefined;
  const expected = adoptRun(harness["expect"] as JsonObject, actual);
  const updated = { ...harness, ...(await readDocuments(file)), expect: expected };
  if (harnessShape(updated, "").length > 0) return undefined;
  await writeFile(file, `${JSON.stringify(updated, null, 2)}\n`);
  const read = await readHarness(file);
  return read.kind === "read" ? runCase(read) : undefined;
}

/** The loops as they are now, where the file keeps their documents. */
async function readDocuments(file: string): Promise<Pick<Harness, "loops">> {
  const read = await readHarness(file);
  if (read.kind === "refused" || read.harness.loops === undefined) return {};
  const names = new Set(read.harness.loops.map(({ id }) => id));
  const loops = listReachable(read.target).filter(({ definition }) => names.has(definition.id));
  return { loops: loops.map(({ definition }) => definition) };
}

/** A run that was expected to stop may wait now, or the other way round: its end is taken whole. */
function adoptRun(
  { stopped: _, waiting: __, handoffs, ...named }: JsonObject,
  { stopped, waiting, ...actual }: JsonObject,
): JsonObject {
  const below = Array.isArray(actual["handoffs"]) ? actual["handoffs"] : [];
  const expected = Array.isArray(handoffs) ? handoffs : [];
  const runs = below.map((run, index) => adoptRun(toObject(expected[index]), toObject(run)));
  return {
    ...(stopped === undefined ? {} : { stopped }),
    ...(waiting === undefined ? {} : { waiting }),
    ...(adopt(named, actual) as JsonObject),
    ...(handoffs === undefined || runs.length === 0 ? {} : { handoffs: runs }),
  };
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isPlainObject(value) ? (value as JsonObject) : {};
}

/** Named fields stay, with their current values. */
function adopt(expected: JsonValue, actual: JsonValue): JsonValue {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((item, index) =>
      expected[index] === undefined ? item : adopt(expected[index], item),
    );
  if (!isPlainObject(expected) || !isPlainObject(actual)) return actual;
  const named = Object.keys(expected).filter((name) => Object.hasOwn(actual, name));
  return Object.fromEntries(
    named.map((name) => {
      const [before, now] = [expected[name] as JsonValue, actual[name] as JsonValue];
      return [name, wholeFields.has(name) ? now : adopt(before, now)];
    }),
  );
}
