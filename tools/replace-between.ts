/** Where a document has something that is printed: between two comments. */
export interface Marks {
  readonly start: string;
  readonly end: string;
}

export function marksOf(name: string): Marks {
  return { start: `<!-- ${name}:start -->`, end: `<!-- ${name}:end -->` };
}

/** The document with the text between the marks; throws when a mark is missing. */
export function replaceBetween(document: string, { start, end }: Marks, text: string): string {
  const from = document.indexOf(start);
  const to = document.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`the document needs the marks ${start} and ${end}, in this order`);
  return `${document.slice(0, from + start.length)}\n\n${text}\n\n${document.slice(to)}`;
}
