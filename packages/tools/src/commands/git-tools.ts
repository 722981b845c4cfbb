/**
 * Tools for the git repository of a workspace.
 *
 * 1. Git runs in the sandbox, and without the programs that a repository names: hooks, monitors,
 *    signing, other programs for differences. A filter cannot be turned off, and is refused.
 *    So is a repository inside of this one: git starts itself there, with its configuration.
 * 2. A path comes after `--`, and is no pattern: no path is an option or stands for others.
 */
import { type CommandWorkspace, defineCommand } from "./define-command.ts";

/** Paths of one call, and UTF-16 units of a message. */
export const GIT_PATHS_MAX = 1_000;
export const GIT_MESSAGE_LENGTH_MAX = 16 * 1024;

export interface GitToolsOptions extends Omit<CommandWorkspace, "profile"> {
  /** The author of commits, such as `Agent <agent@example.com>`. */
  readonly author: { readonly name: string; readonly email: string };
}

/** For every git that is started: they come before what the repository says. */
const SETTINGS = {
  ...{ "core.hooksPath": "/dev/null", "core.fsmonitor": "false", "core.pager": "cat" },
  ...{ "commit.gpgSign": "false", "diff.external": "", "safe.directory": "*", "gc.auto": "0" },
  ...{ "maintenance.auto": "false", "status.submoduleSummary": "false" },
  ...{ "diff.ignoreSubmodules": "all", "submodule.recurse": "false" },
};
const ENV = {
  ...{ GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" },
  // Else a path such as `:!a` is a pattern for all others.
  GIT_LITERAL_PATHSPECS: "1",
  // The repository can name another folder as its files, and a program as the way to a server.
  ...{ GIT_WORK_TREE: ".", GIT_ALLOW_PROTOCOL: "none" },
  GIT_CONFIG_COUNT: String(Object.keys(SETTINGS).length),
  ...Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};
const PATHS = {
  ...{ type: "array", minItems: 1, maxItems: GIT_PATHS_MAX },
  items: { type: "string", minLength: 1, maxLength: 1_024 },
};
/** Git executes a filter whenever it compares a file, and nothing turns all of them off. */
const FILTERS = "^filter\\..*\\.(clean|process|smudge)$";
const REFUSE_FILTERS = `if git config --get-regexp '${FILTERS}' > /dev/null
then echo "the repository names a filter, which git would execute: remove it" >&2; exit 1; fi; `;
/** A commit of paths begins with the tree of `HEAD`, so that its links are looked at as well. */
const REFUSE_LINKS = `if git ls-files --stage | grep -q '^160000 ' ||
  git ls-tree -r --full-tree HEAD 2> /dev/null | grep -q '^160000 '
then nested 'a submodule'; fi; `;
/** `find` follows no link; git takes `..` by its letters, and the system by its folders. */
const REFUSE_NESTED = `nested() {
  echo "$1 is a repository of its own, whose programs git would execute: use git by hand" >&2
  exit 1
}
refuse_nested() {
  for path; do
    case "/$path/" in */../*) echo "$path: a path has no '..' in it" >&2; exit 1; esac
    case "$path" in /*) at=$path ;; *) at=./$path ;; esac
    if [ -d "$at" ] && [ ! -L "$at" ]; then
      found=$(find "$at" -iname .git ! -samefile .git -print -quit) || exit 1
      [ -z "$found" ] || nested "$found"
    fi
    while [ "$at" != "\${at%/*}" ]; do
      at=\${at%/*}
      if [ -e "$at/.git" ] || [ -L "$at/.git" ]; then
        [ "$at/.git" -ef .git ] || nested "$at"
      fi
    done
  done
}
`;
const REFUSE = `${REFUSE_NESTED}${REFUSE_FILTERS}${REFUSE_LINKS}`;
const STATUS = `${REFUSE}exec git "$@"`;
const DIFF = `${REFUSE}staged=$1; shift; refuse_nested "$@"
exec git diff $staged --ignore-submodules=all --no-ext-diff --no-textconv --no-color -- "$@"`;
const COMMIT = `${REFUSE}refuse_nested "$@"
git add -- "$@" || exit
${REFUSE_LINKS}
git commit --quiet --file=- -- "$@" && git rev-parse HEAD`;

/**
 * The tools for git: `git.status`, `git.diff` and `git.commit`. Terms of a grant see them as the
 * commands `git/status`, `git/diff` and `git/commit`, the last with the profile `workspace-write`.
 *
 * @example
 * const author = { name: "Agent", email: "agent@example.com" };
 * const git = gitTools({ root: "site", folder: "site", sandbox: bubblewrap(), author });
 */
export function gitTools({ author, ...workspace }: GitToolsOptions) {
  const env = { ...workspace.env, ...ENV };
  const reading = { ...workspace, env, profile: "read-only" } as const;
  const { name, email } = author;
  const people = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  };
  const writing = { ...workspace, env: { ...env, ...people } };
  const status = defineCommand<Readonly<Record<string, never>>>(reading, {
    id: "git.status",
    description: "Shows the branch and the changed files of the repository.",
    schema: { type: "object", additionalProperties: false },
    commandOf: () => ({
      argv: runGit(STATUS, "status", "--ignore-submodules=all", "--porcelain=v1", "--branch"),
    }),
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
        argv: runGit(DIFF, staged ? "--cached" : "--no-color", ...paths),
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
        argv: runGit(COMMIT, ...paths),
      }),
      namedArgv: () => ["git", "commit"],
    },
  );
  return { status, diff, commit };
}

function runGit(...[script = "", ...args]: readonly string[]): readonly string[] {
  return ["/bin/sh", "-c", script, "git", ...args];
}
