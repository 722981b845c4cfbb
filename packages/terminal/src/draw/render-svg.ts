/**
 * A picture as an SVG: boxes inside each other. Nodes in order are below each other, with arrows
 * between; nodes that run at once, and alternatives, are side by side.
 */
import { measureText } from "../screen/line.ts";
import { type Part, type Picture, type PictureKind, tellWays } from "./picture.ts";

/** A part that is laid out: how large it is, and what is drawn of it at a place. */
interface Box {
  readonly width: number;
  readonly height: number;
  /** Where an arrow that leads to it, or from it, touches it, from its left. */
  readonly middle: number;
  draw(left: number, top: number): string[];
}

const CELL = 7.3;
const LINE = 17;
const PADDING = 10;
const GAP = 26;
const BESIDE = 16;
const MARGIN = 16;

const colours: Readonly<Record<PictureKind, readonly [fill: string, line: string]>> = {
  call: ["#eef4ff", "#4a6fb5"],
  tool: ["#eef4ff", "#4a6fb5"],
  prompt: ["#f3efff", "#7257b8"],
  wait: ["#fff6dd", "#a97b12"],
  sequence: ["#fafafa", "#9a9a9a"],
  parallel: ["#eefaf2", "#3f8f5f"],
  forEach: ["#eefaf2", "#3f8f5f"],
  branch: ["#fff1ec", "#b5603f"],
  repeat: ["#f3efff", "#7257b8"],
  machine: ["#f6f6f6", "#6b6b6b"],
  state: ["#ffffff", "#6b6b6b"],
};

/** The picture of a loop, as a document of its own. */
export function renderSvg(picture: Picture, title: string): string {
  const heading = layTexts([title], "title");
  const body = layPicture(picture);
  const width = Math.ceil(Math.max(heading.width, body.width) + 2 * MARGIN);
  const height = Math.ceil(heading.height + body.height + 3 * MARGIN);
  const content = [
    `<title>${escapeText(title)}</title>`,
    tag("defs", {}, tag("marker", head, tag("path", { d: "M0 0L8 4L0 8z", fill: "#555" }))),
    tag("rect", { width, height, fill: "#fff" }),
    ...heading.draw(MARGIN, MARGIN),
    ...body.draw(MARGIN, heading.height + 2 * MARGIN),
  ];
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  return `${tag("svg", { ...document, ...size }, `\n${content.join("\n")}\n`)}\n`;
}

const document = {
  xmlns: "http://www.w3.org/2000/svg",
  "font-family": "ui-monospace, Menlo, Consolas, monospace",
  "font-size": 12,
} as const;
/** The head of an arrow. */
const head = {
  ...{ id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4 },
  ...{ markerWidth: 8, markerHeight: 8, orient: "auto" },
} as const;

function layPicture(picture: Picture): Box {
  const box = layWhole(picture);
  if (picture.otherwise === undefined) return box;
  const other = withLabel("otherwise", layPicture(picture.otherwise));
  return {
    width: box.width + GAP + other.width,
    height: Math.max(box.height, other.height),
    middle: box.middle,
    draw: (left, top) => [
      ...box.draw(left, top),
      arrow([left + box.width, top + 2 * LINE], [left + box.width + GAP, top + 2 * LINE], {
        "stroke-dasharray": "4 3",
      }),
      ...other.draw(left + box.width + GAP, top),
    ],
  };
}

function layWhole(picture: Picture): Box {
  const { kind, title, notes, arranged, parts } = picture;
  // The frame of a sequence that says nothing of itself is left out.
  if (kind === "sequence" && notes.length === 0 && parts.length > 0) return stack(parts, true);
  const head = layTexts([title, ...notes, ...tellWays(picture)], "head");
  if (parts.length === 0) return frame(kind, head, undefined);
  const inside = arranged === "beside" ? spread(parts) : stack(parts, kind !== "machine");
  return frame(kind, head, inside);
}

