/** Requests about files outside that a run manages, and changes to them. */
import {
  parseCount,
  parseExactFields,
  parseList,
  parseTable,
  parseText,
  parseTrue,
  parseWord,
} from "../shape.ts";

/** Somebody else in the folder of a root. */
const parseHands = parseExactFields(
  {},
  {
    put: parseTable(parseText),
    modes: parseTable(parseCount),
    remove: parseList(parseText),
    link: parseList(parseText),
  },
);
export type OtherHands = ReturnType<typeof parseHands>;

export const parseFiles = parseExactFields({ root: parseText }, { by: parseHands });

/** A reconciliation of files: it is planned, then approved by `by`, then recorded. */
export const parseReconcile = parseExactFields(
  { run: parseText, root: parseText, way: parseWord("graph-wins", "files-win", "manual", "merge") },
  {
    sides: parseTable(parseWord("graph", "files")),
    by: parseText,
    meanwhile: parseHands,
    repeat: parseTrue,
  },
);
export type ReconcileAsked = ReturnType<typeof parseReconcile>;

export const parseAdopt = parseExactFields(
  { run: parseText, root: parseText, paths: parseList(parseText) },
  { by: parseText, meanwhile: parseHands, repeat: parseTrue },
);
export type AdoptAsked = ReturnType<typeof parseAdopt>;
