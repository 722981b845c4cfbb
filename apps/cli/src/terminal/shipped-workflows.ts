/** The workflows of the package: each is a document, and the rules are the same for all. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PACKAGE_ROOT } from "../package-root.ts";

/** Each with one line for the help. */
export const WORKFLOWS = {
  dwim: "does a task in this folder: reads, changes and tests (--task)",
  "fix-tests": "makes the failing tests of this folder pass",
  review: "says what is wrong with the changes that are not committed",
} as const;
export type WorkflowName = keyof typeof WORKFLOWS;

export function isWorkflowName(name: string): name is WorkflowName {
  return Object.hasOwn(WORKFLOWS, name);
}

/** One line for each. */
export function listWorkflows(): string[] {
  return Object.entries(WORKFLOWS).map(([name, what]) => `  ${name.padEnd(10)}${what}`);
}

/** A file of the package: in the repository it is above the packages. */
export function locateShipped(name: string): string {
  const own = new URL(name, PACKAGE_ROOT);
  return fileURLToPath(existsSync(own) ? own : new URL(`../../${name}`, PACKAGE_ROOT));
}

/** The document of a workflow: that of the folder of the command, or else the shipped one. */
export function locateWorkflow(name: WorkflowName): string {
  const own = `${name}.toml`;
  return existsSync(own) ? own : locateShipped(`templates/workflows/${own}`);
}
