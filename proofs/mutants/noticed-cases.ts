/**
 * The conformance cases that notice each mutant: data, one file for each profile. `npm run mutants
 * -- --write` makes it of a run, and a change of it is reviewed as a diff.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { Profile } from "@turnseal/conformance";

/** Cases by the name of the mutant. */
export type NoticedCases = ReadonlyMap<string, readonly string[]>;

/** The width at which the formatter breaks a list. */
const COLUMNS_MAX = 100;

const fileOf = (profile: Profile) => new URL(`cases/${profile}.json`, import.meta.url);

export function readNoticed(profile: Profile): NoticedCases {
  const noticed: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync(fileOf(profile), "utf8"),
  );
  return new Map(Object.entries(noticed));
}

export function writeNoticed(profile: Profile, noticed: NoticedCases): void {
  writeFileSync(fileOf(profile), renderNoticed(noticed));
}

/** Mutants and cases in the order of their names, as the formatter writes them. */
export function renderNoticed(noticed: NoticedCases): string {
  const lines = [...noticed.keys()].sort().map((name) => {
    const key = `  ${JSON.stringify(name)}: `;
    const cases = [...(noticed.get(name) ?? [])].sort().map((each) => JSON.stringify(each));
    const short = `${key}[${cases.join(", ")}]`;
    return short.length < COLUMNS_MAX ? short : `${key}[\n    ${cases.join(",\n    ")}\n  ]`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}
