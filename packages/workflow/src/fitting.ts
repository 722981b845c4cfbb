/** Keys that say nothing where they stand: each is a mistake, since it would be ignored. */
import type { Place } from "./compile-call.ts";
import { isEach } from "./compile-each.ts";
import { addProblem } from "./compiling.ts";
import type { StateTable, StepTable, Strategies } from "./workflow-document.ts";

/** A step that only gives a name to what is known. */
export function isNaming({ plugin, action, prompt, workflow }: StepTable): boolean {
  if (plugin === "transform") return true;
  return plugin === "capture" && (action ?? prompt ?? workflow) === undefined;
}

interface Need {
  readonly keys: readonly string[];
  readonly isMet: (written: Written) => boolean;
  readonly needs: string;
}

type Written = StepTable & Partial<StateTable>;

const NEEDS: readonly Need[] = [
  { keys: ["as", "max_items"], isMet: isEach, needs: "for_each" },
  {
    keys: ["concurrency"],
    isMet: ({ plugin, parallel }) => plugin === "fanout" || parallel !== undefined,
    needs: 'plugin = "fanout", or parallel',
  },
  {
    keys: ["field", "format"],
    isMet: ({ plugin }) => plugin === "transform",
    needs: 'plugin = "transform"',
  },
  {
    keys: ["max_retries"],
    isMet: ({ on_error }) => on_error === "retry",
    needs: 'on_error = "retry"',
  },
  {
    keys: ["context_mode", "summarize", "group"],
    isMet: ({ type, steps, scope }) => (type ?? steps ?? scope) !== undefined && type !== "action",
    needs: 'type = "scope"',
  },
  { keys: ["join"], isMet: ({ parallel }) => parallel !== undefined, needs: "parallel" },
  {
    keys: ["source"],
    isMet: ({ plugin }) => plugin !== undefined,
    needs: "a plugin",
  },
];

interface Clash {
  readonly key: string;
  readonly isMet: (written: Written) => boolean;
  readonly beside: string;
}

/** Plugins that go with what else says what is done. */
const AROUND: ReadonlySet<string> = new Set(["for-each", "fanout", "condition", "capture"]);

function isOwn(plugin: string | undefined): boolean {
  return plugin !== undefined && !AROUND.has(plugin);
}

/** Keys that say nothing beside another. */
const CLASHES: readonly Clash[] = [
  {
    key: "prompt",
    isMet: ({ action, steps, scope, parallel, plugin }) =>
      (action ?? steps ?? scope ?? parallel) !== undefined && !isOwn(plugin),
    beside: "what else says what is done",
  },
  {
    key: "plugin",
    isMet: ({ workflow, plugin }) => workflow !== undefined && isOwn(plugin),
    beside: "workflow",
  },
  { key: "condition", isMet: isNaming, beside: "a step that only names a value" },
  { key: "transitions", isMet: ({ terminal }) => terminal === true, beside: "terminal" },
  {
    key: "on_error",
    isMet: ({ terminal, on_error, parallel, ...doing }) =>
      terminal === true && on_error === "skip" && parallel === undefined && !isEach(doing),
    beside: "terminal",
  },
  {
    key: "on_error",
    isMet: ({ on_error, parallel }) => on_error === "retry" && parallel !== undefined,
    beside: "parallel",
  },
];

/** Several keys for the work contradict each other. */
const WORKS = ["action", "workflow", "steps", "scope", "parallel"] as const;

export function checkFitting(written: Written, { compiling, path }: Place): void {
  for (const { keys, isMet, needs } of NEEDS)
    for (const key of keys)
      if (Object.hasOwn(written, key) && !isMet(written))
        addProblem(compiling, {
          rule: "setting-unfit",
          path: `${path}/${key}`,
          message: `\`${key}\` has no effect without ${needs}`,
          mend: `remove it, or add ${needs}`,
        });
  for (const { key, isMet, beside } of CLASHES)
    if (Object.hasOwn(written, key) && isMet(written))
      addProblem(compiling, {
        rule: "setting-unfit",
        path: `${path}/${key}`,
        message: `\`${key}\` has no effect beside ${beside}`,
        mend: "remove one of them",
      });
  checkRetry(written.retry, { compiling, path: `${path}/retry` });
  checkRetry(written.scope?.retry, { compiling, path: `${path}/scope/retry` });
  const [first, second] = WORKS.filter((key) => Object.hasOwn(written, key));
  if (second !== undefined)
    addProblem(compiling, {
      rule: "setting-unfit",
      path: `${path}/${second}`,
      message: `\`${first}\` and \`${second}\` both say what is done`,
      mend: "remove one of them, or make two of it",
    });
}

/** The keys of a retry that a strategy does not read. */
const UNREAD = {
  none: ["max_attempts", "delay", "cap", "jitter"],
  immediate: ["delay", "cap", "jitter"],
  fixed: ["cap"],
  exponential: [],
} as const;

/** The place is that of the table. */
export function checkRetry(retry: Strategies["retry"], { compiling, path }: Place): void {
  if (retry === undefined || typeof retry === "string") return;
  for (const key of UNREAD[retry.strategy])
    if (Object.hasOwn(retry, key))
      addProblem(compiling, {
        rule: "setting-unfit",
        path: `${path}/${key}`,
        message: `\`${key}\` has no effect where the strategy is ${retry.strategy}`,
        mend: "remove it, or choose another strategy",
      });
}
