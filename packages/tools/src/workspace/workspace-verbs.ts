/**
 * The verbs that a workflow has for one folder: it reads, searches and changes files, runs commands
 * and tests, and reads the web.
 *
 * 1. They are the tools of this package under shorter names, so a grant and rules see `fs.edit` and
 *    `process.run`.
 * 2. A command changes nothing in the folder: every change is one of a file tool, which
 *    is asked for, recorded, and taken back by a rollback.
 */
import type { Loop } from "@turnseal/protocol/authoring";
import { commandTools } from "../commands/command-tools.ts";
import { gitTools } from "../commands/git-tools.ts";
import { fileTools } from "../files/file-tools.ts";
import type { CommandEnd } from "../sandbox/run-command.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { webTools } from "../web/web-tools.ts";
import { defineVerb, type VerbInput } from "./define-verb.ts";

export interface Workspace {
  /** The name of the folder in terms of a grant. */
  readonly root: string;
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
}

/** Arguments of one command of a workflow. */
const WORDS_MAX = 100;

/** The verbs for the files, the commands and the web. */
export function workspaceVerbs(workspace: Workspace): readonly Loop<never, unknown>[] {
  return [
    ...fileVerbs(workspace.root),
    ...commandVerbs(workspace),
    defineVerb(webTools().fetch, {
      ...{ id: "web", args: [0, 0] },
      description: "Reads a page of the web as text. Target: its URL.",
      toInput: ({ target: url = "" }) => ({ url }),
    }),
  ];
}

function fileVerbs(root: string): Loop<never, unknown>[] {
  const { read, list, glob, grep, edit, write, move, delete: remove } = fileTools(root);
  return [
    defineVerb(read, {
      ...{ id: "read", args: [0, 0] },
      description:
        "Reads a text file. Target: its path. Answers its text, and its version for a change.",
      toInput: ({ target: path = "" }) => ({ path }),
    }),
    defineVerb(list, {
      ...{ id: "list", needsTarget: false, args: [0, 0] },
      description: "Lists a folder. Target: its path; none for the whole.",
      toInput: ({ target: folder = "" }) => ({ folder: folder === "." ? "" : folder }),
    }),
    defineVerb(glob, {
      ...{ id: "find", args: [0, 0] },
      description: "Finds files by their path. Target: a pattern such as *.ts or src/**/*.py.",
      toInput: ({ target: pattern = "" }) => ({ pattern }),
    }),
    defineVerb(grep, {
      ...{ id: "search", args: [0, 1] },
      description: "Finds lines in files. Target: a regular expression. Argument: a folder.",
      toInput: ({ target: pattern = "", args: [folder = ""] }) => ({ pattern, folder }),
    }),
    defineVerb(edit, {
      ...{ id: "edit", args: [3, 3] },
      description:
        "Replaces a piece of a text file. Target: its path. Arguments: the piece, which stands " +
        "exactly once in the file; what comes in its place; the version of the file.",
      toInput: ({ target: path = "", args: [from = "", to = "", version = ""] }) => ({
        ...{ path, version, edits: [{ from, to }] },
      }),
    }),
    defineVerb(write, {
      ...{ id: "write", args: [1, 2] },
      description:
        "Writes a whole text file. Target: its path. Arguments: its text, and the version of the " +
        "file that it replaces, if there is one.",
      toInput: ({ target: path = "", args: [text = "", version] }) => ({
        ...{ path, text },
        ...(version === undefined ? {} : { version }),
      }),
    }),
    defineVerb(move, {
      ...{ id: "move", args: [2, 2] },
      description: "Moves a file. Target: its path. Arguments: the new path, and its version.",
      toInput: ({ target: path = "", args: [to = "", version = ""] }) => ({ path, to, version }),
    }),
    defineVerb(remove, {
      ...{ id: "delete", args: [1, 1] },
      description: "Deletes a file. Target: its path. Argument: its version.",
      toInput: ({ target: path = "", args: [version = ""] }) => ({ path, version }),
    }),
  ];
}

function commandVerbs(workspace: Workspace): Loop<never, unknown>[] {
  const { run, test } = commandTools(workspace);
  const { diff } = gitTools({ ...workspace, author: { name: "agent", email: "agent@localhost" } });
  const words = ({ target, args }: VerbInput) => (target === undefined ? args : [target, ...args]);
  return [
    defineVerb(run, {
      ...{ id: "run", args: [0, WORDS_MAX], shows: ENDS },
      description:
        "Runs a program that changes no file and has no network. Target: the program. Arguments: " +
        "its own; no shell reads them.",
      toInput: (input) => ({ argv: words(input) }),
    }),
    defineVerb(test, {
      ...{ id: "test", needsTarget: false, args: [0, WORDS_MAX], shows: ENDS },
      description: "Runs the tests of the repository, npm test. Arguments: more for it.",
      toInput: (input) => ({ more: words(input) }),
    }),
    defineVerb(diff, {
      ...{ id: "diff", needsTarget: false, args: [0, WORDS_MAX], shows: ENDS },
      description:
        "Shows what is changed and not committed. Target, arguments: paths; none for all.",
      toInput: (input) => {
        const paths = words(input);
        return paths.length === 0 ? {} : { paths };
      },
    }),
  ];
}

/** How a command ended, with `errors` for the condition `has_errors`. */
const ENDS = {
  schema: {
    type: "object",
    properties: {
      exit: { type: "integer" },
      stdout: { type: "string" },
      stderr: { type: "string" },
      errors: { type: "boolean" },
    },
    required: ["stdout", "stderr", "errors"],
  },
  show: (end: CommandEnd) => ({ ...end, errors: end.exit !== 0 }),
};
