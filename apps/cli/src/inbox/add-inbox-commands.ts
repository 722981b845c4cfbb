/** The commands that tell a run something: what waits for somebody, and what it is to hear. */
import type { Command } from "commander";
import type { CommandParts } from "../terminal/command-parts.ts";
import { RUN_HELP, STORE } from "../terminal/options.ts";
import { parseCount } from "../terminal/parse-count.ts";
import { parseName } from "../terminal/parse-name.ts";
import type { AnswerOptions } from "./run-answer.ts";

const REQUEST_HELP = "a request id, the beginning of one, its run, or last";
const FROM = [
  "--from <paths...>",
  "files or folders with the loops (default: those the run was started with)",
] as const;
const REASON = [
  "--reason <words>",
  "the reason; stored as content of the run, so erase removes it",
] as const;
const ROLES_HELP = `
Your decision is recorded under your user name of the operating system, with the roles that
TURNSEAL_ROLES gives this terminal, such as finance,support.`;

/** Adds `inbox`, `approve`, `reject`, `answer`, `signal`, `cancel` and `resolve`. */
export function addInboxCommands(program: Command, parts: CommandParts): void {
  addRequests(program, parts);
  addWords(program, parts);
}

function addRequests(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("inbox")
    .description(
      "list what waits for a person: approvals, questions, unknown actions, quarantined runs",
    )
    .argument("[name]", `${REQUEST_HELP} (default: everything)`)
    .option("--after <run>", "with --host: go on behind the run that was named as the last")
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

function addWords(program: Command, { surroundings, report }: CommandParts): void {
  const { terminal } = surroundings;
  program
    .command("signal")
    .description("send a signal to a run")
    .argument("<run>", RUN_HELP)
    .argument("<name>", "the name of the signal", parseName)
    .option("--payload <json>", "the payload as JSON (default: null)")
    .option("--key <key>", "idempotency key: the same key is delivered once", parseName)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (run: string, name: string, options: object) => {
      const { runSignal } = await import("../inbox/run-signal.ts");
      report(await runSignal(run, name, { ...options, terminal }));
    });
  program
    .command("cancel")
    .description("cancel a run; what it has done is sealed in a receipt")
    .argument("<run>", RUN_HELP)
    .option("--turn <n>", "cancel only this turn: a run that awaits signals continues", parseCount)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (run: string, options: object) => {
      const { runCancel } = await import("../inbox/run-cancel.ts");
      report(await runCancel(run, { ...options, terminal }));
    });
  program
    .command("resolve")
    .description("say whether an action with an unknown result happened")
    .usage("[options] <run> [key] <happened|retry|never|abandon>")
    .argument("<run>", RUN_HELP)
    .argument(
      "<words...>",
      "the beginning of the action's key, if there are several; then the answer",
    )
    .option("--result <json>", "with happened: the result of the tool")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(async (run: string, words: string[], options: object) => {
      const { runResolve } = await import("../inbox/run-resolve.ts");
      report(await runResolve(run, words, { ...options, surroundings }));
    });
}
