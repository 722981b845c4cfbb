/** Compiles the expressions and mappings of a flow, and refuses what they cannot read or give. */
import {
  findNearest,
  formatPointer,
  type Mapping,
  type MappingSource,
  NEAREST_LENGTH_MAX,
} from "@turnseal/protocol";
import { compileExpression } from "../../bounded/condition/expression.ts";
import {
  type CheckedMapping,
  type CheckedSource,
  listReads,
  parseSourceOver,
  reportRefused,
} from "../checked-mapping.ts";
import type { CheckedExpression } from "./checked-node.ts";
import { noteReads, type Sight } from "./sight.ts";

/** The result types an expression may have: each kind with the types that the library may infer. */
const wantedTypes = {
  boolean: { accepts: (type: string) => type === "bool", words: "true or false" },
  text: { accepts: (type: string) => type === "string", words: "a text" },
  list: { accepts: (type: string) => type.startsWith("list"), words: "a list" },
} as const;
type Wanted = keyof typeof wantedTypes;

/** Compiles an expression that has to give a value of a kind. */
export function checkExpression(text: string, wanted: Wanted, sight: Sight): CheckedExpression {
  const { path, names, walk } = sight;
  const compiled = compileExpression(text, names);
  const mend = `write CEL over ${listNames(sight)} that gives ${wantedTypes[wanted].words}`;
  const stand: CheckedExpression = { text, evaluate: neverRun };
  if (compiled.kind === "refused") {
    const message = `\`${cut(text)}\`: ${compiled.reason}`;
    walk.report.refuse({ rule: "mapping-expression", path, message, mend });
    return stand;
  }
  noteReads(compiled.reads, sight);
  const misfit = findMisfit(compiled.type, wanted);
  if (misfit === undefined) return { text, evaluate: compiled.evaluate };
  const message = `\`${cut(text)}\` ${misfit}`;
  walk.report.refuse({ rule: "mapping-expression", path, message, mend });
  return stand;
}

// Stands where an expression was refused; the whole is refused then, and this is never run.
const neverRun: CheckedExpression["evaluate"] = () => ({
  kind: "failed",
  failure: "type-mismatch",
});

/** Why a value of this type can never be what is wanted. */
function findMisfit(type: string, wanted: Wanted): string | undefined {
  const { accepts, words } = wantedTypes[wanted];
  if (type === "dyn" || accepts(type)) return undefined;
  return `is of type ${type}, and has to be ${words}`;
}

/** Compiles a mapping. */
export function checkNodeMapping(mapping: Mapping, sight: Sight): CheckedMapping {
  return Object.entries(mapping).map(([field, written]) => ({
    field,
    source: checkSource(written, { ...sight, path: sight.path + formatPointer([field]) }),
  }));
}

/** Compiles a source; with `wanted`, its value must be of that kind. */
export function checkSource(written: MappingSource, sight: Sight, wanted?: Wanted): CheckedSource {
  const { path, walk } = sight;
  const source = parseSourceOver(written, sight.names);
  if (source.kind === "refused") {
    const over = `write CEL over ${listNames(sight)}`;
    const mend = source.rule === "mapping-expression" ? over : undefined;
    reportRefused(source, { path, report: walk.report, mend });
    return { kind: "constant", value: null };
  }
  if (source.kind === "path") checkStart(source, sight);
  noteReads(listReads(source), sight);
  const misfit = wanted === undefined ? undefined : findSourceMisfit(source, wanted);
  if (misfit !== undefined)
    walk.report.refuse({
      rule: source.kind === "expression" ? "mapping-expression" : "mapping-path",
      path,
      message: misfit,
      mend: `give it ${wantedTypes[wanted ?? "text"].words}`,
    });
  return source;
}

function findSourceMisfit(source: CheckedSource, wanted: Wanted): string | undefined {
  const { words } = wantedTypes[wanted];
  if (source.kind === "path") return undefined;
  if (source.kind === "expression") {
    const misfit = findMisfit(source.type, wanted);
    return misfit === undefined ? undefined : `\`${cut(source.text)}\` ${misfit}`;
  }
  const type = Array.isArray(source.value) ? "list" : typeof source.value;
  return wantedTypes[wanted].accepts(type) ? undefined : `what is given is never ${words}`;
}

/** A path starts from a name that is known here, and goes on with a field that it has. */
function checkStart(
  { text, segments: [root, field] }: Extract<CheckedSource, { readonly kind: "path" }>,
  sight: Sight,
): void {
  const { path, names, walk } = sight;
  if (typeof root !== "string" || !names.has(root)) {
    const nearest = typeof root === "string" ? findNearest(root, [...names.keys()]) : undefined;
    walk.report.refuse({
      rule: "mapping-root",
      path,
      message: `\`${cut(text)}\` starts from what is not known here`,
      mend:
        nearest === undefined
          ? `start from one of: ${listNames(sight)}`
          : `start from \`${nearest}\`; known here: ${listNames(sight)}`,
    });
    return;
  }
  const fields = names.get(root);
  if (fields === undefined || field === undefined || fields.includes(String(field))) return;
  const nearest = findNearest(String(field), fields);
  const meant = nearest ?? (fields.includes("output") ? `output.${String(field)}` : undefined);
  walk.report.refuse({
    rule: "mapping-root",
    path,
    message: `\`${cut(text)}\`: \`${root}\` has no \`${cut(String(field))}\`, only ${fields.join(", ")}`,
    mend: meant === undefined ? "name one of them" : `write \`$.${root}.${cut(meant)}\``,
  });
}

/** Names that are shown where another was written; a flow may have hundreds. */
const NAMES_SHOWN = 12;

function listNames({ names }: Sight): string {
  const short = [...names.keys()].filter(({ length }) => length <= NEAREST_LENGTH_MAX);
  const shown = short.slice(0, NAMES_SHOWN).join(", ");
  return short.length > NAMES_SHOWN ? `${shown} and ${short.length - NAMES_SHOWN} more` : shown;
}

/** UTF-16 units of what was written that are shown. */
const SHOWN_LENGTH = 100;

function cut(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH).toWellFormed()}...` : text;
}
