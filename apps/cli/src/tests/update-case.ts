/** Writes into a harness file what came of it, in place of what it expected. */
import { readFile, writeFile } from "node:fs/promises";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { type CaseResult, readHarness, runCase } from "@turnseal/testing";

/** Fields that hold a value of the run's own: they are taken whole. */
const wholeFields: ReadonlySet<string> = new Set(["output", "request"]);

/**
 * What the file expects, as the case is now, and the case run again. What it leaves open stays
 * open. Undefined for a file that cannot be written again as it was: TOML has comments.
 */
export async function updateCase({ file, actual }: CaseResult): Promise<CaseResult | undefined> {
  if (!file.endsWith(".json")) return undefined;
  const harness: unknown = JSON.parse(await readFile(file, "utf8"));
  if (!isPlainObject(harness) || !isPlainObject(harness["expect"])) return undefined;
  const expected = adopt(harness["expect"] as JsonValue, actual);
  await writeFile(file, `${JSON.stringify({ ...harness, expect: expected }, null, 2)}\n`);
  const read = await readHarness(file);
  return read.kind === "read" ? runCase(read) : undefined;
}

/** What is named stays named, with the value that it has now. */
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
