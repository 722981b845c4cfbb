import { existsSync } from "node:fs";
import { relative } from "node:path";
import { readOrigin } from "../folder/origins/origin.ts";
import { type ReadRules, type RuleFiles, readRules } from "../project/read-rules.ts";

/**
 * Reads the rules of today for a run: from the files that the command line names, or else from the
 * files of its start that still exist. The rules of its start hold in both cases; today's can only
 * deny.
 */
export async function readRulesOfToday(
  folder: string,
  run: string,
  { policy, shadow }: RuleFiles,
): Promise<ReadRules> {
  const origin = await readOrigin(folder, run);
  const noted = [origin?.policy, origin?.shadow].map((file) =>
    file === undefined ? undefined : relative(process.cwd(), file),
  );
  const gone = noted.filter((file) => file !== undefined && !existsSync(file)) as string[];
  const pick = (named: string | undefined, before: string | undefined): string | undefined =>
    named ?? (before === undefined || gone.includes(before) ? undefined : before);
  const files = { policy: pick(policy, noted[0]), shadow: pick(shadow, noted[1]) };
  const read = await readRules({
    ...(files.policy === undefined ? {} : { policy: files.policy }),
    ...(files.shadow === undefined ? {} : { shadow: files.shadow }),
  });
  return read.kind === "read" ? { ...read, gone } : read;
}
