/**
 * Texts of which one stands in every text that a pattern matches: a search for them finds quickly
 * where matching is worth its price.
 */
import type { AST } from "@eslint-community/regexpp";

/** Texts of one pattern. With more of them, searching is no longer cheap. */
export const PATTERN_TEXTS_MAX = 16;

/** The texts of a pattern; none if nothing is known to stand in what it matches. */
export function findTexts({ alternatives }: AST.Pattern): readonly string[] {
  return ofAlternatives(alternatives) ?? [];
}

type Texts = readonly string[] | undefined;

function ofAlternatives(alternatives: readonly AST.Alternative[]): Texts {
  const all: string[] = [];
  for (const { elements } of alternatives) {
    const texts = ofSequence(elements);
    if (texts === undefined) return undefined;
    all.push(...texts);
  }
  return all.length > PATTERN_TEXTS_MAX ? undefined : [...new Set(all)];
}

function ofSequence(elements: readonly AST.Element[]): Texts {
  const found: (readonly string[])[] = [];
  let run = "";
  for (const element of elements) {
    if (element.type === "Character") {
      run += String.fromCodePoint(element.value);
      continue;
    }
    // An assertion reads nothing: what stands around it stands together.
    if (element.type === "Assertion") continue;
    if (run !== "") found.push([run]);
    run = "";
    const inside = ofElement(element);
    if (inside !== undefined) found.push(inside);
  }
  if (run !== "") found.push([run]);
  // The rarest are probably those of which the shortest is the longest.
  return found.toSorted((one, other) => shortest(other) - shortest(one))[0];
}

function ofElement(element: AST.Element): Texts {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return ofAlternatives(element.alternatives);
    case "Quantifier":
      return element.min === 0 ? undefined : ofSequence([element.element]);
    default:
      return undefined;
  }
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}
