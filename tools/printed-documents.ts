import { BOUNDARIES } from "./boundaries.ts";
import { renderEvents } from "./event-fields/render-events.ts";
import { renderDocument } from "./render-boundaries.ts";
import { renderDependencies } from "./render-dependencies.ts";
import { GRAMMAR_PATH, renderGrammar } from "./render-grammar.ts";
import { marksOf, replaceBetween } from "./replace-between.ts";
import type { Tree } from "./tidy/tree.ts";

/** A document that has printed parts: what it is when they are as they must be. */
export interface PrintedDocument {
  readonly path: string;
  readonly render: (document: string, tree: Tree) => string;
}

export const PRINTED: readonly PrintedDocument[] = [
  {
    path: "docs/map.md",
    render: (document, tree) => renderDocument(document, BOUNDARIES, tree.keys()),
  },
  {
    path: "docs/operate/supply-chain.md",
    render: (document, tree) =>
      replaceBetween(
        document,
        marksOf("dependencies"),
        renderDependencies(tree.get("package-lock.json") ?? ""),
      ),
  },
  { path: "spec/events.md", render: renderEvents },
  { path: "spec/grammar.md", render: renderGrammar },
  {
    path: "packages/protocol/src/grammar/grammar.json",
    render: (document, tree) => tree.get(GRAMMAR_PATH) ?? document,
  },
];
