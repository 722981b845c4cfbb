/**
 * Tools for the git repository of a workspace.
 *
 * 1. Git runs in the sandbox, and without what a repository can make it execute: hooks, monitors,
 *    signing, other programs for differences.
 * 2. A path comes after `--`, so that none is an option.
 */
import { type CommandWorkspace, defineCommand } from "./define-command.ts";

/** Paths of one call, and UTF-16 units of a message. */
export const GIT_PATHS_MAX = 1_000;
export const GIT_MESSAGE_LENGTH_MAX = 16 * 1024;

export interface GitToolsOptions extends Omit<CommandWorkspace, "profile"> {
  /** The author of commits, such as `Agent <agent@example.com>`. */
  readonly author: { readonly name: string; readonly email: string };
}

const HARMLESS = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.pager=cat"],
  ...["commit.gpgSign=false", "diff.external=", "safe.directory=*"],
].flatMap((setting) => ["-c", setting]);
const PATHS = {
  ...{ type: "array", minItems: 1, maxItems: GIT_PATHS_MAX },
  items: { type: "string", minLength: 1, maxLength: 1_024 },
};
const COMMIT = 'git "$@" && git commit --quiet --file=- && git rev-parse HEAD';

/**
 * The tools for git: `git.status`, `git.diff` and `git.commit`. Terms of a grant see them as the
 * commands `git/status`, `git/diff` and `git/commit`, the last with the profile `workspace-write`.
 *
 * @example
 * const author = { name: "Agent", email: "agent@example.com" };
 * const git = gitTools({ root: "site", folder: "site", sandbox: bubblewrap(), author });
 */
export function gitTools({ author, ...workspace }: GitToolsOptions) {
  const settings = { GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0", ...workspace.env };
  const reading = { ...workspace, env: settings, profile: "read-only" } as const;
  const { name, email } = author;
  const people = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  };
  // The second git of a commit reads the same settings from its environment.
  const writing = { ...workspace, env: { ...settings, ...people, ...listSettings() } };
  const status = defineCommand<Readonly<Record<string, never>>>(reading, {
    id: "git.status",
    description: "Shows the branch and the changed files of the repository.",
    schema: { type: "object", additionalProperties: false },
    commandOf: () => ({ argv: ["git", ...HARMLESS, "status", "--porcelain=v1", "--branch"] }),
    namedArgv: () => ["git", "status"],
  });
  const diff = defineCommand<{ readonly paths?: readonly string[]; readonly staged?: boolean }>(
    reading,
    {
      id: "git.diff",
      description: "Shows what changed in the working tree, or with `staged` in the index.",
      schema: {
        ...{ type: "object", additionalProperties: false },
        properties: { paths: PATHS, staged: { type: "boolean" } },
      },
      commandOf: ({ paths = [], staged = false }) => ({
        argv: [
          ...["git", ...HARMLESS, "diff", "--no-ext-diff", "--no-textconv", "--no-color"],
          ...[...(staged ? ["--cached"] : []), "--", ...paths],
        ],
      }),
      namedArgv: () => ["git", "diff"],
    },
  );
  const commit = defineCommand<{ readonly message: string; readonly paths: readonly string[] }>(
    { ...writing, profile: "workspace-write" },
    {
      id: "git.commit",
      description: "Commits these paths with a message, and answers the id of the commit.",
      schema: {
        ...{ type: "object", additionalProperties: false, required: ["message", "paths"] },
        properties: {
          message: { type: "string", minLength: 1, maxLength: GIT_MESSAGE_LENGTH_MAX },
          paths: PATHS,
        },
      },
      commandOf: ({ message, paths }) => ({
        ...{ stdin: message, isGit: true },
        argv: ["/bin/sh", "-c", COMMIT, "git", "add", "--", ...paths],
      }),
      namedArgv: () => ["git", "commit"],
    },
  );
  return { status, diff, commit };
}

/** The settings as variables, which every git that is started reads. */
function listSettings(): Readonly<Record<string, string>> {
  const settings = HARMLESS.filter((part) => part !== "-c").map((part) => part.split("="));
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key = "", value = ""], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
