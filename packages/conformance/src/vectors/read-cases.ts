import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ShapeError } from "../shape.ts";
import { type ConformanceCase, parseConformanceCase } from "./conformance-case.ts";

/** What a program can be tested for. */
export const PROFILES = ["lsem"] as const;
export type Profile = (typeof PROFILES)[number];

// In the repository the vectors belong to the specification, and win over a copy that packing may
// have left behind. In the published package they lie beside `dist`.
const packed = new URL("../../vectors/", import.meta.url);
const specified = new URL("../../../../spec/vectors/", import.meta.url);

/** Every case of a profile, in the order of the files' names and of the cases in them. */
export function readCases(profile: Profile): ConformanceCase[] {
  const folder = new URL(`${profile}/`, existsSync(specified) ? specified : packed);
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const cases = files.sort().flatMap((name) => parseFile(name, new URL(name, folder)));
  const names = new Set<string>();
  for (const { name } of cases) {
    if (names.has(name)) throw new ShapeError(name, "the name of one case only");
    names.add(name);
  }
  return cases;
}

function parseFile(name: string, file: URL): ConformanceCase[] {
  const content: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(content)) throw new ShapeError(name, "a list of cases");
  return content.map((item, index) => parseConformanceCase(item, `${name}[${index}]`));
}
