import type { Term } from "@turnseal/protocol";
import { grantTerms } from "../terms/grant-terms.ts";

const READING = ["fs.read", "fs.list", "fs.glob", "fs.grep"];
const WRITING = ["fs.edit", "fs.write"];
const DELETING = ["fs.move", "fs.delete"];

/** The terms that these tools need for a folder, and no more. Rules ask before the web is read. */
export function workspaceTerms(root: string, tools: readonly string[]): readonly Term[] {
  const has = (names: readonly string[]) => names.some((name) => tools.includes(name));
  const verbs = [
    ...(has(READING) ? (["read"] as const) : []),
    ...(has([...WRITING, ...DELETING]) ? (["write"] as const) : []),
    ...(has(DELETING) ? (["delete"] as const) : []),
  ];
  const commands = [
    ...(has(["process.run", "test.run"]) ? ["**"] : []),
    ...(has(["git.diff"]) ? ["git/diff"] : []),
  ];
  return [
    ...(verbs.length === 0 ? [] : [grantTerms.files(root, { verbs })]),
    ...(commands.length === 0 ? [] : [grantTerms.commands(root, { commands })]),
    ...(has(["web.fetch"]) ? [{ ...grantTerms.hosts([]), bounds: {} }] : []),
  ];
}
