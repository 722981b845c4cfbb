/** The commands for runs under an engine: what each takes. They are loaded when they are used. */
import { SLOTS_DEFAULT, STALL_MS_DEFAULT } from "@turnseal/runtime";
import { Argument, type Command } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import { collect, PRICE_TABLE } from "../terminal/options.ts";
import { parseCount } from "../terminal/parse-count.ts";
import { parseFirstPort, parsePort } from "../terminal/parse-port.ts";
import { parseSince } from "../terminal/parse-since.ts";
import { addArchiveCommand } from "./add-archive-command.ts";
import {
  AUDIT_LIMIT_DEFAULT,
  DEPLOY_STEPS,
  DEV_PORTS,
  DEV_PORTS_DEFAULT,
  type DeployStep,
  DRAIN_MS_DEFAULT,
  METRICS_PORT_DEFAULT,
  TENANT_STEPS,
  WORKER_PORT_DEFAULT,
} from "./defaults.ts";
import { parseLimit, parseMoney, parseStall, parseWeight } from "./parse-limit.ts";
import type { PauseCommand, PauseOptions } from "./run-pause.ts";

const FROM = ["--from <paths...>", "the loops to serve (default: ./loops)"] as const;
const POSTGRES = [
  "--postgres <url>",
  "the database of the runs, such as postgres://user@host/database (TURNSEAL_POSTGRES_URL)",
] as const;
const STORE = [
  "--store <folder>",
  "the folder for keys and notes of processes (default: .turnseal)",
] as const;
const POLICY = ["--policy <file>", "current rules, as .toml or .json: they may only deny"] as const;
const SHADOW = [
  "--shadow <file>",
  "rules on trial: their decisions are recorded but not applied",
] as const;

const REDIS = [
  "--redis <url>",
  "Redis for live output, and for rate limits shared by all workers",
] as const;
export const CONNECTIONS = [
  "--connections-max <n>",
  "the most connections to the database, for all tenants together",
  parseCount,
] as const;
export const REDIS_PREFIX = [
  "--redis-prefix <text>",
  "with --redis: the prefix of its keys; use one for each database (default: turnseal:)",
] as const;

/** Adds `worker`, `dev`, `deploy`, `tenant`, `pause`, `migrate`, `repair`, `archive`. */
export function addDurableCommands(program: Command, parts: CommandParts): void {
  addWorker(program, parts);
  addDev(program, parts);
  addDeploy(program, parts);
  addTenant(program, parts);
  addPause(program, parts);
  addCare(program, parts);
  addArchiveCommand(program, parts);
}

function addWorker(program: Command, parts: CommandParts): void {
  program
    .command("worker")
    .description("execute runs for an engine, until stopped")
    .option(...FROM)
    .option(...POSTGRES)
    .option(
      "--tenant <names...>",
      "the tenants whose runs to execute (default: every one of turnseal tenant list)",
    )
    .option("--tenant-files <folder>", "each tenant's own key, rules and secrets, by its name")
    .option("--tenant-files-optional", "serve tenants without a folder with the worker's own")
    .option("--bind <address>", "the address to listen on", "127.0.0.1")
    .option("--port <n>", "the port that the engine connects to", parsePort, WORKER_PORT_DEFAULT)
    .option(
      "--metrics-port <n>",
      "the port of /health, /ready and /metrics",
      parsePort,
      METRICS_PORT_DEFAULT,
    )
    .option("--identity-key <key>", "the public key of the engine (repeatable)", collect)
    .option("--insecure-no-identity", "do not verify that requests come from the engine")
    .option("--slots <n>", "runs that are executed at the same time", parseCount, SLOTS_DEFAULT)
    .option(...CONNECTIONS)
    .option("--action-max <ms>", "the longest that one action may take", parseCount)
    .option(
      "--stall-max <ms>",
      "end the worker if a tool stops its event loop for this long, or none",
      parseStall,
      STALL_MS_DEFAULT,
    )
    .option(
      "--admin <url>",
      "the admin API of the engine: /ready asks it whether this worker is registered and promoted",
    )
    .option(
      "--advertise <url>",
      "the URL at which the engine reaches this worker (default: from --bind and --port)",
    )
    .option(
      "--drain-max <ms>",
      "how long to wait for running actions when stopping",
      parseCount,
      DRAIN_MS_DEFAULT,
    )
    .option(
      "--production",
      "require a synchronous standby; refuse development keys and loops without a version",
    )
    .option("--without-standby", "with --production: accept a missing standby; this is logged")
    .option(...POLICY)
    .option(...SHADOW)
    .option(...PRICE_TABLE)
    .option(...REDIS)
    .option(...REDIS_PREFIX)
    .option("--provider-limits <file>", "with --redis: limits of providers, for all tenants")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-worker.ts")).runWorker));
}

