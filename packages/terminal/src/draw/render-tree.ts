/** A picture as a tree of lines. */
import { type Line, line, toned } from "../screen/line.ts";
import { type Part, type Picture, tellWays } from "./picture.ts";

/** The tree of a picture; every line begins with `indent`. */
export function renderTree(picture: Picture, indent = ""): Line[] {
  return renderPicture(picture, { first: indent, rest: indent });
}

/** The text in front of the first line of a picture, and in front of the others. */
interface Margin {
  readonly first: string;
  readonly rest: string;
}

function renderPicture(picture: Picture, { first, rest }: Margin): Line[] {
  const { title, notes, parts, otherwise } = picture;
  const all: Part[] = [...parts];
  if (otherwise !== undefined) all.push({ label: "otherwise", picture: otherwise });
  // Notes stand beside the branches that follow them.
  const bar = all.length === 0 ? "  " : "│ ";
  const [name, ...others] = splitName([...notes, ...tellWays(picture)]);
  const head = line(toned("faint", first), toned("accent", title), name);
  return [
    head,
    ...others.map((note) => line(toned("faint", `${rest}${bar}  `), note)),
    ...all.flatMap((part, index) => renderPart(part, rest, index === all.length - 1)),
  ];
}

/** A name is read together with what has it. */
function splitName(notes: readonly string[]): [string, ...string[]] {
  const [note, ...others] = notes;
  return note?.startsWith("as ") ? [`  ${note}`, ...others] : ["", ...notes];
}

function renderPart({ label, picture }: Part, rest: string, isLast: boolean): Line[] {
  const first = `${rest}${isLast ? "└─ " : "├─ "}`;
  const below = `${rest}${isLast ? "   " : "│  "}`;
  if (label === undefined) return renderPicture(picture, { first, rest: below });
  return [
    line(toned("faint", first), label),
    ...renderPicture(picture, { first: `${below}└─ `, rest: `${below}   ` }),
  ];
}
