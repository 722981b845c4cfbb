/**
 * The commands about plans: what each takes. Deciding is `approve` and `reject`, as for all else.
 */
import type { Command } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import {
  BUDGET,
  EXPIRES,
  EXPORT_KEYS,
  EXPORT_OPEN,
  FROM,
  GRANT,
  PRICE_TABLE,
  PRICES,
  RUN_HELP,
  STORE,
  SUBJECT_HELP,
} from "../terminal/options.ts";
import { parseCount } from "../terminal/parse-count.ts";
import { parseName } from "../terminal/parse-name.ts";

const PLAN_HELP = `
Propose a plan, decide on it with turnseal approve or turnseal reject, and execute it with turnseal
plan run. None of its steps begins before the approval.`;

/** Adds `plan propose`, `plan show`, `plan run` and `plan rebuild`, and `rollback`. */
export function addPlanCommands(program: Command, parts: CommandParts): void {
  const plan = program
    .command("plan")
    .description("propose a plan, show it, and execute it once it is approved")
    .helpCommand(false)
    .addHelpText("after", PLAN_HELP);
  plan
    .command("propose")
    .description("start the run of a plan, which waits for its approval")
    .argument("<file>", "the plan, as .toml or .json")
    .option("--from <paths...>", "files or folders with the loops (default: ./loops)")
    .option("--allow <tools>", "tools that its steps may execute, such as local.pay,local.lookup")
    .option(...GRANT)
    .option(...BUDGET)
    .option(...EXPIRES)
    .option(...PRICE_TABLE)
    .option(
      "--policy <file>",
      "rules, as .toml or .json: who decides on turnseal.plan, and on the rest",
    )
    .option(
      "--key <key>",
      "idempotency key: the same key and plan never start a second run",
      parseName,
    )
    .option(
      "--instead-of <run>",
      "cancel the run of an earlier plan first: its approvals become void",
    )
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-propose.ts")).runPropose));
  plan
    .command("show")
    .description("show the plan of a run, and how far its steps are (shows content)")
    .argument("<run>", SUBJECT_HELP)
    .option(...EXPORT_KEYS)
    .option(...EXPORT_OPEN)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-show-plan.ts")).runShowPlan));
  plan
    .command("run")
    .description("execute an approved plan, from where it stands")
    .argument("<run>", RUN_HELP)
    .option(...FROM)
    .option(...PRICES)
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-plan.ts")).runPlan));
  addRebuild(plan, parts);
  addRollback(program, parts);
}

const ROLLBACK_HELP = `
It lists the actions that it will undo and those that it cannot, and waits: decide with turnseal
approve or turnseal reject, and execute it with turnseal plan run. Repeated, it is the same one.`;

function addRollback(program: Command, parts: CommandParts): void {
  program
    .command("rollback")
    .description("undo the actions of a stopped run, by a new run")
    .argument("<run>", RUN_HELP)
    .option("--to-turn <n>", "leave this turn and those before it (default: none)", parseCount)
    .option("--dry-run", "only list the actions that it can and cannot undo")
    .option(...FROM)
    .option(
      "--allow <tools>",
      "tools that it may execute (default: the compensations that it lists)",
    )
    .option(...GRANT)
    .option(...BUDGET)
    .option(...EXPIRES)
    .option("--policy <file>", "rules, as .toml or .json (default: those of the run)")
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .addHelpText("after", ROLLBACK_HELP)
    .action(act(parts, async () => (await import("./run-rollback.ts")).runRollback));
}

function addRebuild(plan: Command, parts: CommandParts): void {
  plan
    .command("rebuild")
    .description(
      "rebuild the stored graph of a run's plans from its log, and say whether it differed",
    )
    .argument("<run>", RUN_HELP)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-rebuild-plan.ts")).runRebuildPlan));
}
