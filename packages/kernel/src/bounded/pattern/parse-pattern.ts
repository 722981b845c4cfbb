import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

export type ParsedPattern =
  | { readonly kind: "parsed"; readonly pattern: AST.Pattern }
  | { readonly kind: "refused"; readonly reason: string };

/** Every lookaround is one more pass over the text. */
export const PATTERN_LOOKAROUNDS_MAX = 8;

/** Distinct `\p{...}` of one pattern: the ranges of each are searched once in a process. */
export const PATTERN_PROPERTIES_MAX = 8;

/** Reads a pattern in Unicode mode, and refuses what cannot be matched in linear time. */
export function parsePattern(source: string): ParsedPattern {
  const pattern = parseSource(source);
  if (typeof pattern === "string") return refuse(`is not a regular expression: ${pattern}`);
  const problem = checkFeatures(pattern);
  return problem === undefined ? { kind: "parsed", pattern } : refuse(problem);
}

/** The tree, or what is wrong with the syntax. */
function parseSource(source: string): AST.Pattern | string {
  try {
    // The engine may know less syntax and fewer properties than the parser. Both must agree.
    new RegExp(source, "u");
    return new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    // The message repeats the source before the fault.
    return error instanceof Error ? error.message.replace(/^.*: /s, "") : String(error);
  }
}

function checkFeatures(pattern: AST.Pattern): string | undefined {
  const problems: string[] = [];
  const properties = new Set<string>();
  let lookarounds = 0;
  visitRegExpAST(pattern, {
    onBackreferenceEnter: () => problems.push("uses a backreference"),
    onModifiersEnter: () => problems.push("changes flags inside a group"),
    onAssertionEnter: (node) => {
      if (node.kind === "lookahead" || node.kind === "lookbehind") lookarounds += 1;
    },
    onCharacterSetEnter: (node) => {
      if (node.kind === "property") properties.add(node.raw.slice(2));
    },
  });
  if (lookarounds > PATTERN_LOOKAROUNDS_MAX) {
    problems.push(`has more than ${PATTERN_LOOKAROUNDS_MAX} lookarounds`);
  }
  if (properties.size > PATTERN_PROPERTIES_MAX) {
    problems.push(`has more than ${PATTERN_PROPERTIES_MAX} distinct Unicode properties`);
  }
  return problems[0];
}

function refuse(reason: string): ParsedPattern {
  return { kind: "refused", reason };
}
