import {
  boundByGoal,
  type FilesToAttach,
  findStartProblem,
  RUN_INPUT_BYTES_MAX,
  type RunClient,
  type RunDriver,
} from "@turnseal/host";
import type { CheckedLoop } from "@turnseal/kernel";
import { type Grant, type GuidanceDocument, isLoopError, type RunBounds } from "@turnseal/protocol";
import type { RunPlace } from "@turnseal/runtime";
import type { StoreFolder } from "@turnseal/runtime/folder";
import {
  findTarget,
  listReachable,
  listSecretNames,
  type RuleFiles,
  type Rules,
  readAttachments,
  readGuidance,
  readRules,
  type Target,
} from "@turnseal/runtime/project";
import { createRuns, openHost, readPricesFor } from "@turnseal/runtime/runs";
import { writeJson } from "@turnseal/terminal";
import {
  findFollowProblem,
  openWatch,
  type RunWatch,
  renderDetached,
  renderStarted,
  type StartedRun,
  toStartedLine,
} from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { askInPlace } from "../../inbox/ask-in-place.ts";
import { acceptRules } from "../../loops/accept-rules.ts";
import { reportMissing } from "../../loops/report-missing.ts";
import { noteOrigin } from "../../terminal/note-origin.ts";
import { type InputOptions, readInput } from "../../terminal/read-input.ts";
import { readPerson } from "../../terminal/read-person.ts";
import { accept, RefusalError } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { driveRun } from "../drive/drive-run.ts";
import { listResumeFlags } from "../resume/list-resume-flags.ts";
import { resolveDriftOf } from "../resume/resolve-drift.ts";
import { startDetached } from "../resume/start-detached.ts";
import { announceRun } from "./announce-run.ts";
import { openWorkflow } from "./open-workflow.ts";
import { parseGoal } from "./parse-goal.ts";
import { type GrantOptions, readGrantOptions } from "./read-grant.ts";
import { readNextInput } from "./read-next-input.ts";
import { EVERY, readSchedule } from "./read-schedule.ts";

export interface RunOptions extends InputOptions, GrantOptions, RuleFiles, RunPlace {
  readonly from?: readonly string[];
  readonly workspace?: boolean;
  /** True to ask the person at the terminal, also where the conversation is not shown. */
  readonly asksHere?: boolean;
  readonly version?: string;
  readonly turnsMax?: number;
  readonly retryFor?: number;
  readonly onRoundsExhausted?: "stop" | "continue";
  readonly requireNoDrift?: boolean;
  readonly goal?: string;
  readonly guidance?: readonly string[];
  readonly attach?: readonly string[];
  readonly summaries?: number;
  readonly await?: readonly string[];
  readonly nextInput?: string;
  readonly every?: string;
  readonly timezone?: string;
  readonly prices?: string;
  readonly key?: string;
  readonly source?: string;
  readonly detach?: boolean;
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly content?: boolean;
}

/** `turnseal run`: starts a run and drives it, here or in the background. */
export async function runRun(
  loop: string,
  typed: RunOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const workflow = openWorkflow(loop, typed);
  const options = { ...typed, ...workflow };
  const problem = findFollowProblem(options);
  if (problem !== undefined) throw new RefusalError(problem, `turnseal run ${loop} --follow`);
  const request = await readRunRequest(options, surroundings);
  if (request.kind === "unusable")
    throw new RefusalError(request.message, `turnseal run ${loop} ${request.next}`);
  const read = acceptRules(await readRules(options), options);
  const { version, from } = options;
  const wanted = { loop: workflow?.loop ?? loop, version, from, mode: "strict" } as const;
  const target = accept(await findTarget(wanted), options);
  const narrowed = await workflow?.narrow(target, request, surroundings.environment);
  const found = { target, request: { ...request, ...narrowed }, rules: read.rules };
  return runTarget(`turnseal run ${loop}`, found, { options, surroundings });
}

interface TargetToRun {
  readonly target: Target;
  readonly request: RunRequest;
  readonly rules: Rules;
}

