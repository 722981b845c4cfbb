/**
 * `turnseal fork`: a run anew, from the input that a turn of another had and from what was said
 * before that turn, under its own grant.
 */

import { type RunClient, readForkedTurn, type StartOptions } from "@turnseal/host";
import { isLoopError, type JsonValue } from "@turnseal/protocol";
import { readOrigin } from "@turnseal/runtime/folder";
import type { RuleFiles } from "@turnseal/runtime/project";
import { findRunTarget, openHost, readRulesOfToday } from "@turnseal/runtime/runs";
import type { ExitCode } from "../exit-codes.ts";
import { reportUnread } from "../loops/report-unread.ts";
import { admitNoted } from "../runs/admit-noted.ts";
import { driveRun } from "../runs/drive-run.ts";
import { readGrant } from "../runs/read-grant.ts";
import { renderStarted, toStartedLine } from "../runs/render-started.ts";
import { watchRun } from "../runs/watch-run.ts";
import { noteOrigin } from "../terminal/note-origin.ts";
import { type ReadInput, readJsonOption } from "../terminal/read-input.ts";
import { readPerson } from "../terminal/read-person.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type NamedRun, type StoreOptions, withRun } from "../with-run.ts";

export interface ForkOptions extends StoreOptions {
  readonly fromTurn: number;
  readonly grant: string;
  readonly turnsMax?: number;
  readonly version?: string;
  /** In place of the input that the turn had; then it may be the turn after the last. */
  readonly input?: string;
  readonly from?: readonly string[];
  readonly content?: boolean;
  readonly json?: boolean;
}

/** Starts the new run and carries it. The old one is only read. */
export function runFork(
  name: string,
  options: ForkOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withRun(name, { ...options, terminal }, async (named) => {
    const id = shortId(named.known.run);
    const granted = await readGrant({ grant: options.grant });
    if (granted.kind === "unusable")
      return reportUsage(terminal, granted.message, `turnseal fork ${id} --grant <file>`);
    const own = await readOwn(options);
    if (own.kind === "unusable") return reportUsage(terminal, own.message, `turnseal show ${id}`);
    const { folder, known } = named;
    const forked = await readForkedTurn(folder.stores, {
      ...{ run: known.run, turn: options.fromTurn, input: own.value as JsonValue | undefined },
    });
    if (forked.kind === "unusable")
      return reportUsage(terminal, forked.message, `turnseal show ${id}`);
    const today = await readRulesOfToday(named.folder.path, named.known.run, {});
    if (today.kind !== "read") return reportUnread(today, terminal, options);
    const noted = { from: options.from, command: "fork" };
    const admitted = await admitNoted(named, noted, surroundings);
    if (admitted.kind === "refused") return admitted.code;
    const found = await findRunTarget(named.known, named.folder, admitted.place.from);
    if (found.kind === "unusable") return reportUsage(terminal, found.message, found.next);
    if (found.kind === "refused") return reportRefusal(terminal, found.loaded.problems, options);
    const target = { ...found, version: options.version ?? found.version };
    const watch = watchRun(terminal, options);
    const opened = await openHost(target, named.folder, surroundings, {
      onEvent: watch.onEvent,
      rules: today.rules,
    });
    if (opened.kind === "refused") return reportRefusal(terminal, opened.problems, options);
    const { host, driver } = opened;
    const definition = host.registry.resolve(target.id, target.version)?.definition;
    if (definition === undefined)
      return reportUsage(
        terminal,
        `there is no loop ${target.id} ${target.version}`,
        "turnseal loops",
      );
    const { spec, input, start } = forked;
    const bounds = { ...spec.bounds, ...pickTurns(options) };
    const { grant } = granted;
    const begun = await begin(host, { definition }, input, {
      ...{ ...start, grant, bounds, by: readPerson() },
    });
    if ("problem" in begun)
      return reportUsage(terminal, begun.problem, `turnseal fork ${id} --grant <file>`);
    const { run } = begun;
    const { id: loop, version } = definition;
    const origin = { ...(await readRuleFiles(named)), run, loop, version, from: target.paths };
    await noteOrigin(named.folder.path, origin, terminal);
    const started = { run, loop, version, grant, bounds };
    if (options.json) terminal.out.writeText(`${renderJson(toStartedLine(started))}\n`);
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
