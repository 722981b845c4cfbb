import type { AST } from "@eslint-community/regexpp";
import { InvariantError } from "@turnseal/protocol";
import { type CodePoints, invertCodePoints, uniteRanges } from "./code-points.ts";
import { findProperty } from "./find-property.ts";

/** The parts of a pattern that consume one character. */
export type CharacterNode = AST.Character | AST.CharacterClass | AST.CharacterSet;

const digits: CodePoints = [[0x30, 0x39]];
export const wordCharacters: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const lineTerminators: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const spaces: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** The code points that a part of a pattern matches. */
export function readCharacterSet(node: CharacterNode): CodePoints {
  switch (node.type) {
    case "Character":
      return [[node.value, node.value]];
    case "CharacterSet":
      return fromEscape(node);
    case "CharacterClass": {
      const united = uniteRanges(node.elements.flatMap(fromClassElement));
      return node.negate ? invertCodePoints(united) : united;
    }
  }
}

function fromEscape(node: AST.CharacterSet): CodePoints {
  switch (node.kind) {
    case "any":
      return invertCodePoints(lineTerminators);
    case "digit":
      return node.negate ? invertCodePoints(digits) : digits;
    case "space":
      return node.negate ? invertCodePoints(spaces) : spaces;
    case "word":
      return node.negate ? invertCodePoints(wordCharacters) : wordCharacters;
    case "property": {
      const points = findProperty(node.raw.slice(2));
      return node.negate ? invertCodePoints(points) : points;
    }
  }
}

function fromClassElement(node: AST.CharacterClassElement): CodePoints {
  switch (node.type) {
    case "Character":
    case "CharacterSet":
      return readCharacterSet(node);
    case "CharacterClassRange":
      return [[node.min.value, node.max.value]];
    default:
      // Set notation belongs to the `v` flag, and patterns are parsed with `u`.
      throw new InvariantError(`a character class holds ${node.type}`);
  }
}
