/**
 * The commands about plans: what each takes. Deciding is `approve` and `reject`, as for all else.
 */
import type { Command } from "commander";
import type { ResumeOptions } from "../runs/run-resume.ts";
import type { CommandParts } from "../terminal/command-parts.ts";
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
import type { ProposeOptions } from "./run-propose.ts";
import type { RollbackCommandOptions } from "./run-rollback.ts";

const PLAN_HELP = `
A plan is proposed, decided with turnseal approve or turnseal reject, and then carried out with
turnseal plan run. Nothing of it is done before it was approved.`;

/** Adds `plan propose`, `plan show`, `plan run` and `plan rebuild`, and `rollback`. */
export function addPlanCommands(program: Command, { surroundings, report }: CommandParts): void {
  const plan = program
    .command("plan")
    .description("propose a plan, look at it, and carry it out once it was approved")
    .helpCommand(false)
    .addHelpText("after", PLAN_HELP);
  plan
    .command("propose")
    .description("start the run of a plan, which waits for the decision on the plan")
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
      "cancel the run of an earlier plan first: what was approved of it is void",
    )
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .action(async (file: string, options: ProposeOptions) => {
      const { runPropose } = await import("./run-propose.ts");
      report(await runPropose(file, options, surroundings));
    });
  plan
    .command("show")
    .description("show the plan of a run, and how far its steps are (shows content)")
    .argument("<run>", SUBJECT_HELP)
    .option(...EXPORT_KEYS)
    .option(...EXPORT_OPEN)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (run: string, options: object) => {
      const { runShowPlan } = await import("./run-show-plan.ts");
      report(await runShowPlan(run, options, surroundings.terminal));
    });
  plan
    .command("run")
    .description("carry out a plan that was approved, from where it stands")
    .argument("<run>", RUN_HELP)
    .option(...FROM)
    .option(...PRICES)
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .action(async (run: string, options: ResumeOptions) => {
      const { runPlan } = await import("./run-plan.ts");
      report(await runPlan(run, options, surroundings));
    });
  addRebuild(plan, { surroundings, report });
  addRollback(program, { surroundings, report });
}

const ROLLBACK_HELP = `
It says first what will be undone and what cannot be, and then asks: decide with turnseal approve
or turnseal reject, and carry it out with turnseal plan run. Asked for twice, it is the same one.`;

function addRollback(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("rollback")
    .description("take back what a run that has stopped did, by a run of its own")
    .argument("<run>", RUN_HELP)
    .option("--to-turn <n>", "leave this turn and those before it (default: none)", parseCount)
    .option("--dry-run", "only say what would be undone, and what cannot be")
    .option(...FROM)
    .option("--allow <tools>", "what it may execute (default: the compensations that it lists)")
    .option(...GRANT)
    .option(...BUDGET)
    .option(...EXPIRES)
    .option("--policy <file>", "rules, as .toml or .json (default: those of the run)")
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .addHelpText("after", ROLLBACK_HELP)
    .action(async (run: string, options: RollbackCommandOptions) => {
      const { runRollback } = await import("./run-rollback.ts");
      report(await runRollback(run, options, surroundings));
    });
}

function addRebuild(plan: Command, { surroundings, report }: CommandParts): void {
  plan
    .command("rebuild")
    .description(
      "make the kept graph of a run's plans anew from its log, and say whether it differed",
    )
    .argument("<run>", RUN_HELP)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (run: string, options: object) => {
      const { runRebuildPlan } = await import("./run-rebuild-plan.ts");
      report(await runRebuildPlan(run, options, surroundings.terminal));
    });
}
