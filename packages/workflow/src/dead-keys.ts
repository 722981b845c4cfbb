/**
 * Settings without an effect where they stand: the file means the same with every other value.
 *
 * The file itself is asked, by compiling it again with the setting changed. So no table of
 * exceptions can fall behind the compiler.
 */
import { formatPointer, isPlainObject, type Problem } from "@turnseal/protocol";
import type { Shape, TableName } from "./shape.ts";
import { TABLES } from "./tables.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

const STRATEGIES = ["context", "cache", "retry", "llm"];
/** Settings that have an effect only in some files, by the table that they stand in. */
const SETTINGS: Readonly<Partial<Record<TableName, readonly string[]>>> = {
  workflow: [...STRATEGIES, "stall", "limits", "initial_state"],
  step: STRATEGIES,
  scope: STRATEGIES,
};
/** Tables that hold steps, and the keys of their lists and tables. */
const INSIDE: Readonly<Partial<Record<TableName, Readonly<Record<string, TableName>>>>> = {
  document: { workflow: "workflow", steps: "step" },
  workflow: { steps: "step" },
  step: { steps: "step", scope: "scope" },
  scope: { steps: "step" },
};

type Path = readonly (string | number)[];

interface Setting {
  readonly path: Path;
  /** Values that it could have in place of its own. */
  readonly others: readonly unknown[];
}

/** `compile` gives the meaning of a document, undefined for one that is refused. */
export function findDeadKeys(
  document: WorkflowDocument,
  compile: (document: WorkflowDocument) => string | undefined,
): Problem[] {
  const meaning = compile(document);
  return listSettings(document, "document", []).flatMap(({ path, others }) => {
    const means = (other: unknown) => compile(replaceAt(document, path, other) as WorkflowDocument);
    if (others.some((other) => means(other) !== meaning)) return [];
    return [
      {
        rule: "setting-unfit" as const,
        path: formatPointer(path),
        message: `\`${path.at(-1)}\` has no effect here: the file means the same with any other value`,
        mend: "remove it",
      },
    ];
  });
}

function listSettings(table: unknown, name: TableName, path: Path): Setting[] {
  if (!isPlainObject(table)) return [];
  const own = (SETTINGS[name] ?? []).filter((key) => table[key] !== undefined);
  const settings = own.flatMap((key) => {
    const shape = TABLES[name][key]?.shape;
    return shape === undefined ? [] : listLeaves(table[key], shape, [...path, key]);
  });
  const inner = Object.entries(INSIDE[name] ?? {}).flatMap(([key, child]) => {
    const value = table[key];
    if (!Array.isArray(value)) return listSettings(value, child, [...path, key]);
    return value.flatMap((item, index) => listSettings(item, child, [...path, key, index]));
  });
  return [...settings, ...inner];
}

/** A table is as many settings as it has keys. */
function listLeaves(value: unknown, shape: Shape, path: Path): Setting[] {
  if (shape.kind === "either")
    return shape.of.flatMap((one) =>
      isPlainObject(value) === (one.kind === "table") ? listLeaves(value, one, path) : [],
    );
  if (shape.kind !== "table") return [{ path, others: listOthers(value, shape) }];
  return Object.entries(isPlainObject(value) ? value : {}).flatMap(([key, item]) => {
    const inner = TABLES[shape.name][key]?.shape;
    return inner === undefined ? [] : listLeaves(item, inner, [...path, key]);
  });
}

function listOthers(value: unknown, shape: Shape): readonly unknown[] {
  switch (shape.kind) {
    case "choice":
      return shape.of.filter((one) => one !== value);
    case "flag":
      return [value !== true];
    case "count":
    case "seconds":
      return [value === shape.max ? shape.max - 1 : Number(value) + 1];
    default:
      // Not at the end: it may be the name of a file.
      return [`other ${String(value)}`];
  }
}

function replaceAt(value: unknown, [key, ...rest]: Path, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? replaceAt(item, rest, other) : item));
  const object = isPlainObject(value) ? value : {};
  return { ...object, [key]: replaceAt(object[key], rest, other) };
}