/** The same for loops that were found. `command` is the typed command, for error messages. */
export async function runTarget(
  command: string,
  { target, request, rules }: TargetToRun,
  { options, surroundings }: { readonly options: RunOptions; readonly surroundings: Surroundings },
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const root = target.loaded.registry.resolve(target.id, target.version);
  const looked = { ...target.loaded, from: options.from };
  if (root === undefined) return reportMissing(nameOf(target), looked, terminal);
  const next = readNextInput(options, root);
  if (next.kind === "unusable") throw new RefusalError(next.message, `${command} ${next.next}`);

  const attached = accept(await readAttachments(options.attach ?? [], root.definition));

  const folder = accept(await createRuns(options));
  try {
    const priced = accept(await readPricesFor(request.grant, options.prices));
    const { watch, live } = openWatch(options, { folder }, terminal);
    const extras = { onEvent: watch.onEvent, rules, live, prices: priced.prices };
    const opened = accept(await openHost(target, folder, surroundings, extras), options);
    const { unread } = next;
    if (!options.json)
      announceRun({ ...request, target, scripted: opened.scripted, unread }, terminal);
    const bounds = { ...request.bounds, ...next.bounds };
    const { host, driver } = opened;
    const { files } = attached;
    const begun = { ...request, bounds, files, target, root, folder, host, driver, watch, rules };
    return await startRun(begun, options, surroundings);
  } finally {
    await folder.stores.close();
  }
}

interface RunRequest {
  readonly kind: "request";
  readonly input: unknown;
  readonly grant: Grant;
  readonly bounds: Partial<RunBounds>;
  readonly guidance: readonly GuidanceDocument[];
}

interface UnusableRequest {
  readonly kind: "unusable";
  readonly message: string;
  /** The option that is wrong, as it could be written. */
  readonly next: string;
}

/** The options of a run, beside its loop. */
export async function readRunRequest(
  options: RunOptions,
  { stdin }: Surroundings,
): Promise<RunRequest | UnusableRequest> {
  const input = await readInput(options, stdin);
  if (input.kind === "unusable") return { ...input, next: "--input '<json>'" };
  const granted = await readGrantOptions(options);
  if (granted.kind === "unusable") {
    const isBudget = granted.message.startsWith("--budget");
    return { ...granted, next: isBudget ? "--budget modelCalls=8" : "--allow <tool,...>" };
  }
  const goal = options.goal === undefined ? undefined : parseGoal(options.goal);
  if (goal?.kind === "unusable") return { ...goal, next: "--goal output.done=true" };
  const guidance = await readGuidance(options.guidance ?? []);
  if (guidance.kind === "unusable") return { ...guidance, next: "--guidance <file>" };
  if (options.timezone !== undefined && options.every === undefined)
    return { kind: "unusable", message: "--timezone needs --every", next: EVERY };
  const { turnsMax, onRoundsExhausted, retryFor, requireNoDrift: noDrift } = options;
  const bounds: Partial<RunBounds> = {
    ...(turnsMax === undefined ? {} : { turnsMax }),
    ...(retryFor === undefined ? {} : { retryForMs: retryFor }),
    ...(onRoundsExhausted === undefined ? {} : { onRoundsExhausted }),
    ...(noDrift === undefined ? {} : { noDrift }),
    ...(goal === undefined ? {} : { goal: goal.goal }),
    ...(options.summaries === undefined ? {} : { summaries: options.summaries }),
    ...(options.await === undefined ? {} : { awaits: options.await }),
    ...readSchedule(options),
  };
  return {
    kind: "request",
    input: input.value,
    grant: granted.grant,
    bounds,
    guidance: guidance.documents,
  };
}

interface RunToStart extends RunRequest {
  readonly files: FilesToAttach | undefined;
  readonly target: Target;
  readonly root: CheckedLoop;
  readonly folder: StoreFolder;
  readonly host: RunClient;
  readonly driver: RunDriver | undefined;
  readonly watch: RunWatch;
  readonly rules: Rules;
}

