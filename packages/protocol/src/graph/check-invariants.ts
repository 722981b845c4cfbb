/**
 * Holds a document against invariants. The document has its objects under their scopes: `context`,
 * `plan`, `trace`, `event` and so on.
 *
 * A path that leads nowhere is a violation, unless the invariant is optional. An unreadable
 * invariant is an error and no violation: its verdict is unknown.
 */
import type { JsonValue } from "../canonical-json.ts";
import { type Judgement, parseRule, readField, type Surroundings } from "./rule.ts";

export interface Invariant {
  readonly id: string;
  readonly scope: string;
  /** Names with dots between them; `[*]` after a name stands for every item of the list. */
  readonly path: string;
  readonly rule: string;
  /** It says nothing of what is not there. */
  readonly optional?: true;
}

/** The broken rule, and its place. */
export interface Violation {
  readonly id: string;
  readonly at: string;
}

export type CheckedInvariants =
  | { readonly kind: "checked"; readonly violations: readonly Violation[] }
  | { readonly kind: "unreadable"; readonly id: string; readonly problem: string };

const segmentPattern = /^([A-Za-z_]\w*)(\[\*\])?$/;

export function checkInvariants(
  invariants: readonly Invariant[],
  document: JsonValue,
): CheckedInvariants {
  const violations: Violation[] = [];
  for (const invariant of invariants) {
    const { id, path, rule, optional = false } = invariant;
    const parsed = parseRule(rule);
    if (parsed.kind === "refused") return { kind: "unreadable", id, problem: parsed.problem };
    const names = path.split(".");
    if (!names.every((name) => segmentPattern.test(name)))
      return { kind: "unreadable", id, problem: `${path} is no path` };
    for (const found of findValues(invariant, names, document)) {
      if (!isKept(found, parsed.judge, optional)) violations.push({ id, at: found.at });
    }
  }
  return { kind: "checked", violations };
}

interface Found {
  readonly at: string;
  readonly value: JsonValue | undefined;
  readonly around: Surroundings;
}

function isKept({ value, around }: Found, judge: Judgement, isOptional: boolean): boolean {
  return (value === undefined && isOptional) || judge(value, around) !== "broken";
}

/** Every value that a path leads to. Where it leads nowhere, the place where it ended. */
function findValues(
  { scope }: Invariant,
  names: readonly string[],
  top: JsonValue,
): readonly Found[] {
  const holder = readField(top, scope);
  let found: Found[] = [{ at: scope, value: holder, around: { top, holder: top } }];
  for (const segment of names) {
    const [, name = "", star] = segmentPattern.exec(segment) ?? [];
    found = found.flatMap((place) => goOn(place, name, star !== undefined));
  }
  return found;
}

function goOn({ at, value, around }: Found, name: string, isEach: boolean): Found[] {
  const field = readField(value, name);
  const place = `${at}.${name}`;
  const beside = { top: around.top, holder: value };
  if (!isEach || !Array.isArray(field)) {
    // A step over a list leads nowhere if the value is no list.
    return [{ at: place, value: isEach ? undefined : field, around: beside }];
  }
  return field.map((item: JsonValue, index) => ({
    at: `${place}[${index}]`,
    value: item,
    around: beside,
  }));
}
