/**
 * `turnseal fork`: a run anew, from the input that a turn of another had and from what was said
 * before that turn, under its own grant.
 */

import { type RunClient, readContent, readEvents, type StartOptions } from "@turnseal/host";
import {
  type BlobRef,
  type EventOf,
  type GuidanceDocument,
  isLoopError,
  type JsonValue,
  type Policy,
  type RunSpec,
} from "@turnseal/protocol";
import { readOrigin, writeOrigin } from "@turnseal/runtime/folder";
import type { RuleFiles } from "@turnseal/runtime/project";
import { openHost } from "@turnseal/runtime/runs";
import type { ExitCode } from "../exit-codes.ts";
import { findRunTarget } from "../loops/find-run-target.ts";
import { readRulesOfToday, reportUnread } from "../loops/read-rules.ts";
import { driveRun } from "../runs/drive-run.ts";
import { readGrant } from "../runs/read-grant.ts";
import { renderStarted, toStartedLine } from "../runs/render-started.ts";
import { watchRun } from "../runs/watch-run.ts";
import { readJsonOption } from "../terminal/read-input.ts";
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
    const forked = await readFork(named, options);
    if (forked.kind === "unusable")
      return reportUsage(terminal, forked.message, `turnseal show ${id}`);
    const today = await readRulesOfToday(named.folder.path, named.known.run, {});
    if (today.kind !== "read") return reportUnread(today, terminal, options);
    const found = await findRunTarget(named.known, named.folder, options.from);
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
    const origin = { run, loop, version, from: target.paths };
    await writeOrigin(named.folder.path, { ...(await readRuleFiles(named)), ...origin });
    const started = { run, loop, version, grant, bounds };
    if (options.json) terminal.out.writeText(`${renderJson(toStartedLine(started))}\n`);
    else renderStarted(started).forEach(terminal.out.writeLine);
    return driveRun({ run, host, driver, folder: named.folder, watch }, options, terminal);
  });
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

type Fork =
  | {
      readonly kind: "fork";
      readonly spec: RunSpec;
      readonly input: JsonValue;
      /** Rules, documents and lineage: all but the grant. */
      readonly start: Pick<StartOptions, "policy" | "guidance" | "forkedFrom">;
    }
  | { readonly kind: "unusable"; readonly message: string };

/** What the turn had: its input, the rules and the documents of its run. */
async function readFork(
  { known: { run }, folder: { stores } }: NamedRun,
  { fromTurn: turn, input: given }: Pick<ForkOptions, "fromTurn" | "input">,
): Promise<Fork> {
  const own = given === undefined ? undefined : await readJsonOption(given, "--input");
  if (own?.kind === "unusable") return own;
  let closed = 0;
  let begun: EventOf<"run.started"> | undefined;
  let taken: EventOf<"turn.started"> | undefined;
  for await (const event of readEvents(stores.log, run, 1)) {
    if (event.type === "run.started") begun = event;
    if (event.type === "turn.started" && event.turn === turn) taken = event;
    if (event.type === "turn.closed") closed = event.turn;
  }
  const read = async (reference: BlobRef | undefined) =>
    reference === undefined ? undefined : readContent(stores, run, reference);
  // With words of its own it can also begin after all that was said.
  const isNext = own !== undefined && turn === closed + 1;
  if (begun === undefined || (taken === undefined && !isNext))
    return { kind: "unusable", message: `the run has no turn ${turn}` };
  const old = await read(taken?.content.input ?? begun.content.input);
  const input = old === undefined || own === undefined ? old : (own.value as JsonValue);
  if (input === undefined) return { kind: "unusable", message: "its content was erased" };
  const { spec } = begun.content;
  const policy = (await read(begun.content.policy)) as unknown as Policy | undefined;
  const texts = (await read(begun.content.guidance)) as readonly string[] | undefined;
  const receipt = (await stores.receipts.read(run, turn))?.id;
  return {
    kind: "fork",
    spec,
    input,
    start: {
      ...(policy === undefined ? {} : { policy }),
      ...(texts === undefined ? {} : { guidance: nameTexts(spec, texts) }),
      forkedFrom: { run, turn, ...(receipt === undefined ? {} : { receipt }) },
    },
  };
}

function nameTexts({ guidance = [] }: RunSpec, texts: readonly string[]): GuidanceDocument[] {
  return guidance.map(({ ref }, index) => ({ ref, text: texts[index] ?? "" }));
}
