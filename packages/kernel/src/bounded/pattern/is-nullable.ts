import type { AST } from "@eslint-community/regexpp";

/** True when the element can match without consuming a character. */
export function isNullable(element: AST.Element): boolean {
  switch (element.type) {
    case "Assertion":
      return true;
    case "Quantifier":
      return element.min === 0 || isNullable(element.element);
    case "Group":
    case "CapturingGroup":
      return element.alternatives.some(({ elements }) => elements.every(isNullable));
    default:
      return false;
  }
}
