/** The commands that serve agents to people: what they take. Each is loaded when it is used. */
import type { Command } from "commander";
import { CONNECTIONS, REDIS_PREFIX } from "../durable/add-durable-commands.ts";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import { PRICE_TABLE } from "../terminal/options.ts";
import { parsePort } from "../terminal/parse-port.ts";

/** The default port of a server. */
export const SERVE_PORT_DEFAULT = 8787;
/** And a router, which may be beside one. */
const ROUTE_PORT_DEFAULT = 8786;

export function addServeCommand(program: Command, parts: CommandParts): void {
  program
    .command("serve")
    .description("serve agents over HTTP: start, watch, decide, answer and stop")
    .option("--from <paths...>", "modules that export loops and agents (default: ./loops)")
    .option("--keys <file>", "who may connect: a JSON file with the digests of API keys")
    .option("--insecure-localhost", "no authentication; listens on 127.0.0.1 only")
    .option("--bind <address>", "the address to listen on (default: 127.0.0.1)")
    .option("--port <n>", "the port to listen on", parsePort, SERVE_PORT_DEFAULT)
    .option(
      "--metrics-port <n>",
      "the port of /health, /ready and /metrics (default: none)",
      parsePort,
    )
    .option("--origin <urls...>", "the origins of pages that may connect (default: none)")
    .option("--store <folder>", "the folder where runs are stored (default: .turnseal)")
    .option("--host <url>", "the ingress URL of the engine that executes runs (TURNSEAL_HOST)")
    .option("--postgres <url>", "with --host: the database of the runs (TURNSEAL_POSTGRES_URL)")
    .option(...CONNECTIONS)
    .option(
      "--tenant <names...>",
      "the tenants to serve (default: those of the keys; with --host, all of turnseal tenant list)",
    )
    .option("--cell <digits>", "the cell that run ids begin with, for a router (TURNSEAL_CELL)")
    .option("--redis <url>", "with --host: the Redis where workers publish live output")
    .option(...REDIS_PREFIX)
    .option(...PRICE_TABLE)
    .action(act(parts, async () => (await import("./run-serve.ts")).runServe));
  program
    .command("route")
    .description("one address for several cells: each request goes to the cell of its run")
    .requiredOption("--cells <file>", "the cells: a JSON file (docs/operate/cells.md)")
    .option("--bind <address>", "the address to listen on (default: 127.0.0.1)")
    .option("--port <n>", "the port to listen on", parsePort, ROUTE_PORT_DEFAULT)
    .action(act(parts, async () => (await import("./run-route.ts")).runRoute));
}
