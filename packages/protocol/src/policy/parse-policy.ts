/**
 * Reads a policy by everything but the meaning of its conditions, which need the kernel.
 *
 * 1. Every problem is reported, up to a limit, and names the rule that it is in. It never throws.
 * 2. A field that is not known is refused: a rule with a misspelt condition would be one without.
 * 3. The policy in the answer is a copy: what was checked cannot be changed afterwards.
 */

import { isPlainObject } from "../canonical-json.ts";
import { isPlainText } from "../plain-text.ts";
import { formatPointer } from "../pointer.ts";
import { POLICY_NAME_LENGTH_MAX, POLICY_RULES_MAX, type Policy, type Rule } from "./policy.ts";
import {
  POLICY_PROBLEMS_MAX,
  type PolicyProblem,
  type PolicyProblemRule,
} from "./policy-problem.ts";
import { ASK_FIELDS, type FieldFault, findFault, RULE_FIELDS } from "./rule-fields.ts";

export type ParsedPolicy =
  | { readonly kind: "parsed"; readonly policy: Policy }
  | { readonly kind: "refused"; readonly problems: readonly PolicyProblem[] };

/** Reads a policy from outside, or answers everything that is wrong with it. */
export function parsePolicy(value: unknown): ParsedPolicy {
  const problems: PolicyProblem[] = [];
  if (isPlainObject(value)) checkPolicy(value, problems);
  else report(problems, "document-object", "", "a policy is an object", "write `name` and `rules`");
  if (problems.length > 0) {
    return { kind: "refused", problems: problems.slice(0, POLICY_PROBLEMS_MAX) };
  }
  return { kind: "parsed", policy: structuredClone(value) as Policy };
}

type Fields = Readonly<Record<string, unknown>>;

function checkPolicy({ name, rules, ...unknown }: Fields, problems: PolicyProblem[]): void {
  checkName(name, problems);
  if (rules === undefined) {
    report(problems, "field-missing", "", "the policy has no `rules`", "add `rules`, a list");
  } else if (!Array.isArray(rules)) {
    report(problems, "field-type", "/rules", "`rules` is not a list", "write a list of rules");
  } else if (rules.length > POLICY_RULES_MAX) {
    const message = `the policy has ${rules.length} rules`;
    report(problems, "rules-limit", "/rules", message, `write at most ${POLICY_RULES_MAX}`);
  } else checkRules(rules, problems);
  reportUnknown(Object.keys(unknown), { path: "", what: "a policy" }, problems);
}

function checkName(name: unknown, problems: PolicyProblem[]): void {
  const mend = `write a text of at most ${POLICY_NAME_LENGTH_MAX} characters`;
  if (name === undefined) {
    report(problems, "field-missing", "", "the policy has no `name`", "add `name`");
  } else if (name === "") report(problems, "field-empty", "/name", "`name` is empty", mend);
  else if (!isPlainText(name, POLICY_NAME_LENGTH_MAX)) {
    report(problems, "field-type", "/name", "`name` is no plain text, or too long", mend);
  }
}

function checkRules(rules: readonly unknown[], problems: PolicyProblem[]): void {
  const ids = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= POLICY_PROBLEMS_MAX) return;
    const path = `/rules/${index}`;
    if (!isPlainObject(rule)) {
      report(
        problems,
        "field-type",
        path,
        `rule ${index + 1} is not an object`,
        "write `id`, `decision`",
      );
      continue;
    }
    const label = nameRule(rule["id"], index);
    checkRule(rule, { path, label }, problems);
    const { id } = rule;
    if (typeof id !== "string") continue;
    if (ids.has(id)) {
      const message = `${label} has the id of an earlier rule`;
      report(problems, "rule-repeated", `${path}/id`, message, "give each rule an id of its own");
    }
    ids.add(id);
  }
}

/** Where a rule stands, and how messages name it. */
interface Place {
  readonly path: string;
  readonly label: string;
}

/** The name of a rule in messages: its id, if that can be shown, or its place. */
export function nameRule(id: unknown, index: number): string {
  return findFault(id, RULE_FIELDS.id) === undefined
    ? `rule \`${String(id)}\``
    : `rule ${index + 1}`;
}

function checkRule(rule: Fields, { path, label }: Place, problems: PolicyProblem[]): void {
  const unknown: string[] = [];
  for (const name of ["id", "decision"] as const) {
    if (rule[name] !== undefined) continue;
    report(problems, "field-missing", path, `${label} has no \`${name}\``, `add \`${name}\``);
  }
  for (const [name, value] of Object.entries(rule)) {
    const field = Object.hasOwn(RULE_FIELDS, name) ? RULE_FIELDS[name as keyof Rule] : undefined;
    if (field === undefined) unknown.push(name);
    else if (value !== undefined) {
      const fault = findFault(value, field);
      if (fault !== undefined)
        reportFault({ path: `${path}/${name}`, label }, name, fault, problems);
    }
  }
  checkPlace(rule, { path, label }, problems);
  reportUnknown(unknown, { path, what: label }, problems);
}

// A rule that denies and names a number of approvers is a mistake.
function checkPlace(rule: Fields, { path, label }: Place, problems: PolicyProblem[]): void {
  if (rule["mayStand"] !== undefined && Number(rule["approvers"] ?? 1) > 1) {
    const message = `${label} asks more than one person, and has \`mayStand\``;
    const mend = "remove `mayStand`, or ask one person";
    report(problems, "field-misplaced", `${path}/mayStand`, message, mend);
  }
  if (rule["decision"] !== "allow" && rule["decision"] !== "deny") return;
  for (const name of ASK_FIELDS) {
    if (rule[name] === undefined) continue;
    const message = `${label} does not ask, and has \`${name}\``;
    const mend = `remove \`${name}\`, or write \`decision\` as \`ask\``;
    report(problems, "field-misplaced", `${path}/${name}`, message, mend);
  }
}

function reportFault(
  place: Place,
  name: string,
  fault: FieldFault,
  problems: PolicyProblem[],
): void {
  const { path, label } = place;
  const state = fault.rule === "field-empty" ? "is empty" : "is wrong";
  const message = `\`${name}\` of ${label} ${state}`;
  report(problems, fault.rule, path + (fault.below ?? ""), message, `write ${fault.wanted}`);
}

/** Characters of an unknown name that a message repeats. */
const SHOWN_NAME_LENGTH = 64;

function reportUnknown(
  names: readonly string[],
  { path, what }: { readonly path: string; readonly what: string },
  problems: PolicyProblem[],
): void {
  for (const name of names) {
    if (problems.length >= POLICY_PROBLEMS_MAX) return;
    const shown = name.slice(0, SHOWN_NAME_LENGTH).toWellFormed();
    const pointer = `${path}${formatPointer([name])}`;
    const message = `\`${shown}\` is not a field of ${what}`;
    report(problems, "field-unknown", pointer, message, "remove it, or fix its name");
  }
}

function report(
  problems: PolicyProblem[],
  rule: PolicyProblemRule,
  path: string,
  message: string,
  mend: string,
): void {
  problems.push({ rule, path, message, mend });
}
