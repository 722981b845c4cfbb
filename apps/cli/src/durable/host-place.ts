/** Where the runs of a command are, as its command line or its environment says. */
import type { Command } from "commander";

export interface HostPlace {
  /** The folder of local runs, and of keys and notes. */
  readonly store?: string;
  /** The ingress of an engine: with it, runs are carried by workers. */
  readonly host?: string;
  readonly postgres?: string;
  readonly tenant?: string;
}

/** Whose runs they are when nobody says. */
export const TENANT_DEFAULT = "default";

const variables = {
  host: "TURNSEAL_HOST",
  postgres: "TURNSEAL_POSTGRES_URL",
  tenant: "TURNSEAL_TENANT",
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Gives every command that has `--store` the options for runs under an engine, and every command
 * that takes such an option what the environment says of it.
 */
export function addHostPlace(commands: readonly Command[], environment: Environment): void {
  for (const command of commands) {
    const has = (flag: string) => command.options.some(({ long }) => long === flag);
    if (has("--store") && !has("--postgres"))
      command
        .option("--host <url>", `the ingress of the engine that carries runs (${variables.host})`)
        .option("--postgres <url>", `with --host: where runs are kept (${variables.postgres})`)
        .option("--tenant <name>", `with --host: whose runs (default: ${TENANT_DEFAULT})`);
    command.hook("preAction", () => {
      for (const [name, variable] of Object.entries(variables)) {
        const said = environment[variable] ?? "";
        if (said === "" || !has(`--${name}`) || command.getOptionValue(name) !== undefined)
          continue;
        command.setOptionValueWithSource(name, said, "env");
      }
      checkDatabase(command);
    });
  }
}

/** Whatever a command does with the database, a text that names none is refused before. */
function checkDatabase(command: Command): void {
  const postgres: unknown = command.getOptionValue("postgres");
  if (postgres === undefined) return;
  const url = typeof postgres === "string" ? URL.parse(postgres) : null;
  if (url !== null && /^postgres(ql)?:$/.test(url.protocol)) return;
  // What was said instead may hold a password.
  command.error("error: --postgres takes a URL: postgres://user@host/database", {
    code: "turnseal.database",
    exitCode: 64,
  });
}
