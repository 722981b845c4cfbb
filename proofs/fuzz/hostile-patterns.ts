/**
 * Patterns on which an engine that backtracks needs exponential or polynomial time, and odd ones.
 */
export const hostilePatterns: readonly string[] = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "(a*)*b",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "^(\\w+\\s?)*$",
  "^(a?){30}a{30}$",
  "(.*)*x",
  "^(?:a|b|ab)*c$",
  "([a-zA-Z]+)*!",
  "^a*a*a*a*a*a*a*b$",
  "^(\\d+)*$",
  "(x+x+)+y",
  "^(?=(a+)+$)",
  "(?<=(a+)+)b",
  "(a{1,1000}){1,1000}",
  "[\\s\\S]*[\\s\\S]*[\\s\\S]*end",
  "(\\p{L}+)*\\p{N}",
  "^(.|\\n)*$",
  "((a)*)*((b)*)*",
  "(?:(?:a*)*)*",
  "\\1(a)",
  "(",
  "[z-a]",
  "a{2,1}",
  "\\",
  "(?<name>a)\\k<name>",
  "^[^@]+@[^@]+$",
  "^[a-z][a-z0-9-]*$",
  "a".repeat(1_001),
  `^(${"a|".repeat(200)}b)*$`,
  "((((((((((a?)?)?)?)?)?)?)?)?)?)*",
];

/** Texts on which such patterns are slow. */
export const hostileTexts: readonly string[] = [
  `${"a".repeat(30_000)}!`,
  `${"ab".repeat(15_000)}!`,
  `${"1".repeat(30_000)}x`,
  `${"x".repeat(30_000)}z`,
  " a".repeat(15_000),
  "é".repeat(20_000),
];
