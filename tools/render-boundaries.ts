import type { Boundary } from "./boundaries.ts";
import type { Layers } from "./layers.ts";
import { renderTree, TREE_END, TREE_START } from "./render-tree.ts";

export const START_MARK = "<!-- boundaries:start -->";
export const END_MARK = "<!-- boundaries:end -->";

/** The document with the tree and the tables between their marks; throws when a mark is missing. */
export function renderDocument(
  document: string,
  boundaries: readonly Boundary[],
  paths: Iterable<string>,
): string {
  const tables = renderTables(boundaries);
  const withTables = replaceBetween(document, START_MARK, END_MARK, tables);
  return replaceBetween(withTables, TREE_START, TREE_END, renderTree(paths, boundaries));
}

function replaceBetween(document: string, first: string, last: string, text: string): string {
  const start = document.indexOf(first);
  const end = document.indexOf(last);
  if (start < 0 || end < start)
    throw new Error(`the document needs the marks ${first} and ${last}, in this order`);
  return `${document.slice(0, start + first.length)}\n\n${text}\n\n${document.slice(end)}`;
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
  const layers = boundaries.flatMap(({ folder, layers }) =>
    layers === undefined ? [] : [renderLayers(folder, layers)],
  );
  return [packages, ...layers].join("\n\n");
}

/** Folders that import none of the others share a row. */
function renderLayers(folder: string, layers: Layers): string {
  const rooms = Object.entries(layers).map(([room, to]) => ({ name: roomName(room), to }));
  const lowest = rooms.filter(({ to }) => to.length === 0).map(({ name }) => name);
  return renderTable(
    [`folder of ${code(folder)}`, "imports of the others"],
    [
      ...(lowest.length === 0 ? [] : [[lowest.join(", "), codes([])]]),
      ...rooms.filter(({ to }) => to.length > 0).map(({ name, to }) => [name, codes(to)]),
    ],
  );
}

function roomName(room: string): string {
  return room === "." ? "files beside the folders" : code(room);
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
