/**
 * The functions of tools, by the name in `tool.implementation` and the version of their loop.
 *
 * 1. Two versions of a tool have two functions under one name: whoever is pinned to one of them
 *    gets its function, and a grant names both alike.
 * 2. What a name means never depends on an order: two tools that bind different functions to one
 *    name are refused.
 */
import {
  echoTool,
  memorySecrets,
  type Roots,
  type Secrets,
  type Tool,
  type ToolBinding,
} from "@turnseal/ports";
import { canonicalize, type JsonObject, type Problem } from "@turnseal/protocol";
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

/** A loop whose function cannot be told from that of another. */
export interface FunctionClash {
  readonly loop: Loop<never, unknown>;
  readonly problem: Problem;
}

export type LoopBinding =
  | { readonly kind: "bound"; readonly tools: BoundTools }
  | { readonly kind: "refused"; readonly clashes: readonly FunctionClash[] };

/**
 * Fills in what a binding leaves out. A tool that declares nothing is taken for one that must not
 * act twice.
 */
export function bindTools(bindings: ToolBindings, roots?: Roots): BoundTools {
  return findIn(fillAll(bindings), new Map(), roots);
}

/**
 * The functions of authored tools, with what they declare, and of tools that were written as
 * documents. A name in `bindings` stands for every version, and in place of what was authored.
 */
export function bindLoops(
  loops: readonly Loop<never, unknown>[],
  bindings: ToolBindings = {},
  roots?: Roots,
  secrets: Secrets = memorySecrets(),
): LoopBinding {
  const clashes = [...findClashes(loops), ...findInspectClashes(loops, roots)];
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

function listAuthored(loops: readonly Loop<never, unknown>[]): Authored[] {
  return loops.flatMap((loop) => {
    const implementation = loop.definition.tool?.implementation;
    const { run } = loop;
    return implementation === undefined || run === undefined ? [] : [{ implementation, loop, run }];
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

/**
 * Only versions of one tool may differ under a name: a grant that names it would otherwise allow
 * two things, and the last one registered would answer for both.
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
