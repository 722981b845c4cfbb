/** One case: a harness file, run from its start to what it expects. */

import { digestOf, isLoopError, type JsonObject } from "@turnseal/protocol";
import { listLoops } from "@turnseal/runtime/project";
import { compareLoops } from "@turnseal/views";
import { compareRun } from "./compare-run.ts";
import { describeRun } from "./describe-run.ts";
import { compareNamed, type Difference } from "./difference.ts";
import { driveCase } from "./drive-case.ts";
import type { Expectation } from "./harness.ts";
import { openWorld, type World, type WorldParts } from "./open-world.ts";
import type { HarnessCase } from "./read-harness.ts";

export interface CaseResult {
  readonly file: string;
  readonly name: string;
  /** The run, unless it could not be started. */
  readonly run?: string;
  readonly stores: World["stores"];
  /** The result, in the words of an expectation. */
  readonly actual: JsonObject;
  readonly differences: readonly Difference[];
}

/** How long one case may take, in real time: a function of the operator's may hang. */
export const CASE_MS_MAX = 60_000;

/** Runs a case. Every error in it becomes a difference; */
export async function runCase(read: HarnessCase): Promise<CaseResult> {
  const { file, harness } = read;
  const world = openWorld(toParts(read));
  const about = { file, name: harness.name, stores: world.stores };
  try {
    const { run, refused, differences: unsaid } = await withinTime(driveCase(read, world));
    const actual: JsonObject = {
      ...(await describeRun(run, world.stores)),
      refused: [...refused],
    };
    const found = [
      ...unsaid,
      ...world.differences(),
      ...compareExpectation(harness.expect, actual),
      ...world.folders.compare(harness.expect.files ?? {}),
    ];
    const differences = found.map((difference) => explainDigest(difference, read));
    return { ...about, run, actual, differences };
  } catch (error) {
    const said = isLoopError(error) ? `${error.code}: ${error.message}` : String(error);
    const unexpected = { path: "", expected: "a run", actual: said };
    return { ...about, actual: {}, differences: [unexpected] };
  } finally {
    world.folders.remove();
  }
}

/** Explains a changed digest: lists the changes in the loop's document. */
function explainDigest(difference: Difference, { harness, target }: HarnessCase): Difference {
  const { path, expected, actual } = difference;
  if (!path.endsWith("/digest")) return difference;
  const now = target.loaded.registry.list().find(({ digest }) => digest === actual)?.definition;
  if (now === undefined) return difference;
  const before = harness.loops?.find((document) => digestOf(document) === expected);
  const changes = before === undefined ? {} : { changes: compareLoops(before, now) };
  return { ...difference, loop: `${now.id} ${now.version}`, ...changes };
}

function toParts({ harness, target: { loaded, id, version } }: HarnessCase): WorldParts {
  const definition = loaded.registry.resolve(id, version)?.definition;
  if (definition === undefined) throw new TypeError("a case is read with its loop");
  return { script: harness, loops: listLoops({ loaded }), loop: { definition } };
}

/** Compares the result with the expectation. */
export function compareExpectation(
  { refused = [], files: _, ...expected }: Expectation,
  actual: JsonObject,
): Difference[] {
  return [
    ...compareRun(expected, actual, "/expect"),
    ...compareNamed([...refused], actual["refused"], "/expect/refused"),
  ];
}

async function withinTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `the case took longer than ${CASE_MS_MAX} ms`;
    timer = setTimeout(() => reject(new Error(message)), CASE_MS_MAX);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
