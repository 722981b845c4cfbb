import { BOUNDARIES } from "./boundaries.ts";
import { renderEvents } from "./event-fields/render-events.ts";
import { renderDocument } from "./render-boundaries.ts";
import type { Tree } from "./tidy/tree.ts";

/** A document that has printed parts: what it is when they are as they must be. */
export interface PrintedDocument {
  readonly path: string;
  readonly render: (document: string, tree: Tree) => string;
}

export const PRINTED: readonly PrintedDocument[] = [
  {
    path: "ARCHITECTURE.md",
    render: (document, tree) => renderDocument(document, BOUNDARIES, tree.keys()),
  },
  { path: "spec/events.md", render: renderEvents },
];
