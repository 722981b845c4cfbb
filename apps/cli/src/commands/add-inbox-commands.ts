/** The commands for what waits for somebody: see it, decide it, answer it. */
import type { Command } from "commander";
import type { CommandParts } from "./command-parts.ts";
import type { AnswerOptions } from "./run-answer.ts";

const REQUEST_HELP = "a request id, the beginning of one, its run, or last";
const STORE = [
  "--store <folder>",
  "the folder where runs are stored (default: .turnseal)",
] as const;
const FROM = [
  "--from <paths...>",
  "files or folders with the loops (default: those of the start)",
] as const;
const REASON = [
  "--reason <words>",
  "the reason; stored as content of the run, so erase removes it",
] as const;
const ROLES_HELP = `
Your decision is recorded under your user name of the operating system, with the roles that
TURNSEAL_ROLES gives this terminal, such as finance,support.`;

/** Adds them. */
export function addInboxCommands(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("inbox")
    .description("list what waits for a person: approvals, questions, unknown actions")
    .argument("[name]", `${REQUEST_HELP} (default: everything)`)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (name: string | undefined, options: object) => {
      const { runInbox } = await import("./run-inbox.ts");
      report(await runInbox(name, options, surroundings.terminal));
    });
  program
    .command("approve")
    .description("approve an action that waits for approval, or propose other arguments")
    .argument("<name>", REQUEST_HELP)
    .option(...REASON)
    .option("--edit <json>", "create a new request with these arguments: JSON, or @file")
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
    .description("reject an action that waits for approval")
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
    .description("answer a question; the answer must match its schema")
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
