/**
 * The grant of a run, from a file or from the command line. Without either the run may execute no
 * tool.
 */

import { parseJsonText, readText } from "@turnseal/documents";
import { BUDGET_UNITS, type Grant, isUnit, parseGrant } from "@turnseal/protocol";
import { readPerson } from "../../terminal/read-person.ts";

export interface GrantOptions {
  readonly grant?: string;
  readonly allow?: string;
  readonly budget?: string;
  readonly expires?: string;
}

export type ReadGrant =
  | { readonly kind: "read"; readonly grant: Grant }
  | { readonly kind: "unusable"; readonly message: string };

/** Reads the grant that the command line gives. */
export async function readGrantOptions(options: GrantOptions): Promise<ReadGrant> {
  const { grant, allow, budget, expires } = options;
  if (grant === undefined) return readFlags(options);
  const isMixed = [allow, budget, expires].some((flag) => flag !== undefined);
  if (isMixed) return unusable("--grant excludes --allow, --budget and --expires");
  return readGrantFile(grant);
}

async function readGrantFile(file: string): Promise<ReadGrant> {
  const read = await readText(file);
  if (read.kind === "refused") return unusable(`${file}: ${read.message}`);
  const parsed = parseJsonText(read.text);
  if (parsed.kind === "refused") {
    const { line, column } = parsed.position;
    return unusable(`${file}:${line}:${column} is not JSON: ${parsed.problem.message}`);
  }
  return checkGrant(parsed.value, file);
}

function readFlags({ allow, budget, expires }: Omit<GrantOptions, "grant">): ReadGrant {
  const amounts: Record<string, number> = {};
  for (const part of splitList(budget)) {
    const [unit = "", amount = ""] = part.split("=");
    if (!isUnit(unit))
      return unusable(
        `--budget ${part}: the units are ${BUDGET_UNITS.join(", ")}, or one of your own with a dot`,
      );
    if (!/^\d{1,15}$/.test(amount)) return unusable(`--budget ${part}: write it as ${unit}=100`);
    amounts[unit] = Number(amount);
  }
  const bare = splitList(allow).find((name) => /^[\w-]+$/.test(name));
  if (bare !== undefined)
    return unusable(`--allow ${bare}: a tool is named with its namespace; write local.${bare}`);
  const grant = { grantor: readPerson(), tools: splitList(allow), budget: amounts };
  return checkGrant(expires === undefined ? grant : { ...grant, expiresAt: expires }, "the grant");
}

function splitList(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function checkGrant(value: unknown, origin: string): ReadGrant {
  const grant = parseGrant(value);
  return "problem" in grant ? unusable(`${origin}: ${grant.problem}`) : { kind: "read", grant };
}

function unusable(message: string): ReadGrant {
  return { kind: "unusable", message };
}
