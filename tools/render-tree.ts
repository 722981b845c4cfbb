/** The rooms of the repository: the folders of each package, lowest first. */
import type { Boundary } from "./boundaries.ts";

/** A line for each package: the folders of its sources, lowest first where the table has layers. */
export function renderTree(paths: Iterable<string>, boundaries: readonly Boundary[]): string {
  const files = [...paths];
  const width = Math.max(...boundaries.map(({ folder }) => folder.length));
  const lines = boundaries.map((boundary) => {
    const rooms = listRooms(files, boundary);
    const words = rooms.length === 0 ? ["(one room)"] : rooms;
    return wrap(`${boundary.folder}/src`.padEnd(width + 6), words);
  });
  return ["```text", ...lines, "```"].join("\n");
}

function listRooms(files: readonly string[], { folder, layers = {} }: Boundary): string[] {
  const start = `${folder}/src/`;
  const found = new Set<string>();
  for (const path of files) {
    const [room, file] = path.startsWith(start) ? path.slice(start.length).split("/") : [];
    if (room !== undefined && file !== undefined && !room.startsWith("_")) found.add(room);
  }
  const known = Object.keys(layers).filter((room) => found.has(room));
  return [...known, ...[...found].filter((room) => !known.includes(room)).sort()];
}

const LINE_WIDTH = 110;

function wrap(head: string, words: readonly string[]): string {
  const lines = [head];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (`${last} ${word}`.length > LINE_WIDTH) lines.push(`${" ".repeat(head.length)} ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
