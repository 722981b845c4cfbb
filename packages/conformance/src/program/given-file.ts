/** A file that a vector gives: with an input or a message, as a tool, or as a model. */
import {
  type Parse,
  parseCount,
  parseExactFields,
  parseList,
  parseTable,
  parseText,
} from "../shape.ts";

/** With `size`, as many spaces follow as are wanted for it: vectors of large files stay small. */
export const parseGivenFile = parseExactFields(
  { base64: parseText, mediaType: parseText },
  { name: parseText, size: parseCount },
);
export type GivenFile = ReturnType<typeof parseGivenFile>;

const parseFiles = parseList(parseGivenFile);
const parseOneOrMore: Parse<GivenFile | readonly GivenFile[]> = (value, where) =>
  Array.isArray(value) ? parseFiles(value, where) : parseGivenFile(value, where);

/** Files by the JSON Pointer to where they are named: one, or a list of them. */
export const parseFilesByPlace = parseTable(parseOneOrMore);
export type FilesByPlace = ReturnType<typeof parseFilesByPlace>;
