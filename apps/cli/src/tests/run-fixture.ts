import { dirname, relative, resolve } from "node:path";
import { listReachable } from "@turnseal/runtime/project";
import { line, renderNext, shortId, type Terminal, toned } from "@turnseal/terminal";
import { renderDifferences } from "@turnseal/terminal/loops";
import {
  FixtureError,
  type FixtureSource,
  type Harness,
  makeFixture,
  readHarness,
  redactFixture,
  runCase,
} from "@turnseal/testing";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { openCommand } from "../open-command.ts";
import { accept } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { writeNewFile } from "../terminal/write-new-file.ts";
import { type NamedRun, type StoreOptions, withRun } from "../with-run.ts";

export interface FixtureOptions extends StoreOptions {
  readonly out?: string;
  readonly redact?: readonly string[];
  readonly from?: readonly string[];
}

/** `turnseal fixture`: a run as a harness file, and whether that passes. */
export function runFixture(
  name: string,
  options: FixtureOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withRun(name, options, async (named) => {
    const { run } = named.known;
    const id = shortId(run);
    const { target } = await openCommand("fixture", named, { options, surroundings });
    const file = options.out ?? `run-${id}.harness.json`;
    const folder = resolve(dirname(file));
    const from = target.paths.map((path) => relative(folder, resolve(path)) || ".");
    const source = { from, loops: listReachable(target) };
    const next = `turnseal show ${id} --content`;
    const made = accept(await makeRedacted(named, source, options.redact ?? []), { next });
    const text = `${JSON.stringify(made.harness, null, 2)}\n`;
    await writeNewFile(file, text, `turnseal fixture ${id} --out <another file>.harness.json`);
    return tryFixture(file, terminal);
  });
}

type Made =
  | { readonly kind: "redacted"; readonly harness: Harness }
  | { readonly kind: "unusable"; readonly message: string };

async function makeRedacted(
  { known: { run }, folder: { stores } }: NamedRun,
  source: Pick<FixtureSource, "from" | "loops">,
  pointers: readonly string[],
): Promise<Made> {
  try {
    return redactFixture(await makeFixture({ run, stores, ...source }), pointers);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { kind: "unusable", message: `no test can be made of the run: ${error.message}` };
  }
}

/** A fixture is of use when it passes: that is tried at once. */
async function tryFixture(file: string, { out }: Terminal): Promise<ExitCode> {
  const read = accept(await readHarness(file));
  const { differences } = await runCase(read);
  const isPassed = differences.length === 0;
  const mark = isPassed ? toned("good", "✓ ") : toned("bad", "✗ ");
  out.writeLine(
    line(mark, `${file}, ${isPassed ? "and it passes offline" : "which does not pass"}`),
  );
  renderDifferences(differences).forEach(out.writeLine);
  const next = isPassed ? `turnseal test ${file}` : `look at ${file}; what differs is above`;
  out.writeLine(renderNext(next));
  return isPassed ? EXIT_CODES.done : EXIT_CODES.failed;
}