async function startRun(
  { target, folder, host, driver, watch, rules, ...begun }: RunToStart,
  options: RunOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, environment } = surroundings;
  const { input, grant, guidance, files } = begun;
  const { definition } = begun.root;
  const bounds = boundByGoal(definition.policy, begun.bounds);
  const { key, source, policy, shadow } = options;
  const whole = files === undefined ? { input } : {};
  const ruled = rules.policy === undefined ? {} : { policy: rules.policy };
  const intended = { loop: definition, grant, bounds, ...ruled, ...whole };
  const found = findStartProblem(host.registry, intended);
  if (found !== undefined)
    throw new RefusalError(found.message, nextToMend(found.code, definition.id, options));
  let run: string;
  try {
    const start = {
      ...{ grant, bounds, guidance, by: readPerson() },
      ...(key === undefined ? {} : { key }),
      ...(source === undefined ? {} : { source }),
      ...ruled,
      ...(files === undefined ? {} : { files }),
    };
    run = await host.start({ definition }, input as never, start);
  } catch (error) {
    if (!isLoopError(error) || error.code.startsWith("ENGINE_")) throw error;
    throw new RefusalError(error.message, nextAfter(error.code, definition.id, options));
  }
  const facing = await resolveDriftOf(run, folder, { ...options, surroundings });
  if (facing !== undefined) return facing;
  const { id, version } = definition;
  const origin = {
    ...{ run, loop: id, version, from: target.paths, loops: listReachable(target) },
    ...(policy === undefined ? {} : { policy }),
    ...(shadow === undefined ? {} : { shadow }),
    ...(options.prices === undefined ? {} : { prices: options.prices }),
  };
  await noteOrigin(folder.path, origin, terminal);
  const started = { run, loop: id, version, grant, bounds, ...describeRules(rules) };
  if (options.detach && folder.engine === undefined) {
    const secretNames = listSecretNames(target.loaded);
    const flags = listResumeFlags({ from: target.paths });
    const background = { run, folder, environment, secretNames, flags };
    const { pid, log } = await startDetached(background);
    if (options.json) writeJson(terminal.out, toStartedLine({ ...started, pid }));
    else renderDetached({ run, pid, log }).forEach(terminal.out.writeLine);
    return EXIT_CODES.done;
  }
  if (options.json) writeJson(terminal.out, toStartedLine(started));
  else renderStarted(started).forEach(terminal.out.writeLine);
  // An engine drives the run with and without a watcher.
  if (options.detach) return EXIT_CODES.done;
  const { stores } = folder;
  const asks = options.follow || (options.asksHere && !options.json && terminal.out.isLive);
  const ask = asks ? askInPlace({ ...surroundings, host, stores }) : undefined;
  return driveRun({ run, driver, folder, watch, ask }, options, terminal);
}

function describeRules({ policy }: Rules): Pick<StartedRun, "policy"> {
  return policy === undefined ? {} : { policy: policy.name };
}

/** Where to look what the loop takes, gives and may call. */
function nextToMend(code: string, id: string, { from }: RunOptions): string {
  if (code === "GRANT_REFUSED") return `turnseal run ${id} --allow <tool,...>`;
  const place = from === undefined ? "" : ` --from ${from.join(" ")}`;
  return `turnseal loops ${id}${place}  (shows its input and output)`;
}

function nextAfter(
  code: string,
  id: string,
  { every, nextInput, await: awaited }: RunOptions,
): string {
  switch (code) {
    case "GRANT_REFUSED":
      return `turnseal run ${id} --allow <tool,...>`;
    case "RUN_CONFLICT":
      return `turnseal run ${id} --key <another key>`;
    case "INPUT_REFUSED":
      return `turnseal run ${id} --input '<json of at most ${RUN_INPUT_BYTES_MAX} bytes>'`;
    case "BOUNDS_REFUSED":
      if (every !== undefined) return `turnseal run ${id} ${EVERY}`;
      if (nextInput !== undefined)
        return `turnseal run ${id} --next-input '{"text":"$.signals.message.text"}'`;
      return awaited === undefined ? "turnseal run --help" : `turnseal run ${id} --await message`;
    default:
      return "turnseal run --help";
  }
}

function nameOf({ id, version }: Target): string {
  return version === undefined ? id : `${id} ${version}`;
}