/** A box with a head, around what stands in it. */
function frame(kind: PictureKind, head: Box, inside: Box | undefined): Box {
  const [fill, stroke] = colours[kind];
  const inner = inside === undefined ? head.width : Math.max(head.width, inside.width);
  const width = inner + 2 * PADDING;
  const below = inside === undefined ? 0 : inside.height + PADDING;
  const height = head.height + below + 2 * PADDING;
  return {
    width,
    height,
    middle: width / 2,
    draw: (left, top) => [
      tag("rect", { x: left, y: top, width, height, rx: 6, fill, stroke }),
      ...head.draw(left + PADDING, top + PADDING),
      ...(inside?.draw(left + (width - inside.width) / 2, top + head.height + 2 * PADDING) ?? []),
    ],
  };
}

/** Below each other; in order, with arrows between. */
function stack(parts: readonly Part[], isOrdered: boolean): Box {
  const boxes = parts.map(layPart);
  const before = Math.max(...boxes.map(({ middle }) => middle));
  const after = Math.max(...boxes.map(({ width, middle }) => width - middle));
  const gap = isOrdered ? GAP : BESIDE;
  const height = boxes.reduce((sum, box) => sum + box.height + gap, -gap);
  return {
    width: before + after,
    height,
    middle: before,
    draw: (left, top) => {
      let place = top;
      return boxes.flatMap((box, index) => {
        const drawn = box.draw(left + before - box.middle, place);
        place += box.height;
        const middle = left + before;
        if (isOrdered && index < boxes.length - 1)
          drawn.push(arrow([middle, place], [middle, place + gap]));
        place += gap;
        return drawn;
      });
    },
  };
}

/** Side by side. */
function spread(parts: readonly Part[]): Box {
  const boxes = parts.map(layPart);
  const width = boxes.reduce((sum, box) => sum + box.width + BESIDE, -BESIDE);
  return {
    width,
    height: Math.max(...boxes.map(({ height }) => height)),
    middle: width / 2,
    draw: (left, top) => {
      let place = left;
      return boxes.flatMap((box) => {
        const drawn = box.draw(place, top);
        place += box.width + BESIDE;
        return drawn;
      });
    },
  };
}

function layPart({ label, picture }: Part): Box {
  const box = layPicture(picture);
  return label === undefined ? box : withLabel(label, box);
}

/** A box below a line of text. */
function withLabel(label: string, box: Box): Box {
  const text = layTexts([label], "label");
  const width = Math.max(text.width, box.width);
  return {
    width,
    height: text.height + box.height,
    middle: box.middle,
    draw: (left, top) => [...text.draw(left, top), ...box.draw(left, top + text.height)],
  };
}

const styles = {
  title: { "font-weight": 700, "font-size": 14 },
  head: { "font-weight": 600, fill: "#222" },
  label: { "font-style": "italic", fill: "#555" },
} as const;

/** Lines of text: the first of them as what they are for, the others smaller. */
function layTexts(texts: readonly string[], role: keyof typeof styles): Box {
  const cell = role === "title" ? (CELL * 14) / 12 : CELL;
  const width = Math.max(...texts.map((text) => measureText(text) * cell));
  return {
    width,
    height: texts.length * LINE,
    middle: width / 2,
    draw: (left, top) =>
      texts.map((text, index) => {
        const style = index === 0 ? styles[role] : { fill: "#555" };
        const place = { x: left, y: top + index * LINE + 12 };
        return tag("text", { ...place, ...style, "xml:space": "preserve" }, escapeText(text));
      }),
  };
}

type Point = readonly [x: number, y: number];

function arrow([x1, y1]: Point, [x2, y2]: Point, style: Attributes = {}): string {
  const end = { "marker-end": "url(#head)" };
  return tag("line", { x1, y1, x2, y2, stroke: "#555", ...style, ...end });
}

type Attributes = Readonly<Record<string, string | number>>;

/** An element; of its attributes, numbers are places. */
function tag(name: string, attributes: Attributes, content?: string): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? at(value) : value}"`,
  );
  const opened = `<${name}${written.join("")}`;
  return content === undefined ? `${opened}/>` : `${opened}>${content}</${name}>`;
}

/** A place, to a tenth. */
function at(place: number): string {
  return String(Math.round(place * 10) / 10);
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? "");
}
