/** The examples that come with the package: those that need nothing but `turnseal` and `zod`. */
export const EXAMPLE_NAMES = ["hello", "rag", "refund", "tool-calling", "two-agents"] as const;
export type ExampleName = (typeof EXAMPLE_NAMES)[number];
