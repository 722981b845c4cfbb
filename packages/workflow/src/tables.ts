/** The tables of a workflow file (spec/workflow.md). */
import { NODE_TRIES_MAX, OUTPUT_PREVIEW_BYTES_MAX } from "@turnseal/kernel";
import type { KeyShape, Shape, TableName, TableShape } from "./shape.ts";

/** Seconds that a file may ask for: a day. */
export const SECONDS_MAX = 24 * 60 * 60;
/** Turns of an agent and transitions of a machine. */
export const TURNS_MAX = 1_000;
/** Tries of a step, the first among them. */
export const ATTEMPTS_MAX = NODE_TRIES_MAX;
/** Items of a `for_each`. */
export const ITEMS_MAX = 256;

export const CONTEXTS = ["flat", "task_list", "task_tree", "none"] as const;
export const CACHES = ["none", "ephemeral", "in_memory", "persistent"] as const;
export const RETRIES = ["none", "immediate", "fixed", "exponential"] as const;
export const LLMS = ["simple", "none"] as const;
export const MODES = ["isolated", "shared", "inherited"] as const;
export const ON_ERRORS = ["fail", "skip", "retry"] as const;
export const FALLBACKS = ["skip", "report", "alternative"] as const;
/** How a model says what it decides: by the schema of its answer, or a line for each action. */
export const FORMATS = ["structured", "text"] as const;

const TEXT: Shape = { kind: "text" };
const FLAG: Shape = { kind: "flag" };
const SECONDS: Shape = { kind: "seconds", max: SECONDS_MAX };
const choice = (of: readonly string[]): Shape => ({ kind: "choice", of });
const count = (min: number, max: number): Shape => ({ kind: "count", min, max });
const table = (name: TableName): Shape => ({ kind: "table", name });
const tables = (name: TableName): Shape => ({ kind: "list", of: table(name) });
const either = (...of: readonly Shape[]): Shape => ({ kind: "either", of });
const key = (shape: Shape, says: string): KeyShape => ({ shape, says });

const strategies: TableShape = {
  context: key(either(choice(CONTEXTS), table("context")), "what of earlier results is shown"),
  cache: key(either(choice(CACHES), table("cache")), "where answers of prompts are kept"),
  retry: key(either(choice(RETRIES), table("retry")), "how a call that failed is tried again"),
  llm: key(either(choice(LLMS), table("llm")), "the model that decides and answers prompts"),
};

/** The keys of the work of a step or a state. */
const doing: TableShape = {
  action: key(TEXT, "a verb, its target and arguments"),
  prompt: key(TEXT, "what a model is asked"),
  plugin: key(
    TEXT,
    "a loop, or one of for-each, fanout, condition, capture, transform, llm-decide",
  ),
  source: key(TEXT, "the loop that gives a list, or the step that a plugin reads"),
  field: key(TEXT, "with transform: the field that is taken, such as errors.0.file"),
  format: key(TEXT, "with transform: a text with variables"),
  workflow: key(TEXT, "another workflow file, from this one"),
  for_each: key(
    either(TEXT, { kind: "list", of: { kind: "value" } }),
    "a list, {name} of one, cel:<expression>, or the loop that gives one",
  ),
  as: key(TEXT, "what an item is called, item unless given"),
  max_items: key(count(1, ITEMS_MAX), "items at most"),
  concurrency: key(count(1, ITEMS_MAX), "with fanout and parallel: how many run at once"),
  on_error: key(choice(ON_ERRORS), "what it is that it failed"),
  max_retries: key(count(1, ATTEMPTS_MAX - 1), "with on_error retry: tries after the first"),
};

const step: TableShape = {
  name: key(TEXT, "what its result is called"),
  type: key(choice(["action", "scope"]), "scope for steps with strategies of their own"),
  ...doing,
  condition: key(TEXT, "when it runs, by what the step before gave"),
  steps: key(tables("step"), "what stands inside it"),
  scope: key(table("scope"), "the same, as scope.steps"),
  context_mode: key(choice(MODES), "what a scope sees of the results around it"),
  summarize: key(FLAG, "whether what a scope gave is shown after it"),
  group: key(FLAG, "whether what the steps of a scope do is done as a whole or not at all"),
  ...strategies,
};