function addDev(program: Command, parts: CommandParts): void {
  program
    .command("dev")
    .description("start an engine and a worker, and create the database, for development")
    .option(...FROM)
    .option(...POSTGRES)
    .option("--tenant <name>", "the tenant whose runs to execute (default: default)")
    .option(
      "--ports <first>",
      "the first of five ports to listen on",
      (text) => parseFirstPort(text, DEV_PORTS),
      DEV_PORTS_DEFAULT,
    )
    .option("--watch", "reload loops when their files change; open runs keep their versions")
    .option(...POLICY)
    .option(...SHADOW)
    .option(...PRICE_TABLE)
    .option(...REDIS)
    .option(...REDIS_PREFIX)
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-dev.ts")).runDev));
}

function addDeploy(program: Command, { surroundings, report }: CommandParts): void {
  const { terminal } = surroundings;
  program
    .command("deploy")
    .description("check, register, promote, drain and remove releases of workers")
    .addArgument(new Argument("<step>", "the step").choices(DEPLOY_STEPS))
    .argument("[release]", "the release to promote, drain or remove (default: that of --from)")
    .option("--admin <url>", "the admin API of the engine (TURNSEAL_ADMIN_URL)")
    .option(...POSTGRES)
    .option("--from <paths...>", "the loops of the release (default: ./loops)")
    .option("--url <url>", "register: the URL at which the engine reaches the workers")
    .option("--json", "check, status: print JSON")
    .addHelpText(
      "after",
      "\ncheck: compares new loops with unfinished runs; fails if any would block",
    )
    .action(async (step: DeployStep, release: string | undefined, options: object) => {
      if (step === "check") {
        const { runDeployCheck } = await import("./run-deploy-check.ts");
        report(await runDeployCheck(options, terminal));
        return;
      }
      const { runDeploy } = await import("./run-deploy.ts");
      report(await runDeploy(step, release, options, terminal));
    });
}

function addTenant(program: Command, parts: CommandParts): void {
  program
    .command("tenant")
    .description("add, list, limit, suspend, resume and delete tenants while workers run")
    .addArgument(new Argument("<step>", "the change").choices(TENANT_STEPS))
    .argument("[name]", "the tenant")
    .option(...POSTGRES)
    .option("--weight <n>", "limit: its share of slots and starts, from 1 to 1000", parseWeight)
    .option("--concurrency <n>", "limit: runs executed at the same time, or none", parseLimit)
    .option("--starts-per-second <n>", "limit: runs started in a second, or none", parseLimit)
    .option("--tokens-per-day <n>", "limit: tokens of models in a day, or none", parseLimit)
    .option("--money-per-day <n>", "limit: dollars in a day, or none", parseMoney)
    .option("--keep-days <n>", "limit: days until an ended run is archived, or none", parseLimit)
    .option("--force", "delete: also where runs have not ended")
    .option("--json", "print JSON")
    .action(act(parts, async () => (await import("./run-tenant.ts")).runTenant));
}

function addPause(program: Command, parts: CommandParts): void {
  const { surroundings, report } = parts;
  const { terminal } = surroundings;
  const add = (command: PauseCommand, description: string): Command =>
    program
      .command(command)
      .description(description)
      .option(...POSTGRES)
      .option("--json", "print JSON")
      .action(async ({ tenant, ...options }: PauseOptions, own: Command) => {
        const { runPause } = await import("./run-pause.ts");
        // The environment's tenant is for reading runs. It counts here only if the command line
        // names it.
        const isSaid = tenant !== undefined && own.getOptionValueSource("tenant") !== "env";
        const asked = { ...options, ...(isSaid ? { tenant } : {}) };
        report(await runPause(command, asked, terminal));
      });
  const addTarget = (command: Command): Command =>
    command
      .option("--all", "everything")
      .option("--tenant <name>", "the runs of a tenant")
      .option("--loop <id>", "the runs of a loop, and its calls in other runs")
      .option("--tool <name>", "a tool, such as local.pay, in every run");
  const pause = "pause a tenant, a loop or a tool: no turn or action of it begins until unpause";
  addTarget(add("pause", pause)).option(
    "--because <words>",
    "the reason, shown with each run that meets it",
  );
  addTarget(add("unpause", "lift a pause; its runs continue"));
  add("pauses", "list pauses, who set them and why");
  program
    .command("audit")
    .description("list changes of tenants, releases, pauses, policies and keys, and who made them")
    .option(...POSTGRES)
    .option("--since <time>", "only from then on, such as 2030-01-31 or 7d", (text) =>
      parseSince(text, Date.now()),
    )
    .option("--after <n>", "continue after the entry of this number", parseCount)
    .option("--limit <n>", "entries on one page, at most 1000", parseCount, AUDIT_LIMIT_DEFAULT)
    .option("--json", "print JSON")
    .action(act(parts, async () => (await import("./run-audit.ts")).runAudit));
}

function addCare(program: Command, parts: CommandParts): void {
  program
    .command("migrate")
    .description("update the tables of a database to this version; run it before any worker")
    .option(...POSTGRES)
    .action(act(parts, async () => (await import("./run-migrate.ts")).runMigrate));
  program
    .command("repair")
    .description("re-check overdue runs; safe to run at any time")
    .option(
      "--after-restore <time>",
      "also runs that changed since then: give the time of the backup",
    )
    .option("--blocked", "also runs that are blocked, such as by a limit that was raised since")
    .option("--after <run>", "with --after-restore: continue after this run")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-repair.ts")).runRepair));
}
