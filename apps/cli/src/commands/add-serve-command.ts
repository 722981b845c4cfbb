/** The command that serves agents to people: what it takes. It is loaded when it is used. */
import type { Command } from "commander";
import { SERVE_PORT_DEFAULT } from "../serve/defaults.ts";
import { REDIS_PREFIX } from "./add-durable-commands.ts";
import type { CommandParts } from "./command-parts.ts";
import { parsePort } from "./parse-port.ts";
import type { ServeOptions } from "./run-serve.ts";

export function addServeCommand(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("serve")
    .description("serve agents over HTTP: start, watch, decide, answer and stop")
    .option("--from <paths...>", "modules that export loops and agents (default: ./loops)")
    .option("--keys <file>", "who may ask: a JSON file with the digests of their keys")
    .option("--insecure-localhost", "ask nobody who they are; listens on 127.0.0.1 alone")
    .option("--bind <address>", "the address to listen on (default: 127.0.0.1)")
    .option("--port <n>", "the port to listen on", parsePort, SERVE_PORT_DEFAULT)
    .option("--origin <urls...>", "pages of these origins may ask (default: none)")
    .option("--store <folder>", "where runs are kept (default: .turnseal)")
    .option("--host <url>", "the ingress of the engine that carries runs (TURNSEAL_HOST)")
    .option("--postgres <url>", "with --host: where runs are kept (TURNSEAL_POSTGRES_URL)")
    .option("--tenant <names...>", "whose runs, where no keys say (default: default)")
    .option("--redis <url>", "with --host: where workers tell what is being written")
    .option(...REDIS_PREFIX)
    .action(async (options: ServeOptions) => {
      const { runServe } = await import("./run-serve.ts");
      report(await runServe(options, surroundings));
    });
}
