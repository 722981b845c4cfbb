/**
 * The commands about runs: what each takes. They are loaded when they are used: nobody who only
 * checks a document should wait for a database.
 */
import { type Command, InvalidArgumentError } from "commander";
import { addInboxCommands } from "./add-inbox-commands.ts";
import type { CommandParts } from "./command-parts.ts";
import { parseName } from "./parse-name.ts";
import type { RunOptions } from "./run-run.ts";

const RUN_HELP = "a run id, the beginning of one, or last";
const STORE_FLAG = "--store <folder>";
const STORE_HELP = "the folder where runs are stored (default: .turnseal)";
const POLICY_HELP = "rules that allow, ask or deny, as .toml or .json; stored with the run";
const SHADOW_HELP = "rules on trial: their decisions are recorded but not applied";
const FROM_FLAG = "--from <paths...>";
const FROM_HELP = "files or folders with its loops (default: those of the start)";

/** Adds every command about runs. */
export function addRunCommands(program: Command, parts: CommandParts): void {
  addRun(program, parts);
  addResume(program, parts);
  addLooks(program, parts);
  addInboxCommands(program, parts);
  addWords(program, parts);
  addProofs(program, parts);
  addKeys(program, parts);
}

function addRun(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("run")
    .description("start a run of a loop, and execute it until it stops or waits")
    .argument("<loop>", "a file, or the id of a loop in --from")
    .option(FROM_FLAG, "files or folders with the loops (default: ./loops, if it exists)")
    .option("--input <json>", "the input (default: {})")
    .option("--input-file <file>", "read the input from a file, or from standard input with -")
    .option("--version <version>", "the version to run (default: the highest release)")
    .option("--grant <file>", "a grant as JSON: grantor, tools, budget, expiresAt")
    .option("--allow <tools>", "tools that the run may execute, such as local.pay,local.lookup")
    .option("--budget <amounts>", "caps for the run, such as modelCalls=8,toolCalls=4")
    .option("--policy <file>", POLICY_HELP)
    .option("--shadow <file>", SHADOW_HELP)
    .option("--expires <time>", "when the grant expires, such as 2030-01-31T00:00:00Z")
    .option("--turns-max <n>", "the most turns that the run may take (default: 8)", parseCount)
    .option(
      "--guidance <file>",
      "a document to add to its prompts, as untrusted material (repeatable)",
      collect,
    )
    .option(
      "--summaries <n>",
      "add the outputs of the last n turns to each prompt (default: 0)",
      parseCount,
    )
    .option("--goal <condition>", "stop when this holds: output.done=true, output.score>=0.8")
    .option(
      "--await <signal>",
      "wait for this signal before each further turn (repeatable)",
      collect,
    )
    .option(
      "--next-input <json>",
      "the input of further turns: fields with paths such as $.signals.message.text",
    )
    .option("--every <cron>", "send the signal tick at these times, such as '0 9 * * 1-5'")
    .option("--timezone <name>", "the time zone of --every (default: UTC)")
    .option(
      "--key <key>",
      "idempotency key: the same key and input never start a second run",
      parseName,
    )
    .option(
      "--source <name>",
      "what starts the run: the name of a webhook or a schedule",
      parseName,
    )
    .option("--detach", "execute the run in the background")
    .option(
      "--follow",
      "show the conversation as it happens, and ask for decisions here (shows content)",
    )
    .option("--content", "also show the output")
    .option("--json", "print one JSON object per line")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (loop: string, options: RunOptions, command: Command) => {
      if (options.input !== undefined && options.inputFile !== undefined)
        command.error("error: --input and --input-file exclude each other");
      const { runRun } = await import("./run-run.ts");
      report(await runRun(loop, options, surroundings));
    });
}

function addResume(program: Command, { surroundings, report }: CommandParts): void {
  const resume = program
    .command("resume")
    .description("show what has changed and what is open, then continue a run")
    .argument("[run]", `${RUN_HELP} (default: the latest that has not stopped)`)
    .option(FROM_FLAG, FROM_HELP)
    .option(
      "--policy <file>",
      "current rules: what they deny is denied (default: the file of the start)",
    )
    .option("--shadow <file>", SHADOW_HELP)
    .option("--detach", "execute the run in the background")
    .option(
      "--follow",
      "show the conversation as it happens, and ask for decisions here (shows content)",
    )
    .option("--take-over", "take the run over from the process that holds it, after its deadlines")
    .option("--content", "also show the output")
    .option("--json", "print one JSON object per line")
    .option(STORE_FLAG, STORE_HELP);
  const background = resume.createOption("--background").hideHelp();
  resume.addOption(background).action(async (run: string | undefined, options: object) => {
    const { runResume } = await import("./run-resume.ts");
    report(await runResume(run, options, surroundings));
  });
}

