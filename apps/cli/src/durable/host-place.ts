/** Where the runs of a command are, as its command line or its environment says. */

import { isCell, isTenant, TENANT_WORDS } from "@turnseal/protocol";
import { TENANT_DEFAULT } from "@turnseal/runtime";
import type { Command } from "commander";
import { EXIT_CODES } from "../exit-codes.ts";

const variables = {
  host: "TURNSEAL_HOST",
  postgres: "TURNSEAL_POSTGRES_URL",
  tenant: "TURNSEAL_TENANT",
  admin: "TURNSEAL_ADMIN_URL",
  cell: "TURNSEAL_CELL",
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Gives every command that has `--store` the options for runs under an engine, and every command
 * that takes such an option what the environment says of it.
 */
export function addHostPlace(commands: readonly Command[], environment: Environment): void {
  const below = commands.flatMap((command) => command.commands).filter(hasOption("--store"));
  for (const command of [...commands, ...below]) {
    const has = (flag: string) => hasOption(flag)(command);
    if (has("--store") && !has("--postgres"))
      command
        .option(
          "--host <url>",
          `the ingress URL of the engine that executes runs (${variables.host})`,
        )
        .option("--postgres <url>", `with --host: the database of the runs (${variables.postgres})`)
        .option("--tenant <name>", `with --host: the tenant (default: ${TENANT_DEFAULT})`)
        .option("--archive <folder>", "with --host: archived runs (default: where they were put)");
    command.hook("preAction", () => {
      for (const [name, variable] of Object.entries(variables)) {
        const said = environment[variable] ?? "";
        if (said === "" || !has(`--${name}`) || command.getOptionValue(name) !== undefined)
          continue;
        command.setOptionValueWithSource(name, said, "env");
      }
      checkStore(command);
      checkTenant(command);
      checkCell(command);
      checkUrl(command, "postgres", "postgres://user@host/database", /^postgres(ql)?:$/);
      checkUrl(command, "redis", "redis://host:6379", /^rediss?:$/);
    });
  }
}

function hasOption(flag: string): (command: Command) => boolean {
  return ({ options }) => options.some(({ long }) => long === flag);
}

/** An empty name would be the current folder: keys and content would lie open in a project. */
function checkStore(command: Command): void {
  if (command.getOptionValue("store") === "") refuse(command, "--store takes a folder");
}

/** Without this check, a wrong name would show only at the database, the engine or the server. */
function checkTenant(command: Command): void {
  const tenants: unknown = command.getOptionValue("tenant");
  const isName = [tenants ?? TENANT_DEFAULT].flat().every(isTenant);
  if (!isName) refuse(command, `--tenant takes a name of ${TENANT_WORDS}`);
}

function checkCell(command: Command): void {
  const cell: unknown = command.getOptionValue("cell");
  if (cell === undefined || (typeof cell === "string" && isCell(cell))) return;
  refuse(command, "--cell takes three hexadecimal digits, such as 00a");
}

/** A text that is no URL is refused before a command uses the server. */
function checkUrl(command: Command, option: string, example: string, scheme: RegExp): void {
  const said: unknown = command.getOptionValue(option);
  if (said === undefined) return;
  const url = typeof said === "string" ? URL.parse(said) : null;
  if (url !== null && scheme.test(url.protocol)) return;
  // The refused value may hold a password, so it is not shown.
  refuse(command, `--${option} takes a URL: ${example}`);
}

function refuse(command: Command, message: string): never {
  return command.error(`error: ${message}`, { code: "turnseal.place", exitCode: EXIT_CODES.usage });
}
