/** The commands for runs under an engine: what each takes. They are loaded when they are used. */
import { SLOTS_DEFAULT } from "@turnseal/runtime";
import type { Command } from "commander";
import {
  DEV_PORTS,
  DEV_PORTS_DEFAULT,
  DRAIN_MS_DEFAULT,
  METRICS_PORT_DEFAULT,
  WORKER_PORT_DEFAULT,
} from "../durable/defaults.ts";
import { parseCount } from "./add-run-commands.ts";
import type { CommandParts } from "./command-parts.ts";
import { parseFirstPort, parsePort } from "./parse-port.ts";
import type { DevOptions } from "./run-dev.ts";
import type { WorkerCommandOptions } from "./run-worker.ts";

const FROM = ["--from <paths...>", "the loops to serve (default: ./loops)"] as const;
const POSTGRES = [
  "--postgres <url>",
  "where runs are kept, such as postgres://user@host/database (TURNSEAL_POSTGRES_URL)",
] as const;
const STORE = ["--store <folder>", "where keys and notes are kept (default: .turnseal)"] as const;
const POLICY = [
  "--policy <file>",
  "rules of today, as .toml or .json: what they deny is denied",
] as const;
const SHADOW = ["--shadow <file>", "rules on trial: what they would decide is recorded"] as const;

const REDIS = [
  "--redis <url>",
  "where what is being written is told, and rate limits are kept for all workers",
] as const;
export const REDIS_PREFIX = [
  "--redis-prefix <text>",
  "with --redis: what keys begin with; another for each database (default: turnseal:)",
] as const;

/** Adds them. */
export function addDurableCommands(program: Command, parts: CommandParts): void {
  addWorker(program, parts);
  addDev(program, parts);
  addCare(program, parts);
}

function addWorker(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("worker")
    .description("carry runs for an engine, until it is told to stop")
    .option(...FROM)
    .option(...POSTGRES)
    .option("--tenant <names...>", "whose runs (default: default)")
    .option("--bind <address>", "the address to listen on", "127.0.0.1")
    .option("--port <n>", "where the engine finds it", parsePort, WORKER_PORT_DEFAULT)
    .option(
      "--metrics-port <n>",
      "where /health, /ready and /metrics are",
      parsePort,
      METRICS_PORT_DEFAULT,
    )
    .option("--identity-key <key>", "the public key of the engine (repeatable)", collect)
    .option("--insecure-no-identity", "answer whoever reaches the port")
    .option("--slots <n>", "runs that are carried at once", parseCount, SLOTS_DEFAULT)
    .option("--action-max <ms>", "the longest that one action may take", parseCount)
    .option("--admin <url>", "register there, and be ready when its partitions have leaders")
    .option("--advertise <url>", "how the engine reaches this worker (default: bind and port)")
    .option("--drain-max <ms>", "how long to wait for what was begun", parseCount, DRAIN_MS_DEFAULT)
    .option("--production", "require a synchronous standby, and refuse development keys")
    .option("--without-standby", "with --production: do without the standby; it is logged")
    .option(...POLICY)
    .option(...SHADOW)
    .option(...REDIS)
    .option(...REDIS_PREFIX)
    .option(...STORE)
    .action(async (options: WorkerCommandOptions) => {
      const { runWorker } = await import("./run-worker.ts");
      report(await runWorker(options, surroundings));
    });
}

function addDev(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("dev")
    .description("start an engine, a worker and the database here, for development")
    .option(...FROM)
    .option(...POSTGRES)
    .option("--tenant <name>", "whose runs (default: default)")
    .option(
      "--ports <first>",
      "the first of five ports to listen on",
      (text) => parseFirstPort(text, DEV_PORTS),
      DEV_PORTS_DEFAULT,
    )
    .option(...POLICY)
    .option(...SHADOW)
    .option(...REDIS)
    .option(...REDIS_PREFIX)
    .option(...STORE)
    .action(async (options: DevOptions) => {
      const { runDev } = await import("./run-dev.ts");
      report(await runDev(options, surroundings));
    });
}

function addCare(program: Command, { surroundings: { terminal }, report }: CommandParts): void {
  program
    .command("migrate")
    .description("bring the tables of a database to this version, before any worker")
    .option(...POSTGRES)
    .action(async (options: object) => {
      const { runMigrate } = await import("./run-migrate.ts");
      report(await runMigrate(options, terminal));
    });
  program
    .command("repair")
    .description("have every run looked at that should have been; it may run at any time")
    .option("--after-restore <time>", "also those that moved since then, as of the backup")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (options: object) => {
      const { runRepair } = await import("./run-repair.ts");
      report(await runRepair(options, terminal));
    });
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
