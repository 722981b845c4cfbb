/**
 * Cases that a policy is tried with: facts, and the decision that is expected. A case without
 * `rule` expects the default to decide; one without `failure` expects an answer of the condition.
 */

import {
  type Finding,
  listItems,
  type Position,
  type ReadTables,
  readTables,
} from "@turnseal/documents";
import {
  CONDITION_FAILURES,
  DECISION_KINDS,
  EFFECTS,
  isPlainObject,
  type PolicyFacts,
} from "@turnseal/protocol";
import { type Form, isOneOf } from "@turnseal/protocol/shape";

export interface PolicyCase {
  readonly name: string;
  readonly facts: PolicyFacts;
  readonly expected: {
    readonly decision: string;
    readonly rule?: string;
    readonly failure?: string;
  };
  readonly line: number;
}

export type ReadCases =
  | { readonly kind: "read"; readonly cases: readonly PolicyCase[] }
  | Exclude<ReadTables, { kind: "read" }>;

/** Cases of one file. */
export const POLICY_CASES_MAX = 1_000;

/** Reads a table of cases. */
export async function readPolicyCases(file: string): Promise<ReadCases> {
  const read = await readTables(file);
  if (read.kind !== "read") return read;
  const { value, locate } = read;
  const faults = findFaults(value);
  if (faults.length > 0) {
    const findings = faults.map(
      (fault): Finding => ({ ...fault, file, position: locate(fault.path) }),
    );
    return { kind: "refused", findings };
  }
  const cases = listItems(value, "cases").map((item, index) =>
    toCase(item as Fields, locate(`/cases/${index}`)),
  );
  return { kind: "read", cases };
}

type Fields = Readonly<Record<string, unknown>>;
type Fault = Pick<Finding, "rule" | "path" | "message" | "mend">;

interface CaseField extends Form {
  readonly isRequired?: true;
}

const text: CaseField = {
  wanted: "a text",
  accepts: (value) => typeof value === "string" && value !== "",
};
const table: CaseField = { wanted: "a table", accepts: isPlainObject };

const caseFields: Readonly<Record<string, CaseField>> = {
  name: { ...text, isRequired: true },
  tool: { ...text, isRequired: true },
  effect: { ...oneOf(EFFECTS), isRequired: true },
  decision: { ...oneOf(DECISION_KINDS), isRequired: true },
  rule: text,
  failure: oneOf(CONDITION_FAILURES),
  version: text,
  args: { wanted: "a value", accepts: () => true },
  grant: table,
  spend: table,
  needs: table,
  turn: { wanted: "a whole number", accepts: Number.isSafeInteger },
};

function oneOf(words: readonly string[]): CaseField {
  return { wanted: `one of ${words.join(", ")}`, accepts: isOneOf(words) };
}

function findFaults(value: unknown): Fault[] {
  const cases = listItems(value, "cases");
  if (!isPlainObject(value) || cases.length === 0) {
    return [fault("field-missing", "", "there are no `cases`", "write each case under [[cases]]")];
  }
  if (cases.length > POLICY_CASES_MAX) {
    const message = `there are ${cases.length} cases`;
    return [fault("field-type", "/cases", message, `write at most ${POLICY_CASES_MAX} in a file`)];
  }
  const { cases: _, ...unknown } = value;
  return [...findUnknown(unknown, "", "the file"), ...cases.flatMap(findCaseFaults)];
}

function findCaseFaults(item: unknown, index: number): Fault[] {
  const path = `/cases/${index}`;
  if (!isPlainObject(item))
    return [fault("field-type", path, "a case is a table", "write its fields")];
  const label =
    typeof item["name"] === "string" ? `case ${JSON.stringify(item["name"])}` : `case ${index + 1}`;
  const known = Object.entries(caseFields).flatMap(([name, { wanted, isRequired, accepts }]) => {
    const value = item[name];
    if (value === undefined) {
      if (!isRequired) return [];
      return [fault("field-missing", path, `${label} has no \`${name}\``, `add it: ${wanted}`)];
    }
    if (accepts(value)) return [];
    return [
      fault("field-type", `${path}/${name}`, `\`${name}\` of ${label} is wrong`, `write ${wanted}`),
    ];
  });
  const unknown = Object.fromEntries(
    Object.entries(item).filter(([name]) => !Object.hasOwn(caseFields, name)),
  );
  return [...known, ...findUnknown(unknown, path, label)];
}

function findUnknown(unknown: Fields, path: string, what: string): Fault[] {
  return Object.keys(unknown).map((name) =>
    fault("field-unknown", `${path}/${name}`, `\`${name}\` is not a field of ${what}`, "remove it"),
  );
}

function fault(rule: Fault["rule"], path: string, message: string, mend: string): Fault {
  return { rule, path, message, mend };
}

/** The run of the cases; conditions must not depend on its id. */
const CASE_RUN = "00000000-0000-4000-8000-000000000000";

function toCase(fields: Fields, { line }: Position): PolicyCase {
  const { name, tool, effect, decision, rule, failure, version, args, grant, spend, needs, turn } =
    fields as Readonly<Record<string, never>>;
  return {
    name: name ?? "",
    facts: {
      tool: { name: tool ?? "", version: version ?? "1.0.0", effect: effect ?? "once" },
      args: args ?? {},
      grant: grant ?? {},
      spend: spend ?? {},
      needs: needs ?? {},
      run: { id: CASE_RUN, turn: turn ?? 1 },
    },
    expected: {
      decision: decision ?? "",
      ...(rule === undefined ? {} : { rule }),
      ...(failure === undefined ? {} : { failure }),
    },
    line,
  };
}