function addLooks(program: Command, { surroundings, report }: CommandParts): void {
  const { terminal } = surroundings;
  program
    .command("runs")
    .description("list runs, newest first")
    .option("--blocked", "only runs that cannot continue: a loop, a tool or a version is missing")
    .option(
      "--from <paths...>",
      "with --blocked: check against these loops, before you deploy them",
    )
    .option("--json", "print JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (options: object) => {
      const { runRuns } = await import("./run-runs.ts");
      report(await runRuns(options, terminal));
    });
  program
    .command("show")
    .description("show the state of a run: turns, spending, open actions")
    .argument("<run>", RUN_HELP)
    .option("--content", "also show its input and output")
    .option("--pid", "print only the PID of the process that executes it")
    .option("--trace", "print its LSEM trace as JSON lines; with --content also logs")
    .option("--json", "print JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: object) => {
      const { runShow } = await import("./run-show.ts");
      report(await runShow(run, options, terminal));
    });
  program
    .command("explain")
    .description(
      "explain what ran, why it stopped, who allowed it, and whether it is safe to resume",
    )
    .argument("<run>", RUN_HELP)
    .option(FROM_FLAG, FROM_HELP)
    .option("--json", "print JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: object) => {
      const { runExplain } = await import("./run-explain.ts");
      report(await runExplain(run, options, surroundings));
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
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, name: string, options: object) => {
      const { runSignal } = await import("./run-signal.ts");
      report(await runSignal(run, name, { ...options, terminal }));
    });
  program
    .command("cancel")
    .description("cancel a run; what it has done is sealed in a receipt")
    .argument("<run>", RUN_HELP)
    .option("--turn <n>", "cancel only this turn: a run that awaits signals continues", parseCount)
    .option("--json", "print JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: object) => {
      const { runCancel } = await import("./run-cancel.ts");
      report(await runCancel(run, { ...options, terminal }));
    });
  program
    .command("resolve")
    .description("say whether an action with an unknown result happened")
    .usage("[options] <run> [key] <happened|retry|abandon>")
    .argument("<run>", RUN_HELP)
    .argument(
      "<words...>",
      "the beginning of the action's key, if there are several; then the answer",
    )
    .option("--result <json>", "with happened: the result of the tool")
    .option("--json", "print JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, words: string[], options: object) => {
      const { runResolve } = await import("./run-resolve.ts");
      report(await runResolve(run, words, { ...options, surroundings }));
    });
}

function addProofs(program: Command, { surroundings, report }: CommandParts): void {
  const { terminal } = surroundings;
  program
    .command("verify")
    .description("check signatures, chain, receipts and budget arithmetic")
    .argument("[subject]", "a run, a file (export or receipt), or - for stdin (default: every run)")
    .option("--production", "refuse development keys and open turns")
    .option("--allow-open", "accept an open turn: exit with 0 if everything sealed is valid")
    .option("--keys <file>", "trust these keys and no others (default: the store's)")
    .option("--json", "print the verdict as JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (subject: string | undefined, options: object) => {
      const { runVerify } = await import("./run-verify.ts");
      report(await runVerify(subject, options, surroundings));
    });
  program
    .command("replay")
    .description("rerun every turn from its record and compare; no tool or model is called")
    .argument("<run>", RUN_HELP)
    .option("--diff", "show every turn, and its first difference")
    .option(FROM_FLAG, FROM_HELP)
    .option("--json", "print JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: object) => {
      const { runReplay } = await import("./run-replay.ts");
      report(await runReplay(run, options, surroundings));
    });
  program
    .command("export")
    .description("write a run to one file that can be verified with the public key alone")
    .argument("<run>", RUN_HELP)
    .option("--out <file>", "the file, or - for standard output (default: run-<id>.json)")
    .option("--without-content", "leave out prompts, inputs and outputs, and their key")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: object) => {
      const { runExport } = await import("./run-export.ts");
      report(await runExport(run, options, terminal));
    });
  program
    .command("erase")
    .description("remove the content of a run for good; its log and receipts stay")
    .argument("<run>", RUN_HELP)
    .option("--yes", "do not ask for confirmation")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (run: string, options: object) => {
      const { runErase } = await import("./run-erase.ts");
      report(await runErase(run, options, surroundings));
    });
}

function addKeys(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("keys")
    .description("the keys that sign receipts: list, rotate, export")
    .argument("[action]", "list, rotate or export", "list")
    .option("--json", "print JSON")
    .option(STORE_FLAG, STORE_HELP)
    .action(async (action: string, options: object) => {
      const { runKeys } = await import("./run-keys.ts");
      report(await runKeys(action, options, surroundings));
    });
}

/** The largest number that a command line may ask for. */
const COUNT_MAX = 1_000_000;

/** Every value of an option that may be given several times. */
function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Reads a number of at least one. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1 && count <= COUNT_MAX) return count;
  throw new InvalidArgumentError(`Write a number from 1 to ${COUNT_MAX}.`);
}
