import type { Boundary } from "./boundaries.ts";
import type { Layers } from "./layers.ts";
import { code, codes, renderTable } from "./render-table.ts";
import { renderTree } from "./render-tree.ts";
import { marksOf, replaceBetween } from "./replace-between.ts";

/** The document with the tree and the tables between their marks; throws when a mark is missing. */
export function renderDocument(
  document: string,
  boundaries: readonly Boundary[],
  paths: Iterable<string>,
): string {
  const withTables = replaceBetween(document, marksOf("boundaries"), renderTables(boundaries));
  return replaceBetween(withTables, marksOf("tree"), renderTree(paths, boundaries));
}

function renderTables(boundaries: readonly Boundary[]): string {
  const packages = renderTable(
    ["package", "imports of ours", "imports of others", "modules of Node"],
    boundaries.map((boundary) => [
      code(boundary.folder),
      listCodes(boundary.workspace),
      listCodes(boundary.external),
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
      ...(lowest.length === 0 ? [] : [[lowest.join(", "), "none"]]),
      ...rooms.filter(({ to }) => to.length > 0).map(({ name, to }) => [name, codes(to)]),
    ],
  );
}

function roomName(room: string): string {
  return room === "." ? "files beside the folders" : code(room);
}

function renderNode({ node, nodeIn }: Boundary): string {
  const all = node === "any" ? "any" : listCodes(node);
  if (nodeIn === undefined) return all;
  return `${all}; ${codes(nodeIn.modules)} in ${code(`*${nodeIn.suffix}`)}`;
}

function listCodes(names: readonly string[]): string {
  return names.length === 0 ? "none" : codes(names);
}
