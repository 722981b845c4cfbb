/**
 * The commands that start, continue and show runs, with their options. They are loaded on demand: a
 * check of a document must not wait for a database.
 */
import { RETRY_FOR_MS_MAX } from "@turnseal/protocol";
import { COSTS_BY } from "@turnseal/terminal/runs";
import { type Command, Option } from "commander";
import { act, type CommandParts } from "../terminal/command-parts.ts";
import {
  BUDGET,
  collect,
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
import { parseDuration } from "../terminal/parse-duration.ts";
import { parseName } from "../terminal/parse-name.ts";
import { parseSince } from "../terminal/parse-since.ts";
import { listWorkflows } from "../terminal/shipped-workflows.ts";
import { addFileCommands } from "./files/add-file-commands.ts";
import type { RunOptions } from "./start/run-run.ts";
import { RUN_STATES } from "./state/run-states.ts";

const POLICY_HELP = "rules that allow, ask or deny, as .toml or .json; stored with the run";
const SHADOW_HELP = "rules on trial: their decisions are recorded but not applied";

/**
 * Adds `run`, `resume`, `runs`, `show`, `explain`, `transcript`, `context`, `drift`, `adopt` and
 * `costs`.
 */
export function addRunCommands(program: Command, parts: CommandParts): void {
  addRun(program, parts);
  addResume(program, parts);
  addLooks(program, parts);
  addTranscript(program, parts);
  addContext(program, parts);
  addFileCommands(program, parts);
  addCosts(program, parts);
}

const FOLLOW = [
  "--follow",
  "show the conversation as it happens, and ask for decisions here (shows content)",
] as const;
const CONTENT = ["--content", "show content: with --json the output and the requests"] as const;
const NO_CONTENT = ["--no-content", "do not print the output of the run"] as const;

const ROUNDS_HELP =
  "after a turn that ran out of rounds: continue goes on in the same thread (default: stop)";
const RETRY_FOR_HELP =
  "how long to wait for a provider that is away before the run is parked (default: 10m)";
const parseRetryFor = (text: string): number => parseDuration(text, RETRY_FOR_MS_MAX);

const ATTACH_HELP =
  "a file for the model: a path, or /field=path where the loop has several (repeatable)";

const WORKSPACE_HELP =
  "run a workflow file as those of the package: with the verbs, the grant and the rules for this folder";

const AWAIT = [
  "--await <signal>",
  "wait for this signal before each further turn (repeatable)",
  collect,
] as const;

function addRun(program: Command, { surroundings, report }: CommandParts): void {
  program
    .command("run")
    .description("start a run of a loop, and execute it until it stops or waits")
    .argument("<loop>", "a workflow of the package, a file, or the id of a loop in --from")
    .option("--task <text>", "the task of an agent, in words: the input { task }")
    .option("--from <paths...>", "files or folders with the loops (default: ./loops, if it exists)")
    .option("--workspace", WORKSPACE_HELP)
    .option("--input <json>", "the input (default: {})")
    .option("--input-file <file>", "read the input from a file, or from standard input with -")
    .option("--version <version>", "the version to run (default: the highest release)")
    .option(...GRANT)
    .option("--allow <tools>", "tools that the run may execute, such as local.pay,local.lookup")
    .option(...BUDGET)
    .option(...PRICE_TABLE)
    .option("--policy <file>", POLICY_HELP)
    .option("--shadow <file>", SHADOW_HELP)
    .option(...EXPIRES)
    .option("--turns-max <n>", "the most turns that the run may take (default: 8)", parseCount)
    .option("--retry-for <duration>", RETRY_FOR_HELP, parseRetryFor)
    .option("--require-no-drift", "begin no turn while files differ from the record of the run")
    .addOption(
      new Option("--on-rounds-exhausted <stop|continue>", ROUNDS_HELP).choices([
        "stop",
        "continue",
      ]),
    )
    .option(
      "--guidance <file>",
      "a document to add to its prompts, as untrusted material (repeatable)",
      collect,
    )
    .option("--attach <file>", ATTACH_HELP, collect)
    .option(
      "--summaries <n>",
      "add the outputs of the last n turns to each prompt (default: 0)",
      parseCount,
    )
    .option("--goal <condition>", "stop when this holds: output.done=true, output.score>=0.8")
    .option(...AWAIT)
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
    .option("--source <name>", "the name of the webhook or schedule that starts the run", parseName)
    .option("--detach", "execute the run in the background")
    .option(...FOLLOW)
    .option(...CONTENT)
    .option(...NO_CONTENT)
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .addHelpText("after", () => ["", "Workflows of the package:", ...listWorkflows()].join("\n"))
    .action(async (loop: string, options: RunOptions, command: Command) => {
      if (options.input !== undefined && options.inputFile !== undefined)
        command.error("error: --input and --input-file exclude each other");
      if (options.task !== undefined && (options.input ?? options.inputFile) !== undefined)
        command.error("error: --task and --input exclude each other");
      if (options.workspace === true && (options.from !== undefined || !loop.endsWith(".toml")))
        command.error("error: --workspace needs a workflow file, and excludes --from");
      const { runRun } = await import("./start/run-run.ts");
      report(await runRun(loop, options, surroundings));
    });
}

function addResume(program: Command, parts: CommandParts): void {
  const resume = program
    .command("resume")
    .description("show changes and open actions, then continue a run")
    .argument("[run]", `${RUN_HELP} (default: the latest that has not stopped)`)
    .option(...FROM)
    .option(
      "--policy <file>",
      "current rules: they may only deny (default: the file the run was started with)",
    )
    .option("--shadow <file>", SHADOW_HELP)
    .option(...PRICES)
    .addOption(new Option("--on-drift <way>", ON_DRIFT_HELP).choices(ON_DRIFT))
    .option("--detach", "execute the run in the background")
    .option(...FOLLOW)
    .option("--again", "also if the next turn repeats actions (show lists them)")
    .option("--take-over", "take the run over from the process that holds it, after its deadlines")
    .option(...CONTENT)
    .option(...NO_CONTENT)
    .option("--json", "print one JSON object per line")
    .option(...STORE);
  const background = resume.createOption("--background").hideHelp();
  resume
    .addOption(background)
    .action(act(parts, async () => (await import("./resume/run-resume.ts")).runResume));
}

function addLooks(program: Command, parts: CommandParts): void {
  program
    .command("runs")
    .description("list runs, newest first, a page at a time")
    .option("--blocked", "only runs that cannot continue: a loop, a tool or a version is missing")
    .option(
      "--from <paths...>",
      "with --blocked: check against these loops, before you deploy them",
    )
    .addOption(new Option("--state <state>", "only runs in this state").choices(RUN_STATES))
    .option("--loop <id>", "only runs of this loop")
    .option("--since <time>", "only runs started since: 2030-01-31, 30m, 12h, 7d", (text) =>
      parseSince(text, Date.now()),
    )
    .option("--grantor <name>", "only runs under a grant of this person or program")
    .option("--key <key>", "only the run that was started with this idempotency key", parseName)
    .option("--limit <n>", "list at most this many (default: 50)", parseCount)
    .option("--before <run>", "go on after a page: list runs older than this one")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./look/run-runs.ts")).runRuns));
  program
    .command("show")
    .description("show the state of a run: turns, spending, open actions")
    .argument("<run>", SUBJECT_HELP)
    .option("--content", "also show its input and output")
    .option("--pid", "print only the PID of the process that executes it")
    .option("--trace", "print its LSEM trace as JSON lines; with --content also logs")
    .option(...EXPORT_KEYS)
    .option(...EXPORT_OPEN)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./look/run-show.ts")).runShow));
  program
    .command("explain")
    .description(
      "explain what ran, why it stopped, who allowed it, and whether it is safe to resume",
    )
    .argument("<run>", SUBJECT_HELP)
    .option(...FROM)
    .option(...EXPORT_KEYS)
    .option(...EXPORT_OPEN)
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./look/run-explain.ts")).runExplain));
}

const ON_DRIFT_HELP =
  "if files differ from the record: reconcile them first (graph-wins, files-win, " +
  "merge), or go on anyway (leave); without it the run is not resumed";

/** Where each file has to be named there is a command of its own. */
const ON_DRIFT = ["graph-wins", "files-win", "merge", "leave"] as const;

function addTranscript(program: Command, parts: CommandParts): void {
  program
    .command("transcript")
    .description("show the conversation of a run: words, tools, decisions (shows content)")
    .argument("<run>", SUBJECT_HELP)
    .option("--turn <n>", "only this turn", parseCount)
    .option("--follow", "go on as it happens, until the run stops; Ctrl-C only stops watching")
    .option(...EXPORT_KEYS)
    .option(...EXPORT_OPEN)
    .option("--json", "print one JSON object per line")
    .option(...STORE)
    .action(act(parts, async () => (await import("./look/run-transcript.ts")).runTranscript));
}

function addContext(program: Command, parts: CommandParts): void {
  program
    .command("context")
    .description("show one request to a model, and the entries that were left out")
    .argument("<run>", RUN_HELP)
    .option("--turn <n>", "the turn (default: the last with a model request)", parseCount)
    .option("--round <m>", "which of its model requests, from 1 (default: the last)", parseCount)
    .option("--content", "also show the texts: the first line, with --json all of it")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./look/run-context.ts")).runContext));
}

function addCosts(program: Command, parts: CommandParts): void {
  program
    .command("costs")
    .description("show model requests and their costs, over all runs")
    .addOption(new Option("--by <what>", "a row for each (default: day)").choices(COSTS_BY))
    .option("--since <time>", "only requests since: 2030-01-31, 30m, 12h, 7d", (text) =>
      parseSince(text, Date.now()),
    )
    .option("--prices <file>", "prices of models as JSON, overriding the built-in ones")
    .option("--json", "print JSON")
    .option(...STORE)
    .action(act(parts, async () => (await import("./look/run-costs.ts")).runCosts));
}
