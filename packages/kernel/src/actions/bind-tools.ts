/**
 * The functions of tools, by the name in `tool.implementation` and the version of their loop.
 *
 * 1. Two versions of a tool have two functions under one name: a run gets the function of its
 *    pinned version, and a grant names both alike.
 * 2. A name never depends on an order: two tools that bind different functions to one name are
 *    refused.
 * 3. No function is bound to a name of the runtime: its claims would be taken for the runtime's
 *    own.
 */
import {
  echoTool,
  memorySecrets,
  type Roots,
  type Secrets,
  type Tool,
  type ToolBinding,
} from "@turnseal/ports";
import {
  BUILT_IN_TOOLS,
  canonicalize,
  isReservedTool,
  type JsonObject,
  type Problem,
} from "@turnseal/protocol";
import { buildOf, type Loop } from "@turnseal/protocol/authoring";
import type { BoundTools } from "../world.ts";
import { bindInspected, findInspectClashes } from "./bind-inspected.ts";

/**
 * Functions by the name in `tool.implementation`: bare, or with what they declare about their
 * effect. A name stands for every version.
 */
export type ToolBindings = Readonly<
  Record<string, Tool | (Partial<ToolBinding> & Pick<ToolBinding, "run">)>
>;

/** A loop whose function collides with that of another. */
export interface FunctionClash {
  readonly loop: Loop<never, unknown>;
  readonly problem: Problem;
}

export type LoopBinding =
  | { readonly kind: "bound"; readonly tools: BoundTools }
  | { readonly kind: "refused"; readonly clashes: readonly FunctionClash[] };

/** Fills in the defaults of a binding. A tool without a declared effect counts as `once`. */
export function bindTools(bindings: ToolBindings, roots?: Roots): BoundTools {
  return findIn(fillAll(bindings), new Map(), roots);
}

/**
 * The functions of authored tools, with what they declare, and of tools that were written as
 * documents. A name in `bindings` replaces the authored function of every version.
 */
export function bindLoops(
  loops: readonly Loop<never, unknown>[],
  bindings: ToolBindings = {},
  roots?: Roots,
  secrets: Secrets = memorySecrets(),
): LoopBinding {
  const clashes = [
    ...findReserved(loops),
    ...findClashes(loops),
    ...findInspectClashes(loops, roots),
  ];
  if (clashes.length > 0) return { kind: "refused", clashes };
  const authored = new Map<string, ToolBinding>();
  for (const tool of listAuthored(loops))
    authored.set(keyOf(tool.implementation, tool.loop.definition.version), fill(toBinding(tool)));
  const all = roots && { ...roots, ...bindInspected(loops, secrets) };
  return { kind: "bound", tools: findIn(fillAll(bindings), authored, all) };
}

function findIn(
  named: ReadonlyMap<string, ToolBinding>,
  authored: ReadonlyMap<string, ToolBinding>,
  roots: Roots | undefined,
): BoundTools {
  return {
    ...(roots === undefined ? {} : { roots }),
    find: (implementation, version) =>
      named.get(implementation) ??
      authored.get(keyOf(implementation, version)) ??
      (implementation === ECHO_TOOL ? echo : undefined),
  };
}

const ECHO_TOOL = "builtin:echo";
const echo = fill({ run: echoTool, effect: "read" });

function fillAll(bindings: ToolBindings): ReadonlyMap<string, ToolBinding> {
  const reserved = Object.keys(bindings).find(isReservedTool);
  if (reserved !== undefined)
    throw new TypeError(`${reserved} is a name of the runtime: bind the function to another name`);
  return new Map(
    Object.entries(bindings).map(([name, binding]) => [
      name,
      fill(typeof binding === "function" ? { run: binding } : binding),
    ]),
  );
}

function fill(binding: Partial<ToolBinding> & Pick<ToolBinding, "run">): ToolBinding {
  return { effect: "once", build: buildOf(binding.run), ...binding };
}

// A version has no line break, so that no two pairs give one key.
function keyOf(implementation: string, version: string): string {
  return `${version}\n${implementation}`;
}

interface Authored {
  readonly implementation: string;
  readonly loop: Loop<never, unknown>;
  readonly run: NonNullable<Loop<never, unknown>["run"]>;
}

const builtIns: ReadonlySet<string> = new Set(BUILT_IN_TOOLS);

/** The function that an author gives a built-in tool is never called. */
function listAuthored(loops: readonly Loop<never, unknown>[]): Authored[] {
  return loops.flatMap((loop) => {
    const { run, definition } = loop;
    const { implementation } = definition.tool ?? {};
    if (run === undefined || implementation === undefined) return [];
    return builtIns.has(implementation) ? [] : [{ implementation, loop, run }];
  });
}

function toBinding({ run, loop: { declared, needs, gate } }: Authored) {
  return {
    ...declared,
    // The input is validated by the schema from which the function's parameter was inferred.
    run: run as Tool,
    ...(needs === undefined ? {} : { needs: needs as NonNullable<ToolBinding["needs"]> }),
    ...(gate === undefined ? {} : { gate: gate as NonNullable<ToolBinding["gate"]> }),
  };
}

function findReserved(loops: readonly Loop<never, unknown>[]): FunctionClash[] {
  return listAuthored(loops)
    .filter(({ implementation }) => isReservedTool(implementation))
    .map(({ implementation, loop }) => ({
      loop,
      problem: {
        rule: "name-reserved",
        path: "/tool/implementation",
        message: `\`${implementation}\` is a name of the runtime, and no tool that a loop can call`,
        mend: "give the tool another `implementation`",
      },
    }));
}

/**
 * Only versions of one tool may share a name. Otherwise a grant for the name would allow two
 * things, and the last registered function would answer for both.
 */
function findClashes(loops: readonly Loop<never, unknown>[]): FunctionClash[] {
  const known = new Map<string, Authored[]>();
  const clashes: FunctionClash[] = [];
  for (const authored of listAuthored(loops)) {
    const { implementation, loop } = authored;
    const before = known.get(implementation) ?? [];
    known.set(implementation, [...before, authored]);
    const other = before.find((earlier) => isClash(earlier, authored));
    if (other === undefined) continue;
    clashes.push({ loop, problem: describeClash(implementation, other) });
  }
  return clashes;
}

function isClash({ loop: one }: Authored, { loop: other }: Authored): boolean {
  const isOtherVersion =
    one.definition.id === other.definition.id &&
    one.definition.version !== other.definition.version;
  return !isOtherVersion && !isSameFunction(one, other);
}

function isSameFunction(one: Loop<never, unknown>, other: Loop<never, unknown>): boolean {
  const { reconcile: asked, artifacts, ...facts } = one.declared ?? {};
  const { reconcile: otherAsked, artifacts: otherFiles, ...otherFacts } = other.declared ?? {};
  return (
    one.run === other.run &&
    one.needs === other.needs &&
    one.gate === other.gate &&
    asked === otherAsked &&
    artifacts?.root === otherFiles?.root &&
    artifacts?.inspect === otherFiles?.inspect &&
    canonicalize(facts as JsonObject) === canonicalize(otherFacts as JsonObject)
  );
}

function describeClash(implementation: string, { loop }: Authored): Problem {
  const { id, version } = loop.definition;
  return {
    rule: "registry-conflict",
    path: "/tool/implementation",
    message: `\`${implementation}\` is the name of another function too, that of ${id} ${version}`,
    mend: "give one of the two another `implementation`",
  };
}
