/**
 * `turnseal fork`: starts a run again from the input of a turn of another run, with the messages
 * before that turn, under its own grant.
 */

import { type RunClient, readForkedTurn, type StartOptions } from "@turnseal/host";
import { isLoopError, type JsonValue } from "@turnseal/protocol";
import { readOrigin } from "@turnseal/runtime/folder";
import type { RuleFiles } from "@turnseal/runtime/project";
import { readRulesOfToday } from "@turnseal/runtime/runs";
import { shortId, writeJson } from "@turnseal/terminal";
import { renderStarted, toStartedLine, watchRun } from "@turnseal/terminal/runs";
import type { ExitCode } from "../exit-codes.ts";
import { acceptRules } from "../loops/accept-rules.ts";
import { openCommand } from "../open-command.ts";
import { driveRun } from "../runs/drive/drive-run.ts";
import { readGrantOptions } from "../runs/start/read-grant.ts";
import { noteOrigin } from "../terminal/note-origin.ts";
import { type ReadInput, readJsonOption } from "../terminal/read-input.ts";
import { readPerson } from "../terminal/read-person.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type NamedRun, type StoreOptions, withRun } from "../with-run.ts";

export interface ForkOptions extends StoreOptions {
  readonly fromTurn: number;
  readonly grant: string;
  readonly turnsMax?: number;
  readonly version?: string;
  /** Replaces the input of the turn; then it may be the turn after the last. */
  readonly input?: string;
  readonly from?: readonly string[];
  readonly content?: boolean;
  readonly json?: boolean;
}

/** Starts the new run and drives it. The old one is only read. */
export function runFork(
  name: string,
  options: ForkOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withRun(name, options, async (named) => {
    const id = shortId(named.known.run);
    const fork = `turnseal fork ${id} --grant <file>`;
    const show = `turnseal show ${id}`;
    const { grant } = accept(await readGrantOptions({ grant: options.grant }), { next: fork });
    const own = accept(await readOwn(options), { next: show });
    const { folder, known } = named;
    const asked = {
      run: known.run,
      turn: options.fromTurn,
      input: own.value as JsonValue | undefined,
    };
    const forked = accept(await readForkedTurn(folder.stores, asked), { next: show });
    const { rules } = acceptRules(await readRulesOfToday(folder.path, known.run, {}), options);
    const opened = await openCommand("fork", named, { options, surroundings });
    const target = { ...opened.target, version: options.version ?? opened.target.version };
    const watch = watchRun(terminal, options);
    const { host, driver } = await opened.bind({ onEvent: watch.onEvent, rules }, target);
    const definition = host.registry.resolve(target.id, target.version)?.definition;
    if (definition === undefined)
      throw new RefusalError(`there is no loop ${target.id} ${target.version}`, "turnseal loops");
    const { spec, input, start } = forked;
    const bounds = { ...spec.bounds, ...pickTurns(options) };
    const begun = await begin(host, { definition }, input, {
      ...{ ...start, grant, bounds, by: readPerson() },
    });
    if ("problem" in begun) throw new RefusalError(begun.problem, fork);
    const { run } = begun;
    const { id: loop, version } = definition;
    const origin = { ...(await readRuleFiles(named)), run, loop, version, from: target.paths };
    await noteOrigin(named.folder.path, origin, terminal);
    const started = { run, loop, version, grant, bounds };
    if (options.json) writeJson(terminal.out, toStartedLine(started));
    else renderStarted(started).forEach(terminal.out.writeLine);
    return driveRun({ run, driver, folder: named.folder, watch }, options, terminal);
  });
}

async function readOwn({ input }: ForkOptions): Promise<ReadInput> {
  return input === undefined
    ? { kind: "read", value: undefined }
    : readJsonOption(input, "--input");
}

/** Where the rules of the old run were: today's are today's for the new one, too. */
async function readRuleFiles({ known, folder }: NamedRun): Promise<RuleFiles> {
  const { policy, shadow } = (await readOrigin(folder.path, known.run)) ?? {};
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(shadow === undefined ? {} : { shadow }),
  };
}

function pickTurns({ turnsMax }: ForkOptions): { readonly turnsMax?: number } {
  return turnsMax === undefined ? {} : { turnsMax };
}

async function begin(
  host: RunClient,
  loop: Parameters<RunClient["start"]>[0],
  input: JsonValue,
  start: StartOptions,
): Promise<{ readonly run: string } | { readonly problem: string }> {
  try {
    return { run: await host.start(loop, input as never, start) };
  } catch (error) {
    if (!isLoopError(error)) throw error;
    return { problem: error.message };
  }
}
