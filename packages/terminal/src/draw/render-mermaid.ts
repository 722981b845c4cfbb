/** A picture as a flowchart of Mermaid. */
import type { Part, Picture } from "./picture.ts";

/** The node that an arrow starts from, and the label of the arrow. */
interface Exit {
  readonly id: string;
  readonly label?: string;
}

interface Drawn {
  readonly entry: string;
  readonly exits: readonly Exit[];
}

interface Chart {
  readonly lines: string[];
  readonly edges: string[];
  next(): string;
}

/** The flowchart of a loop, as text. */
export function renderMermaid(picture: Picture, title: string): string {
  let count = 0;
  const chart: Chart = { lines: [], edges: [], next: () => `n${count++}` };
  const start = chart.next();
  chart.lines.push(`  ${start}([${quote([title])}])`);
  const drawn = drawPicture(picture, chart, "  ");
  chart.edges.push(edge({ id: start }, drawn.entry));
  return `${["flowchart TD", ...chart.lines, ...chart.edges].join("\n")}\n`;
}

function drawPicture(picture: Picture, chart: Chart, indent: string): Drawn {
  const drawn = drawWhole(picture, chart, indent);
  if (picture.otherwise === undefined) return drawn;
  const other = drawPicture(picture.otherwise, chart, indent);
  chart.edges.push(`  ${drawn.entry} -. "otherwise" .-> ${other.entry}`);
  return { entry: drawn.entry, exits: [...drawn.exits, ...other.exits] };
}

function drawWhole(picture: Picture, chart: Chart, indent: string): Drawn {
  const { kind, title, notes, parts } = picture;
  if (kind === "branch") return drawBranch(picture, chart, indent);
  // The frame of a sequence that says nothing of itself is left out.
  if (kind === "sequence" && notes.length === 0 && parts.length > 0)
    return drawOrder(parts, chart, indent);
  const id = chart.next();
  const text = quote([title, ...notes]);
  if (parts.length === 0) {
    chart.lines.push(`${indent}${id}${kind === "wait" ? `[/${text}/]` : `[${text}]`}`);
    return { entry: id, exits: [{ id }] };
  }
  chart.lines.push(`${indent}subgraph ${id}[${text}]`);
  if (kind === "machine") drawStates(parts, chart, `${indent}  `);
  else if (picture.arranged === "beside")
    for (const part of parts) drawPicture(part.picture, chart, `${indent}  `);
  else drawOrder(parts, chart, `${indent}  `);
  chart.lines.push(`${indent}end`);
  return { entry: id, exits: [{ id }] };
}

function drawOrder(parts: readonly Part[], chart: Chart, indent: string): Drawn {
  const drawn = parts.map(({ picture }) => drawPicture(picture, chart, indent));
  drawn.forEach(({ exits }, index) => {
    const following = drawn[index + 1];
    if (following !== undefined)
      chart.edges.push(...exits.map((exit) => edge(exit, following.entry)));
  });
  return { entry: drawn[0]?.entry ?? "", exits: drawn.at(-1)?.exits ?? [] };
}

/** Each state is a mark, what it does below it, and the ways from there. */
function drawStates(parts: readonly Part[], chart: Chart, indent: string): void {
  const states = parts.map(({ picture }) => {
    const id = chart.next();
    chart.lines.push(`${indent}${id}([${quote([picture.title])}])`);
    if (picture.parts.length === 0) return { id, exits: [{ id }], state: picture.state };
    const { entry, exits } = drawOrder(picture.parts, chart, indent);
    chart.edges.push(edge({ id }, entry));
    return { id, exits, state: picture.state };
  });
  const marks = new Map(states.map(({ state, id }) => [state?.name, id]));
  for (const { state, exits } of states)
    for (const { to, when } of state?.ways ?? [])
      for (const { id } of exits)
        chart.edges.push(
          edge({ id, ...(when === undefined ? {} : { label: when }) }, marks.get(to) ?? id),
        );
}

/** A choice leads to each of its cases, and past them where none has to hold. */
function drawBranch({ title, notes, parts }: Picture, chart: Chart, indent: string): Drawn {
  const id = chart.next();
  chart.lines.push(`${indent}${id}{${quote([title, ...notes])}}`);
  const cases = parts.map(({ label, picture }) => {
    const drawn = drawPicture(picture, chart, indent);
    chart.edges.push(edge({ id, ...(label === undefined ? {} : { label }) }, drawn.entry));
    return drawn;
  });
  const isOpen = !parts.some(({ label }) => label === "else");
  const exits = cases.flatMap((drawn) => drawn.exits);
  return { entry: id, exits: isOpen ? [...exits, { id, label: "else" }] : exits };
}

function edge({ id, label }: Exit, to: string): string {
  return label === undefined ? `  ${id} --> ${to}` : `  ${id} -- ${quote([label])} --> ${to}`;
}

/** Lines of a text in quotes, in which nothing has a meaning. */
function quote(lines: readonly string[]): string {
  return `"${lines.map(escapeText).join("<br>")}"`;
}

/** Mermaid reads entities, and nothing else, inside quotes. */
function escapeText(text: string): string {
  return text.replace(/[&<>"#`\\[\]{}|]/g, (character) => `#${character.charCodeAt(0)};`);
}
