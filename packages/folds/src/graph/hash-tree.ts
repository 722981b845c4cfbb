/**
 * One hash for a set of nodes, independent of their order (spec/graph.md §5).
 *
 * 1. The leaves hang in a tree by the digits of their ids. A change only forgets the hashes above
 *    its leaf; they are computed again when somebody asks, so that many changes cost one way up.
 * 2. Changes are noted, and go into the tree when the hash is read or many are noted: a short-lived
 *    graph whose hash is never read has no tree.
 */
import { sha256Hex } from "@turnseal/protocol";

interface Branch {
  readonly kind: "branch";
  readonly children: Map<string, Branch | Leaf>;
  hash?: string | undefined;
}
interface Leaf {
  readonly kind: "leaf";
  readonly id: string;
  readonly digits: string;
  readonly render: () => string;
  hash?: string;
}

export interface HashTree {
  readonly put: (id: string, render: () => string) => void;
  readonly remove: (id: string) => void;
  readonly read: () => string;
}

/** Changes that are noted at most. */
const NOTED_MAX = 1_000;

export function createHashTree(): HashTree {
  const root = createBranch();
  /** How each changed leaf is written out; undefined where it was removed. */
  const noted = new Map<string, (() => string) | undefined>();
  const settle = (): void => {
    for (const [id, render] of noted) {
      const digits = digitsOf(id);
      if (render === undefined) removeLeaf(root, digits, 0);
      else putLeaf(root, { kind: "leaf", id, digits, render });
    }
    noted.clear();
  };
  const note = (id: string, render: (() => string) | undefined): void => {
    noted.set(id, render);
    if (noted.size >= NOTED_MAX) settle();
  };
  return {
    put: note,
    remove: (id) => note(id, undefined),
    read: () => {
      settle();
      return hashOf(root);
    },
  };
}

function digitsOf(id: string): string {
  return id.replaceAll("-", "");
}

function createBranch(): Branch {
  return { kind: "branch", children: new Map() };
}

function putLeaf(root: Branch, leaf: Leaf): void {
  let branch = root;
  for (let depth = 0; ; depth++) {
    branch.hash = undefined;
    const digit = leaf.digits.charAt(depth);
    const child = branch.children.get(digit);
    if (child === undefined || (child.kind === "leaf" && child.id === leaf.id)) {
      branch.children.set(digit, leaf);
      return;
    }
    if (child.kind === "branch") {
      branch = child;
      continue;
    }
    // Two leaves begin alike: both go one digit deeper.
    const deeper = createBranch();
    deeper.children.set(child.digits.charAt(depth + 1), child);
    branch.children.set(digit, deeper);
    branch = deeper;
  }
}

function removeLeaf(branch: Branch, digits: string, depth: number): void {
  branch.hash = undefined;
  const digit = digits.charAt(depth);
  const child = branch.children.get(digit);
  // A node that came and went between two readings was never there, and another may have its place.
  if (child?.kind === "leaf" && child.digits === digits) branch.children.delete(digit);
  if (child?.kind !== "branch") return;
  removeLeaf(child, digits, depth + 1);
  const [only, ...others] = child.children.values();
  // The tree depends only on its current content: a leaf alone stands as high as it can.
  if (only?.kind === "leaf" && others.length === 0) branch.children.set(digit, only);
}

function hashOf(place: Branch | Leaf): string {
  if (place.hash !== undefined) return place.hash;
  if (place.kind === "leaf") {
    place.hash = sha256Hex(place.render());
    return place.hash;
  }
  const digits = [...place.children.keys()].sort();
  const lines = digits.map((digit) => {
    const child = place.children.get(digit);
    return child === undefined ? "" : `${digit}:${hashOf(child)}`;
  });
  place.hash = sha256Hex(lines.join("\n"));
  return place.hash;
}
