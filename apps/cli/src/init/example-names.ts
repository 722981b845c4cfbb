/** The examples of the package: they need only `turnseal` and `zod`. */
export const EXAMPLE_NAMES = ["hello", "rag", "refund", "tool-calling", "two-agents"] as const;
export type ExampleName = (typeof EXAMPLE_NAMES)[number];
