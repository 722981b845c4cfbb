/**
 * Workflows in TypeScript: the tables of a file as an object, and scopes as functions that run
 * once, when the loop is defined. The loop is the one that the same file compiles to.
 */
import type { JsonObject, LoopDef, Problem } from "@turnseal/protocol";
import { AuthoringError, type Loop, withUsed } from "@turnseal/protocol/authoring";
import type {
  StepTable,
  Strategies,
  WorkflowDocument,
  WorkflowTable,
} from "./workflow-document.ts";

/** The loops that verbs and plugins name. */
interface Using {
  readonly uses: readonly Loop<never, unknown>[];
}

/** The tables of an agent, as `[workflow]` of a file has them. */
export type AgentOptions = Omit<WorkflowTable, "name" | "steps" | "states" | "initial_state"> &
  Using;

/** The answer of an agent: words for a person, and the facts behind them. */
export interface AgentAnswer {
  readonly text: string;
  readonly done: boolean;
  readonly stopped: "done" | "stalled" | "repeated-failure" | "max-turns";
  readonly did: readonly string[];
  readonly left: readonly string[];
}

/**
 * Defines an agent: a model decides turn by turn, and the strategies say what it is shown and what
 * is done again.
 *
 * @example
 * const dwim = await agentLoop("dwim", {
 *   uses: [view, edit],
 *   verbs: { view: ["look"], edit: ["fix"] },
 *   context: "task_tree",
 *   cache: { strategy: "in_memory", preview_length: 500 },
 *   llm: { provider: "anthropic" },
 * });
 */
export async function agentLoop(
  name: string,
  { uses, ...workflow }: AgentOptions,
): Promise<Loop<{ readonly task: string }, AgentAnswer>> {
  return compile({ workflow: { ...workflow, name } }, uses);
}

/** A step beside its action: a name, a condition, what happens when it fails. */
type StepOptions = Omit<StepTable, "action" | "steps" | "scope" | "prompt">;
type ScopeOptions = Strategies & Omit<StepOptions, keyof Strategies | "type">;

/** A scope while it is written: each call adds a step to it. */
export interface Scope {
  /** A verb with its target and arguments, as in a file. */
  run(action: string, options?: StepOptions): void;
  /** A question to the model of the scope. */
  ask(prompt: string, options?: StepOptions): void;
  /** Steps with strategies of their own: a strategy that it leaves out is that of this scope. */
  scope(options: ScopeOptions, write: WriteScope): Promise<void>;
}

/** Runs once, when the loop is defined; it may be asynchronous. */
type WriteScope = (scope: Scope) => void | Promise<void>;

/**
 * Defines steps that share strategies, with scopes inside each other.
 *
 * @example
 * const fix = await scope("fix", { uses: [analyze, edit], retry: "fixed" }, async (s) => {
 *   s.run("analyze", { name: "before" });
 *   await s.scope({ retry: "none", summarize: true }, (inner) => inner.run("edit {file}"));
 *   s.run("analyze", { name: "after" });
 * });
 */
export async function scope(
  name: string,
  { uses, ...workflow }: AgentOptions,
  write: WriteScope,
): Promise<Loop<JsonObject>> {
  const steps = await writeSteps(write);
  return compile({ workflow: { ...workflow, name }, steps }, uses);
}

async function writeSteps(write: WriteScope): Promise<readonly StepTable[]> {
  // A scope takes its place when it is asked for, also where nobody waits for it.
  const steps: Promise<StepTable>[] = [];
  const add = (step: StepTable): void => void steps.push(Promise.resolve(step));
  await write({
    run: (action, options = {}) => add({ ...options, action }),
    ask: (prompt, options = {}) => add({ ...options, prompt }),
    scope: async (options, inner) => {
      const step = writeScope(options, inner);
      steps.push(step);
      await step;
    },
  });
  return Promise.all(steps);
}

async function writeScope(
  { context, cache, retry, llm, ...options }: ScopeOptions,
  write: WriteScope,
): Promise<StepTable> {
  const steps = await writeSteps(write);
  return { ...options, scope: { ...dropAbsent({ context, cache, retry, llm }), steps } };
}

function dropAbsent(
  strategies: {
    readonly [Key in keyof Strategies]: Strategies[Key] | undefined;
  },
): Strategies {
  const given = Object.entries(strategies).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

async function compile<Input, Output>(
  document: WorkflowDocument,
  uses: Using["uses"],
): Promise<Loop<Input, Output>> {
  // The compiler of workflows is loaded by those who write one.
  const { checkTables } = await import("./check-tables.ts");
  const { compileWorkflow } = await import("./compile-workflow.ts");
  const { INTENTS_LOOP, readIntents } = await import("./intents-loop.ts");
  const name = document.workflow?.name ?? "";
  const slips = checkTables(document);
  if (slips.length > 0) throw refuse(name, slips);
  const known = withUsed(uses);
  const named = new Map(known.map(({ definition }) => [definition.id, definition]));
  const compiled = compileWorkflow(document, {
    ...{ name, loopIds: [...named.keys()] },
    findLoop: (id) => named.get(id),
    // Other files are named by files alone.
    openNested: () => undefined,
    readText: () => undefined,
  });
  if (compiled.kind === "refused") throw refuse(name, compiled.problems);
  const [definition, ...own] = compiled.loops as readonly [LoopDef, ...LoopDef[]];
  const brought = own.map((loop): Loop => {
    if (loop !== INTENTS_LOOP) return { definition: loop };
    return { definition: loop, run: readIntents, declared: { effect: "read" } };
  });
  return { definition, uses: [...brought, ...known] };
}

function refuse(name: string, problems: readonly Problem[]): AuthoringError {
  const words = problems.map(({ path, message, mend }) => `${path} ${message}; ${mend}`);
  return new AuthoringError("WORKFLOW_UNFIT", `${name}: ${words.join("\n")}`);
}
