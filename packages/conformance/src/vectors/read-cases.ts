import { existsSync, readdirSync, readFileSync } from "node:fs";
import { ShapeError } from "../shape.ts";
import { type ConformanceCase, parseConformanceCase } from "./conformance-case.ts";
import {
  DATA_SOURCES,
  type DataSource,
  GOVERNED_SOURCES,
  GRAPH_SOURCES,
  SESSION_SOURCES,
  toDataCase,
} from "./data-cases.ts";
import { parseStepCase, type StepCase } from "./step-case.ts";

/** The profiles that a program can be tested for. */
export const PROFILES = ["lsem", "log", "governed", "session", "context", "flow", "graph"] as const;
export type Profile = (typeof PROFILES)[number];

// In the repository the vectors belong to the specification, and win over a copy that packing may
// have left behind. In the published package they lie beside `dist`.
const root = findRoot(new URL(".", import.meta.url));
const packed = new URL("vectors/", root);
const specified = new URL("../../spec/vectors/", root);
const vectors = existsSync(specified) ? specified : packed;

/** The folder of this package, from its source as from a bundled file of its build. */
function findRoot(folder: URL): URL {
  return existsSync(new URL("package.json", folder)) ? folder : findRoot(new URL("..", folder));
}

/** Every case of a profile, in the order of the files' names and of the cases in them. */
export function readCases(profile: Profile): readonly (ConformanceCase | StepCase)[] {
  switch (profile) {
    case "lsem":
      return readCallCases();
    case "log":
      return readStepCases();
    case "governed":
      return readGovernedCases();
    case "session":
      return readSessionCases();
    case "context":
      return readContextCases();
    case "flow":
      return readFlowCases();
    case "graph":
      return readGraphCases();
  }
}

/** The cases about calls. */
export function readCallCases(): ConformanceCase[] {
  return requireNames(readFolder("lsem", parseConformanceCase));
}

/** The cases about runs, and those about data that a run leaves behind. */
export function readStepCases(): StepCase[] {
  return requireNames([...readFolder("log-runs", parseStepCase), ...readData(DATA_SOURCES)]);
}

/** All cases about runs: a governed program also keeps a log. */
export function readGovernedCases(): StepCase[] {
  const own = [...readFolder("governed-runs", parseStepCase), ...readData(GOVERNED_SOURCES)];
  return requireNames([...readStepCases(), ...own]);
}

/** The cases about sessions: what watchers of a run see. */
export function readSessionCases(): StepCase[] {
  return requireNames([...readFolder("session-runs", parseStepCase), ...readData(SESSION_SOURCES)]);
}

/** The cases about earlier messages that a model gets again. */
export function readContextCases(): StepCase[] {
  return requireNames(readFolder("context-runs", parseStepCase));
}

/** The cases about nodes that stand inside each other. */
export function readFlowCases(): StepCase[] {
  return requireNames(readFolder("flow-runs", parseStepCase));
}

/** The cases about plans, tables and graphs: executed ones, and data. */
export function readGraphCases(): StepCase[] {
  return requireNames([...readFolder("graph-runs", parseStepCase), ...readData(GRAPH_SOURCES)]);
}

function readData(sources: readonly DataSource[]): StepCase[] {
  const cases = sources.flatMap((source) =>
    source.files.flatMap((file) =>
      readFile(file, (value, where) => toDataCase(value, source, where)),
    ),
  );
  return numberRepeated(cases);
}

/** Descriptions are sentences, and two may be alike: the second gets its number. */
function numberRepeated(cases: readonly StepCase[]): StepCase[] {
  const counts = new Map<string, number>();
  return cases.map((item) => {
    const count = (counts.get(item.name) ?? 0) + 1;
    counts.set(item.name, count);
    return count === 1 ? item : { ...item, name: `${item.name}-${count}` };
  });
}

type ParseCase<Case> = (value: unknown, where: string) => Case;

function readFolder<Case>(folder: string, parse: ParseCase<Case>): Case[] {
  const files = readdirSync(new URL(`${folder}/`, vectors)).filter((name) =>
    name.endsWith(".json"),
  );
  return files.sort().flatMap((name) => readFile(`${folder}/${name}`, parse));
}

function readFile<Case>(path: string, parse: ParseCase<Case>): Case[] {
  const content: unknown = JSON.parse(readFileSync(new URL(path, vectors), "utf8"));
  if (!Array.isArray(content)) throw new ShapeError(path, "a list of cases");
  return content.map((item, index) => parse(item, `${path}[${index}]`));
}

function requireNames<Case extends { readonly name: string }>(cases: Case[]): Case[] {
  const names = new Set<string>();
  for (const { name } of cases) {
    if (names.has(name)) throw new ShapeError(name, "the name of one case only");
    names.add(name);
  }
  return cases;
}
