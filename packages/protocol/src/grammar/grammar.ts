/** The grammar of a log, as the specification has it: `npm run fix` copies it from there. */
import table from "./grammar.json" with { type: "json" };
import type { Grammar } from "./rule.ts";

// A test holds the copy against the specification, and every name in it against its list.
export const GRAMMAR = table as unknown as Grammar;
