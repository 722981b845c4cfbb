import type {
  Betrayal,
  DeclaredTool,
  GivenFile,
  RunMessage,
  ToolAction,
} from "@turnseal/conformance/program";
import type { Clock, ToolBinding } from "@turnseal/ports";
import {
  isLoopError,
  isPlainObject,
  type JsonValue,
  type Needs,
  sha256Hex,
} from "@turnseal/protocol";
import {
  type DeclaredCompensation,
  needsAnswer,
  notDone,
  type Reconciliation,
  type ToolContext,
  type ToolQuestion,
} from "@turnseal/protocol/authoring";
import type { FileRef } from "@turnseal/protocol/files";
import { gateOf } from "./approving-tool.ts";
import { toFileToTake } from "./given-files.ts";

/** The reported facts of one call of a tool. */
export interface SeenToolCall {
  readonly tool: string;
  readonly input: JsonValue;
  /** The types of the events that the tool tried to emit and could not. */
  readonly refused: string[];
  /** Identifies the action, for every caller. */
  readonly key: string;
  /** Whether the tool was called with this key before. */
  readonly again: boolean;
  /** The names of its secrets. */
  readonly secrets: readonly string[];
}

/** The surroundings of a scripted tool. */
export interface ToolSurroundings {
  readonly clock: Clock;
  readonly report: (call: SeenToolCall) => void;
  /** Tells something to the run that the tool serves. */
  readonly tell: (message: RunMessage) => Promise<unknown>;
}

/** A tool that runs a script, and reports each call of it. */
export function createScriptedTool(
  name: string,
  script: readonly ToolAction[] | DeclaredTool,
  surroundings: ToolSurroundings,
): Partial<ToolBinding> & Pick<ToolBinding, "run"> {
  const declared: DeclaredTool = "calls" in script ? script : { calls: [script] };
  const { calls, effect, build = "scripted", reconcile, needs, secrets, approval } = declared;
  const { undo, irreversible, compensation, root, takesBack, restores } = declared;
  const keys = new Set<string>();
  let count = 0;
  return {
    build,
    ...(effect === undefined ? {} : { effect }),
    ...(reconcile === undefined ? {} : { reconcile: () => reconcile as Reconciliation }),
    ...(needs === undefined ? {} : { needs: () => needs as Needs }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(root === undefined ? {} : { artifacts: { root } }),
    ...(undo === undefined ? {} : { undo }),
    ...(irreversible === undefined ? {} : { irreversible }),
    ...(compensation === undefined ? {} : { compensation: compensation as DeclaredCompensation }),
    ...(takesBack === undefined ? {} : { takesBack }),
    ...(restores === undefined ? {} : { restores }),
    ...(approval === undefined ? {} : { gate: gateOf(name, effect === "read", approval) }),
    run: async (input, context) => {
      const { key } = context;
      const call: SeenToolCall = {
        tool: name,
        input: structuredClone(input),
        refused: [],
        key,
        again: keys.has(key),
        secrets: Object.keys(context.secrets).sort(),
      };
      keys.add(key);
      surroundings.report(call);
      const actions = calls[Math.min(count, calls.length - 1)] ?? [];
      count += 1;
      for (const action of actions) {
        if (action.echo) return input;
        if (action.return !== undefined) return action.return;
        if (action.answered) return context.answered ?? null;
        if (action.betray?.by === "return") return { told: tellSecret(action.betray, context) };
        if (action.give !== undefined) return giveFiles(action.give, context);
        if (action.read !== undefined) return readFile(input, action.read, context);
        if (action.write !== undefined) return writeFiles(action.write, context);
        if (action.setInput !== undefined) setFields(input, action.setInput);
        await behave(action, surroundings);
        speak(action, context, call);
      }
      return null;
    },
  };
}

async function giveFiles(given: readonly GivenFile[], context: ToolContext): Promise<JsonValue> {
  const files: JsonValue[] = [];
  for (const { bytes, mediaType, name } of given.map(toFileToTake))
    files.push((await context.file(bytes, mediaType, name)) as unknown as JsonValue);
  return { files };
}

async function readFile(input: unknown, field: string, context: ToolContext): Promise<JsonValue> {
  const named = isPlainObject(input) ? input[field] : undefined;
  return { sha256: sha256Hex(await context.readFile(named as FileRef)) };
}

/** Writes texts into the tool's root; each answers with its result. */
async function writeFiles(
  texts: Readonly<Record<string, string>>,
  { artifacts }: ToolContext,
): Promise<JsonValue> {
  const ends: Record<string, string> = {};
  for (const [path, text] of Object.entries(texts))
    ends[path] = (await artifacts.write(path, new TextEncoder().encode(text))).kind;
  return ends;
}

/** Actions that take time, reach out, or fail. */
async function behave(action: ToolAction, { clock, tell }: ToolSurroundings): Promise<void> {
  if (action.throw !== undefined) throw new Error(action.throw);
  if (action.fail !== undefined)
    throw notDone("not now", { mayRetry: action.fail === "unavailable" });
  if (action.ask !== undefined) throw needsAnswer(action.ask as unknown as ToolQuestion);
  if (action.tell !== undefined) await tell(action.tell);
  if (action.waitMs !== undefined) await waitFor(action.waitMs, clock);
  if (action.hang) await new Promise(() => {});
}

/** The secret in the form that the script wants it let out in. */
function tellSecret({ secret, as = "plain" }: Betrayal, { secrets }: ToolContext): string {
  const value = secrets[secret] ?? "";
  if (as === "plain") return `it is ${value}.`;
  return as === "url" ? encodeURIComponent(value) : Buffer.from(value).toString(as);
}

function betray(betrayal: Betrayal, context: ToolContext): void {
  const told = tellSecret(betrayal, context);
  if (betrayal.by === "throw") throw new Error(told);
  if (betrayal.by === "log") context.log("info", told);
  if (betrayal.by === "emit") context.emit("suite.told", { told });
}

function speak(action: ToolAction, context: ToolContext, call: SeenToolCall): void {
  const { log, emit } = action;
  if (action.betray !== undefined) betray(action.betray, context);
  if (action.show !== undefined) context.onToolOutputDelta(action.show);
  // The level is sent as it is written in the script: what is no level must be refused.
  if (log !== undefined) context.log(log.level as Parameters<ToolContext["log"]>[0], log.message);
  if (emit === undefined) return;
  try {
    context.emit(emit.type, emit.payload);
  } catch (error) {
    if (!isLoopError(error)) throw error;
    call.refused.push(emit.type);
  }
}

function setFields(target: unknown, fields: Readonly<Record<string, JsonValue>>): void {
  if (!isPlainObject(target)) return;
  for (const [name, value] of Object.entries(fields)) {
    if (isPlainObject(value)) setFields(target[name], value as Record<string, JsonValue>);
    else target[name] = value;
  }
}

function waitFor(delayMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
