import type { Boundary } from "./boundaries.ts";

export const START_MARK = "<!-- boundaries:start -->";
export const END_MARK = "<!-- boundaries:end -->";

/** The document with the table between its marks; throws when a mark is missing. */
export function renderDocument(document: string, boundaries: readonly Boundary[]): string {
  const start = document.indexOf(START_MARK);
  const end = document.indexOf(END_MARK);
  if (start < 0 || end < start) {
    throw new Error(`the document needs the marks ${START_MARK} and ${END_MARK}, in this order`);
  }
  const before = document.slice(0, start + START_MARK.length);
  return `${before}\n\n${renderTables(boundaries)}\n\n${document.slice(end)}`;
}

function renderTables(boundaries: readonly Boundary[]): string {
  const packages = renderTable(
    ["package", "imports of ours", "imports of others", "modules of Node"],
    boundaries.map((boundary) => [
      code(boundary.folder),
      codes(boundary.workspace),
      codes(boundary.external),
      renderNode(boundary),
    ]),
  );
  const layers = boundaries
    .filter(({ layers }) => layers !== undefined)
    .map((boundary) =>
      renderTable(
        [`folder of ${code(boundary.folder)}`, "imports of the others"],
        Object.entries(boundary.layers ?? {}).map(([from, to]) => [
          from === "." ? "files beside the folders" : code(from),
          codes(to),
        ]),
      ),
    );
  return [packages, ...layers].join("\n\n");
}

function renderNode({ node, nodeIn }: Boundary): string {
  const all = node === "any" ? "any" : codes(node);
  if (nodeIn === undefined) return all;
  return `${all}; ${codes(nodeIn.modules)} in ${code(`*${nodeIn.suffix}`)}`;
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function codes(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.map(code).join(", ");
}

function code(name: string): string {
  return `\`${name}\``;
}
