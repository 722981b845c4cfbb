/** The grammar of logs as a table of the specification (spec/grammar.md §3). */
import { code, codes, renderTable } from "./render-table.ts";
import { marksOf, replaceBetween } from "./replace-between.ts";
import type { Tree } from "./tidy/tree.ts";

export const GRAMMAR_PATH = "spec/grammar.json";

type Fields = Readonly<Record<string, unknown>>;

interface PrintedRule {
  readonly name: string;
  readonly on: string | readonly string[];
  readonly but?: readonly string[];
  readonly of?: string;
  readonly id?: readonly string[];
  readonly from?: readonly string[];
  readonly not?: readonly string[];
  readonly to?: string;
  readonly code: string;
  readonly says: string;
  readonly [word: string]: unknown;
}

export function renderGrammar(document: string, tree: Tree): string {
  const { rules } = JSON.parse(tree.get(GRAMMAR_PATH) ?? "{}") as {
    readonly rules: readonly PrintedRule[];
  };
  const rows = rules.map((rule) => [
    code(rule.name),
    rule.says,
    renderEvents(rule),
    renderThing(rule),
    renderSteps(rule),
    renderFields(rule),
    code(rule.code),
  ]);
  const head = ["rule", "says", "events", "thing", "states", "fields", "else"];
  return replaceBetween(document, marksOf("grammar"), renderTable(head, rows));
}

function renderEvents({ on, but = [], when }: PrintedRule): string {
  const types = typeof on === "string" ? "all" : codes(on);
  const left = but.length === 0 ? "" : ` but ${codes(but)}`;
  return `${types}${left}${when === undefined ? "" : `, with ${renderWanted(when as Fields)}`}`;
}

function renderThing({ of = "", id = [] }: PrintedRule): string {
  return id.length === 0 ? of : `${of} ${codes(id)}`;
}

function renderSteps({ from, not, to }: PrintedRule): string {
  const before = [...(from ?? []), ...(not ?? []).map((state) => `not ${state}`)].join(", ");
  if (to === undefined) return before;
  return before === "" ? `→ ${to}` : `${before} → ${to}`;
}

const words = ["same", "next", "least", "below", "keep"];

function renderFields(rule: PrintedRule): string {
  const fields = words.flatMap((word) => {
    const named = rule[word] as Fields | undefined;
    return named === undefined ? [] : [`${word} ${codes(Object.values(named).map(String))}`];
  });
  return [
    ...(rule["only"] === undefined ? [] : [renderWanted(rule["only"] as Fields)]),
    ...fields,
    ...(rule["levels"] === undefined ? [] : [renderLevels(rule)]),
  ].join("; ");
}

function renderLevels({ levels, under }: PrintedRule): string {
  return `levels ${String(levels)} under ${codes(under as readonly string[])}`;
}

function renderWanted(wanted: Fields): string {
  return Object.entries(wanted)
    .map(([path, want]) => {
      if (typeof want === "boolean") return `${want ? "" : "no "}${code(path)}`;
      return `${code(path)} ${(want as readonly unknown[]).map(String).map(code).join(" or ")}`;
    })
    .join(", ");
}
