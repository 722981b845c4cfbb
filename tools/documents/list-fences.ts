/** One fenced block of a Markdown document. */
export interface Fence {
  readonly document: string;
  /** The line of the opening marks, from one. */
  readonly line: number;
  readonly language: string;
  /** What stands after the language, such as `no-run` or `file=loops/greet.json`. */
  readonly marks: readonly string[];
  readonly text: string;
}

const opening = /^(```+|~~~+)[ \t]*([^`]*)$/;

/** The fences of a document, in order. An unclosed fence reaches to the end, as in Markdown. */
export function listFences(document: string, markdown: string): Fence[] {
  const fences: Fence[] = [];
  const lines = markdown.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const [, fenceMarks, info = ""] = opening.exec(lines[index] ?? "") ?? [];
    if (fenceMarks === undefined) continue;
    const start = index + 1;
    do index++;
    while (index < lines.length && lines[index]?.trimEnd() !== fenceMarks);
    const [language = "", ...marks] = info.trim().split(/\s+/);
    const text = lines.slice(start, index).join("\n");
    fences.push({ document, line: start, language, marks, text });
  }
  return fences;
}

/** The value of a mark `name=value`, or undefined. */
export function readMark({ marks }: Fence, name: string): string | undefined {
  return marks.find((mark) => mark.startsWith(`${name}=`))?.slice(name.length + 1);
}
