/** One row of the list: who causes such an event, and the names of its fields. */
export interface ListedFields {
  readonly actors: readonly string[];
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
}

/** Reads the first table of a text: kind, actors, fields that are always there, and the others. */
export function listFields(text: string): Map<string, ListedFields> {
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    rows.map((row) => {
      const [, kind = "", actors = "", always = "", sometimes = ""] = row.split("|");
      const listed = { actors: words(actors), always: names(always), sometimes: names(sometimes) };
      return [kind.replaceAll("`", "").trim(), listed] as const;
    }),
  );
}

function words(cell: string): string[] {
  return cell.split(",").map((word) => word.trim());
}

function names(cell: string): string[] {
  return Array.from(cell.matchAll(/`([A-Za-z]+)`/g), (match) => match[1] ?? "");
}
