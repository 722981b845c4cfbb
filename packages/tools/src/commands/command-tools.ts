/** Tools that run commands which a model writes. */
import { RUN_MS_MAX } from "../sandbox/limits.ts";
import { type AskedCommand, type CommandWorkspace, defineCommand } from "./define-command.ts";

export interface CommandToolsOptions extends CommandWorkspace {
  /** The first part of their names, for a second set of them in one program. */
  readonly name?: string;
  /** The command of `test.run`, by default `npm test`. */
  readonly tests?: readonly string[];
}

/** Arguments of a command. */
export const ARGUMENTS_MAX = 256;
/** UTF-16 units of one argument. */
export const ARGUMENT_LENGTH_MAX = 64 * 1024;

type Place = Omit<AskedCommand, "argv" | "isGit">;

const ARGV = {
  ...{ type: "array", minItems: 1, maxItems: ARGUMENTS_MAX },
  items: { type: "string", maxLength: ARGUMENT_LENGTH_MAX },
};
const PLACE = {
  startIn: { type: "string", description: "A folder of the workspace; itself if absent" },
  stdin: { type: "string" },
  timeoutMs: { type: "integer", minimum: 1, maximum: RUN_MS_MAX },
};

/**
 * The tools that run commands: `process.run` with arguments, `process.shell` with a line for
 * `/bin/sh`, and `test.run` with the operator's own test command. Each needs a term, such as
 * `grantTerms.commands(root, { profile })`.
 *
 * @example
 * const commands = commandTools({ root: "site", folder: "site", sandbox: bubblewrap() });
 * const agent = definePrompt({ ...header, tools: [commands.run] });
 */
export function commandTools(options: CommandToolsOptions) {
  const { tests = ["npm", "test"], name } = options;
  const run = defineCommand<Place & { readonly argv: readonly string[] }>(options, {
    id: `${name ?? "process"}.run`,
    description:
      "Runs a program with arguments, in a sandbox. No shell reads them: no pipes, no globs.",
    schema: schemaOf({ argv: ARGV }, ["argv"]),
    commandOf: (input) => input,
  });
  const shell = defineCommand<Place & { readonly command: string }>(options, {
    id: `${name ?? "process"}.shell`,
    description: "Runs a line for /bin/sh in a sandbox. Prefer `process.run`.",
    schema: schemaOf({ command: { type: "string", maxLength: ARGUMENT_LENGTH_MAX } }, ["command"]),
    commandOf: ({ command, ...place }) => ({ ...place, argv: ["/bin/sh", "-c", command] }),
  });
  const test = defineCommand<Place & { readonly more?: readonly string[] }>(options, {
    id: name === undefined ? "test.run" : `${name}.test`,
    description: `Runs the tests (${tests.join(" ")}), with more arguments if given.`,
    schema: schemaOf({ more: { ...ARGV, minItems: 0 } }, []),
    commandOf: ({ more = [], ...place }) => ({ ...place, argv: [...tests, ...more] }),
  });
  return { run, shell, test };
}

function schemaOf(properties: Readonly<Record<string, object>>, required: readonly string[]) {
  const all = { ...properties, ...PLACE };
  return { ...{ type: "object", additionalProperties: false }, properties: all, required } as never;
}
