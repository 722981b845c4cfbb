/** The commands for what waits for somebody: see it, decide it, answer it. */
import type { Command } from "commander";
import type { CommandParts } from "./command-parts.ts";
import type { AnswerOptions } from "./run-answer.ts";

const REQUEST_HELP = "the id of what waits, the beginning of one, its run, or last";
const STORE = ["--store <folder>", "where runs are kept (default: .turnseal)"] as const;
const FROM = ["--from <paths...>", "where the loops are now (default: where they were)"] as const;
const REASON = ["--reason <words>", "why, in your own words; it is content"] as const;
const ROLES_HELP = `
You decide as the user that the operating system knows, with the roles that whoever set up this
terminal wrote into TURNSEAL_ROLES, such as finance,support.`;

/** Adds them. */
export function addInboxCommands(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("inbox")
    .description("what waits for somebody: approvals, questions, unknown actions")
    .argument("[name]", `${REQUEST_HELP} (default: everything)`)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (name: string | undefined, options: object) => {
      const { runInbox } = await import("./run-inbox.ts");
      report(await runInbox(name, options, surroundings.terminal));
    });
  program
    .command("approve")
    .description("allow an action that waits for it, or ask for it with other arguments")
    .argument("<name>", REQUEST_HELP)
    .option(...REASON)
    .option("--edit <json>", "ask for these arguments instead: JSON, or @file")
    .option(...FROM)
    .option("--json", "print JSON")
    .option(...STORE)
    .addHelpText("after", ROLES_HELP)
    .action(async (name: string, options: object) => {
      const { runDecide } = await import("./run-decide.ts");
      report(await runDecide("approve", name, { ...options, surroundings }));
    });
  program
    .command("reject")
    .description("refuse an action that waits to be allowed")
    .argument("<name>", REQUEST_HELP)
    .option(...REASON)
    .option("--json", "print JSON")
    .option(...STORE)
    .addHelpText("after", ROLES_HELP)
    .action(async (name: string, options: object) => {
      const { runDecide } = await import("./run-decide.ts");
      report(await runDecide("reject", name, { ...options, surroundings }));
    });
  program
    .command("answer")
    .description("answer a question; an answer that does not fit is not taken")
    .argument("<name>", REQUEST_HELP)
    .requiredOption("--value <json>", "the answer: JSON, or @file")
    .option(...FROM)
    .option("--json", "print JSON")
    .option(...STORE)
    .addHelpText("after", ROLES_HELP)
    .action(async (name: string, options: AnswerOptions) => {
      const { runAnswer } = await import("./run-answer.ts");
      report(await runAnswer(name, options, surroundings));
    });
}
