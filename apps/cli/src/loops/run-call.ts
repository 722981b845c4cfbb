import { type BoundTools, bindLoops, createExecutor } from "@turnseal/kernel";
import { type EventSink, randomIds, type Secrets, systemClock } from "@turnseal/ports";
import { invariant, type LoopResult } from "@turnseal/protocol";
import { createTracer } from "@turnseal/protocol/trace";
import {
  type BoundModels,
  bindModels,
  checkTools,
  findTarget,
  listLoops,
  listSecretNames,
  listUngoverned,
  type Target,
  takeToolSecrets,
} from "@turnseal/runtime/project";
import { renderNote, type Terminal, writeJson } from "@turnseal/terminal";
import {
  type CallWatch,
  renderFailure,
  renderTraceEvent,
  watchCall,
} from "@turnseal/terminal/loops";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { listenForStop } from "../terminal/listen-for-stop.ts";
import { type InputOptions, readInput } from "../terminal/read-input.ts";
import { accept, RefusalError, refuseProblems } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface CallOptions extends InputOptions {
  readonly from?: readonly string[];
  readonly version?: string;
  readonly lenient?: boolean;
  readonly trace?: boolean;
  readonly json?: boolean;
  readonly timeout?: number;
  /** Set to accept that a call has no grant and leaves no record. */
  readonly ungoverned?: boolean;
}

/** `turnseal call`: one call of one loop, shown while it runs. */
export async function runCall(
  loop: string,
  options: CallOptions,
  { terminal, environment, stdin }: Surroundings,
): Promise<ExitCode> {
  const example = `turnseal call ${loop} --input '{"name": "value"}'`;
  const input = accept(await readInput(options, stdin), { next: example });
  const { version, from } = options;
  const mode = options.lenient ? "lenient" : "strict";
  const target = accept(await findTarget({ loop, version, from, mode }), options);

  const bound = await bindModels(target, environment);
  refuseProblems([...checkTools(target), ...bound.problems], options);
  if (bound.scripted.length > 0 && !options.json) {
    const prompts = bound.scripted.join(", ");
    announce(`the scripted model answers, no provider is asked: ${prompts}`, terminal);
  }

  const tools = bindDeclared(target);
  const acting = listUngoverned(target, tools);
  const once = acting.filter(({ effect }) => effect === "once");
  if (once.length > 0 && options.ungoverned !== true) {
    const named = once.map(({ id }) => id).join(", ");
    const message = `a call has no grant, no approval and no record, and ${named} acts once`;
    const next = `turnseal run ${loop} --allow <tool,...>, or turnseal call with --ungoverned`;
    throw new RefusalError(message, next);
  }
  if (acting.length > 0 && !options.json) {
    const named = acting.map(({ id, effect }) => `${id} (${effect})`).join(", ");
    announce(`ungoverned: no grant, no rules and no record for ${named}`, terminal);
  }

  const watch = chooseWatch(options, terminal);
  const stop = listenForStop(options.timeout);
  const { signal } = stop;
  const secrets = takeToolSecrets(listSecretNames(target.loaded), environment);
  const parts = { bound, tools, secrets, signal, sink: watch.sink };
  const result = await callTarget(target, input.value, parts);
  stop.release();
  watch.finish();
  if (signal.aborted && !options.json) announce(`stopped by ${stop.cause()}`, terminal);
  writeResult(result, options, terminal);
  return result.status === "ok" ? EXIT_CODES.done : EXIT_CODES.failed;
}

interface CallParts {
  readonly bound: BoundModels;
  readonly tools: BoundTools;
  readonly secrets: Secrets;
  readonly signal: AbortSignal;
  readonly sink: EventSink;
}

/** The functions with the secrets that they declare, and with what they say of being approved. */
function bindDeclared(target: Target): BoundTools {
  const binding = bindLoops(listLoops(target));
  invariant(binding.kind === "bound", "conflicting loops are not loaded");
  return binding.tools;
}

function callTarget(
  target: Target,
  input: unknown,
  { bound, tools, secrets, signal, sink }: CallParts,
): Promise<LoopResult> {
  const executor = createExecutor({
    registry: target.loaded.registry,
    clock: systemClock,
    ids: randomIds,
    models: bound.models,
    tools,
    secrets,
  });
  const { version } = target;
  return executor.call(target.id, input, {
    ...(version === undefined ? {} : { version }),
    signal,
    sink,
  });
}

function chooseWatch({ json, trace }: CallOptions, { out, err }: Terminal): CallWatch {
  if (json) return { sink: () => {}, finish: () => {} };
  if (!trace) return watchCall(err);
  const render = createTracer();
  const sink: EventSink = (event) => {
    for (const rendered of render(event).map(renderTraceEvent)) out.writeLine(rendered);
  };
  return { sink, finish: () => {} };
}

function announce(note: string, { err }: Terminal): void {
  err.writeLine(renderNote(note));
}

function writeResult(
  result: LoopResult,
  { json, from }: CallOptions,
  { out, err }: Terminal,
): void {
  if (json) writeJson(out, result, 2);
  else if (result.status === "ok") writeJson(out, result.output, 2);
  else renderFailure(result, from).forEach(err.writeLine);
}
