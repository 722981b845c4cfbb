/** The commands that answer requests of a run, and that send it signals. */
import type { Command } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import { collect, RUN_HELP, STORE } from "../terminal/options.ts";
import { parseCount } from "../terminal/parse-count.ts";
import { parseDuration } from "../terminal/parse-duration.ts";
import { parseName } from "../terminal/parse-name.ts";

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

/** The longest time that a command line may let an approval stand: 7 days. */
const STAND_FOR_MS_MAX = 7 * 24 * 60 * 60 * 1000;
const parseStandFor = (text: string): number => parseDuration(text, STAND_FOR_MS_MAX);

const WHERE_HELP =
  "arguments that are approved, too: path=src/**, cents=..5000, memo=any, or a condition as JSON";

/** Adds the commands that list, answer and end requests to people, and that send signals. */
export function addInboxCommands(program: Command, parts: CommandParts): void {
  addRequests(program, parts);
  addStanding(program, parts);
  addWords(program, parts);
}

function addRequests(program: Command, parts: CommandParts): void {
  program
    .command("inbox")
    .description("list requests to people: approvals, questions, unknown actions, quarantined runs")
    .argument("[name]", `${REQUEST_HELP} (default: everything)`)
    .option("--after <run>", "with --host: continue after this run, the last of a page")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-inbox.ts")).runInbox));
  program
    .command("approve")
    .description("approve an action that waits for approval, or propose other arguments")
    .argument("<name>", REQUEST_HELP)
    .option(...REASON)
    .option("--edit <json>", "create a new request with these arguments: JSON, or @file")
    .option("--stand", "approve further calls with the same arguments, too, in this run")
    .option(
      "--uses <n>",
      "how many further calls (default: as many as the rule allows)",
      parseCount,
    )
    .option("--for <duration>", "how long, such as 1h (default: as the rule allows)", parseStandFor)
    .option("--where <field=condition>", WHERE_HELP, collect)
    .option(...FROM)
    .option("--json", "print JSON")
    .option(...STORE)
    .addHelpText("after", ROLES_HELP)
    .action(act(parts, async () => (await import("./run-decide.ts")).runApprove));
  program
    .command("reject")
    .description("reject an action that waits for approval")
    .argument("<name>", REQUEST_HELP)
    .option(...REASON)
    .option("--json", "print JSON")
    .option(...STORE)
    .addHelpText("after", ROLES_HELP)
    .action(act(parts, async () => (await import("./run-decide.ts")).runReject));
  program
    .command("answer")
    .description("answer a question; the answer must match its schema")
    .argument("<name>", REQUEST_HELP)
    .requiredOption("--value <json>", "the answer: JSON, or @file")
    .option(...FROM)
    .option("--json", "print JSON")
    .option(...STORE)
    .addHelpText("after", ROLES_HELP)
    .action(act(parts, async () => (await import("./run-answer.ts")).runAnswer));
}

function addStanding(program: Command, parts: CommandParts): void {
  program
    .command("approvals")
    .description("list the approvals that stand in a run, with the most that they still allow")
    .argument("<run>", RUN_HELP)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-approvals.ts")).runApprovals));
  program
    .command("revoke")
    .description("end an approval that stands: no later action is done under it")
    .argument("<run>", RUN_HELP)
    .argument("<approval>", "the beginning of its id, as `turnseal approvals` shows it")
    .option("--json", "print JSON")
    .option(...STORE)
    .addHelpText("after", ROLES_HELP)
    .action(act(parts, async () => (await import("./run-approvals.ts")).runRevoke));
}

function addWords(program: Command, parts: CommandParts): void {
  program
    .command("signal")
    .description("send a signal to a run")
    .argument("<run>", RUN_HELP)
    .argument("<name>", "the name of the signal", parseName)
    .option("--payload <json>", "the payload as JSON (default: null)")
    .option("--key <key>", "idempotency key: the same key is delivered once", parseName)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-signal.ts")).runSignal));
  program
    .command("cancel")
    .description("cancel a run; its actions so far are sealed in a receipt")
    .argument("<run>", RUN_HELP)
    .option("--turn <n>", "cancel only this turn: a run that awaits signals continues", parseCount)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./run-cancel.ts")).runCancel));
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
    .action(act(parts, async () => (await import("./run-resolve.ts")).runResolve));
}