const state: TableShape = {
  name: { ...key(TEXT, "what transitions call it"), isRequired: true },
  ...doing,
  terminal: key(FLAG, "whether the workflow ends here"),
  on_entry: key(TEXT, "an action before, when it is entered from another state"),
  on_exit: key(TEXT, "an action after"),
  parallel: key({ kind: "list", of: TEXT }, "states whose work is done at once"),
  join: key(TEXT, "with parallel: the state that follows, or all or any"),
  llm_select: key(FLAG, "whether a model chooses among the transitions"),
  transitions: key(tables("transition"), "where it goes from here: the first that holds"),
};

export const TABLES: Readonly<Record<TableName, TableShape>> = {
  document: {
    workflow: key(table("workflow"), "the workflow"),
    steps: key(tables("step"), "its steps, in order"),
    states: key(tables("state"), "its states"),
  },
  workflow: {
    name: key(TEXT, "its id, the name of the file unless given"),
    description: key(TEXT, "what it is for"),
    version: key(TEXT, "a semantic version"),
    initial_state: key(TEXT, "the state that it begins in, the first unless given"),
    limits: key(table("limits"), "what it may take at most"),
    inputs: key({ kind: "map", of: TEXT }, "variables that it is given, each with a description"),
    verbs: key({ kind: "map", of: { kind: "list", of: TEXT } }, "loops, each with its words"),
    stall: key(table("stall"), "when an agent gets nowhere"),
    ...strategies,
    steps: key(tables("step"), "its steps, in order"),
    states: key(tables("state"), "its states"),
  },
  limits: {
    max_turns: key(count(1, TURNS_MAX), "turns of an agent, transitions of a machine"),
    timeout_seconds: key(SECONDS, "how long it may take"),
  },
  context: {
    strategy: { ...key(choice(CONTEXTS), "which results are shown"), isRequired: true },
    last: key(count(1, ITEMS_MAX), "with flat: how many, 10 unless given"),
  },
  cache: {
    strategy: { ...key(choice(CACHES), "where answers are kept"), isRequired: true },
    ttl_seconds: key(SECONDS, "for how long"),
    preview_length: key(
      count(1, OUTPUT_PREVIEW_BYTES_MAX),
      "bytes of a result that an agent is shown",
    ),
  },
  retry: {
    strategy: { ...key(choice(RETRIES), "how long it waits"), isRequired: true },
    max_attempts: key(count(1, ATTEMPTS_MAX), "tries in all"),
    delay: key(SECONDS, "seconds before the second try, 1 unless given"),
    cap: key(SECONDS, "with exponential: the longest delay, 60 unless given"),
    jitter: key(FLAG, "whether a part of each delay is taken off"),
  },
  llm: {
    strategy: key(choice(LLMS), "simple, or none where nothing may decide"),
    provider: key(TEXT, "the backend that is asked"),
    model: key(TEXT, "which of its models"),
    system_prompt: key(TEXT, "what it is told first; file:<path> names a file"),
    thinking: key(FLAG, "whether a decision has its reasons"),
    max_actions: key(count(1, 32), "actions of one decision, 1 unless given"),
    parallel: key(FLAG, "whether the actions of a decision run at once"),
    format: key(choice(FORMATS), "how it says what it decides"),
  },
  stall: {
    same_action: key(count(2, 100), "equal decisions in a row that end it, 5 unless given"),
    same_failure: key(count(1, 100), "failures of one action on one target, 3 unless given"),
    fallback: key(choice(FALLBACKS), "what comes after them, report unless given"),
  },
  step,
  scope: {
    steps: { ...key(tables("step"), "what stands inside it"), isRequired: true },
    ...strategies,
  },
  state,
  transition: {
    condition: key(TEXT, "when it is taken, by what the state gave; always without one"),
    next: { ...key(TEXT, "the state that follows"), isRequired: true },
  },
};
