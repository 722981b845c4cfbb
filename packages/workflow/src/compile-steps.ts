/** Steps in order: each may read what those before it gave. */
import type { FlowNode, JsonSchema, Mapping, MappingSource } from "@turnseal/protocol";
import { compileAction, compileCall, findTool, type Place } from "./compile-call.ts";
import { compileEach, isEach } from "./compile-each.ts";
import { TEXT_OUTPUT } from "./compile-prompt.ts";
import { compileRound } from "./compile-round.ts";
import { addProblem, placed, type Seen, type Sight } from "./compiling.ts";
import { compileCondition, findFileCondition, readAnswer, type Subject } from "./conditions.ts";
import { checkFitting, isNaming } from "./fitting.ts";
import { nameStep } from "./name-step.ts";
import { parseAction } from "./parse-action.ts";
import { fillStrategies, retryStep } from "./strategies.ts";
import { findVariable, readFields, toExpression, toSource } from "./variables.ts";
import type { Work } from "./work.ts";
import type { Doing, StepTable } from "./workflow-document.ts";

/** The result of compiling a list of steps. */
export interface CompiledSteps {
  readonly nodes: readonly FlowNode[];
  /** Where the last step only names a value. */
  readonly outputMapping?: Mapping;
}

interface StepsPlace extends Place {
  /** The name of an unnamed step, before its number. */
  readonly prefix: string;
}

/** Compiles a list; the place is that of the list. */
export function compileSteps(
  steps: readonly StepTable[],
  start: Sight,
  place: StepsPlace,
): CompiledSteps {
  const nodes: FlowNode[] = [];
  let sight = start;
  let before: Subject | undefined;
  let last: Mapping | undefined;
  for (const [index, step] of steps.entries()) {
    const at = { compiling: place.compiling, path: `${place.path}/${index}` };
    const name = nameStep(step.name, { number: `${place.prefix}${index + 1}`, sight }, at);
    checkFitting(step, at);
    if (isNaming(step)) {
      const seen = compileNaming(step, sight, at);
      if (seen !== undefined) {
        sight = withName(sight, name, seen);
        last = { [name]: seen.path ?? { cel: seen.cel } };
      }
      continue;
    }
    const keepsError = steps[index + 1]?.condition === "has_errors";
    const done = compileStep(step, { name, sight, before, keepsError }, at);
    if (done === undefined) continue;
    nodes.push(...done.nodes);
    before = done.subject;
    last = undefined;
    sight = withName(sight, name, done.seen);
    if (done.isShown) sight = { ...sight, shown: [...sight.shown, done.seen.cel] };
  }
  return last === undefined ? { nodes } : { nodes, outputMapping: last };
}

function withName(sight: Sight, name: string, seen: Seen): Sight {
  return { ...sight, names: new Map([...sight.names, [name, seen]]) };
}

interface StepRequest {
  readonly name: string;
  readonly sight: Sight;
  readonly before: Subject | undefined;
  readonly keepsError: boolean;
}

interface CompiledStep {
  readonly nodes: readonly FlowNode[];
  readonly subject: Subject;
  readonly seen: Seen;
  /** Whether it stands in the context of what follows. */
  readonly isShown: boolean;
}

function compileStep(
  step: StepTable,
  { name, sight, before, keepsError }: StepRequest,
  place: Place,
): CompiledStep | undefined {
  const strategies = fillStrategies(step, sight.strategies);
  const work = compileWork(step, { name, sight: { ...sight, strategies } }, place);
  const asked = compileWhen(step, { name, sight, before }, place);
  if (work === undefined || asked === undefined) return undefined;
  const { on_error } = step;
  const rule = keepsError ? "continue" : on_error === "skip" && !isEach(step) ? "skip" : undefined;
  const when = asked.when === undefined ? {} : { when: asked.when };
  const node: FlowNode = {
    ...work.node,
    name,
    ...when,
    ...(rule === undefined ? {} : { onError: rule }),
  };
  const isAlways = asked.when === undefined && rule !== "skip";
  const output = `${name}.output`;
  // A text that names the result of a prompt means its words.
  const isText = work.schema === TEXT_OUTPUT;
  const value = isText ? `${output}.text` : output;
  const missing = [
    isAlways ? [] : `${name} == null`,
    keepsError ? `${name}.status == "error"` : [],
  ];
  const unless = missing.flat().join(" || ");
  const cel = unless === "" ? value : `(${unless} ? null : ${value})`;
  return {
    // Nodes in front of a skipped step are skipped, too.
    nodes: [
      ...asked.before,
      ...work.before.map((one) => placed(place.compiling, place.path, { ...one, ...when })),
      placed(place.compiling, place.path, node),
    ],
    subject: {
      ...{ status: `${name}.status`, output, schema: work.schema },
      ran: isAlways ? undefined : `${name} != null`,
    },
    seen: { cel, path: `$.${value}`, schema: isText ? { type: "string" } : work.schema },
    isShown: !isScope(step) || step.summarize === true || step.context_mode === "shared",
  };
}

/** Compiles the work, without the condition. */
export function compileWork(
  doing: Doing & StepTable,
  request: { readonly name: string; readonly sight: Sight },
  place: Place,
): Work | undefined {
  const { name, sight } = request;
  if (isEach(doing)) {
    const { for_each: _, plugin, source: __, ...item } = doing;
    const own = plugin === "for-each" || plugin === "fanout" ? item : { ...item, plugin };
    const compileItem = (inner: Sight): Work | undefined =>
      compileWork(own as Doing, { name: `${name}_item`, sight: inner }, place);
    return compileEach({ doing, name, sight, compileItem }, place);
  }
  if (isScope(doing)) return retryWhole(compileScope(doing, request, place), doing, sight);
  if (doing.plugin === "llm-decide" && place.compiling.findLoop("llm-decide") === undefined)
    return retryWhole(compileRound(doing.prompt, request, place), doing, sight);
  const isPlain = doing.plugin === "condition" || doing.plugin === "capture";
  const { plugin: _, ...plain } = doing;
  const called = compileCall(isPlain ? plain : doing, request, place);
  if (called === undefined) return undefined;
  const node = withRetry(called.node, doing, sight);
  const { schema, isAgent = false } = called;
  if (!isAgent) return { before: [], node, schema };
  return { before: [], node: placed(place.compiling, place.path, needDone(node)), schema };
}

/** Fails where an agent stopped short. It is not called again: its answer would be another one. */
function needDone(body: FlowNode): FlowNode {
  return { kind: "repeat", max: 1, until: "last.done", scope: "shared", body };
}

function withRetry(node: FlowNode, { on_error, max_retries }: Doing, sight: Sight): FlowNode {
  const { retry } = sight.strategies;
  const own = on_error === "retry" ? retryStep(max_retries, retry) : retry;
  return own === undefined ? node : { ...node, retry: own };
}

/** Work that is no single call is retried as a whole, and only if the step asks for it. */
export function retryWhole(
  work: Work | undefined,
  { on_error, max_retries }: Doing,
  { strategies: { retry } }: Sight,
): Work | undefined {
  if (work === undefined || on_error !== "retry") return work;
  return { ...work, node: { ...work.node, retry: retryStep(max_retries, retry) } };
}

function isScope({ type, steps, scope }: StepTable): boolean {
  return type === "scope" || steps !== undefined || scope !== undefined;
}

/** Steps with strategies of their own; what it gives is what the last of them gave. */
function compileScope(
  step: StepTable,
  { name, sight }: { readonly name: string; readonly sight: Sight },
  place: Place,
): Work | undefined {
  const { scope, steps = scope?.steps, context_mode = "isolated", group = false } = step;
  if (steps === undefined || steps.length === 0)
    return addProblem(place.compiling, {
      rule: "field-missing",
      path: place.path,
      message: `the scope ${name} has no steps`,
      mend: "add [[….scope.steps]]",
    });
  const isAlone = context_mode === "isolated";
  const strategies = fillStrategies(scope ?? {}, sight.strategies);
  const inner: Sight = {
    ...sight,
    scopes: [...sight.scopes, name],
    // A group retries its own steps, so they inherit no retry.
    strategies: group ? { ...strategies, retry: undefined } : strategies,
    shown: isAlone ? [] : sight.shown,
    above: isAlone ? [...sight.above, ...sight.shown] : sight.above,
  };
  const path = `${place.path}/${scope === undefined ? "steps" : "scope/steps"}`;
  const compiled = compileSteps(steps, inner, { ...place, path, prefix: `${name}_` });
  const node: FlowNode = { kind: "sequence", ...(group ? { group } : {}), ...compiled };
  return { before: [], node: placed(place.compiling, place.path, node), schema: true };
}

interface Asked {
  readonly before: readonly FlowNode[];
  readonly when?: string;
}

/** The condition of a step, with the call that answers it where it is one of a file or a loop. */
function compileWhen(
  { condition, plugin, source, action, for_each }: StepTable,
  { name, sight, before }: Omit<StepRequest, "keepsError">,
  { compiling, path }: Place,
): Asked | undefined {
  const at = { compiling, path: `${path}/condition` };
  if (plugin === "condition" && source !== undefined) {
    const asked = compileAction(source, sight, { compiling, path: `${path}/source` });
    return asked && askBefore(`${name}_holds`, asked, "holds");
  }
  if (condition === undefined) return { before: [] };
  const file = findFileCondition(condition);
  if (file === undefined) {
    const when = compileCondition(condition, before, at);
    return when === undefined ? undefined : { before: [], when };
  }
  const target = file.target === "" && for_each === undefined ? targetOf(action) : file.target;
  const asked = compileFile(target, sight, at);
  return asked && askBefore(`${name}_exists`, asked, "exists");
}

function targetOf(action: string | undefined): string {
  const parsed = parseAction(action ?? "");
  return (parsed.kind === "parsed" ? parsed.action.target : undefined) ?? "";
}

/** Whether a file is there is read by a loop of the operator, as everything outside is. */
export function compileFile(
  target: string,
  sight: Sight,
  at: Place,
): { readonly node: FlowNode; readonly schema: JsonSchema } | undefined {
  if (target === "")
    return addProblem(at.compiling, {
      rule: "mapping-expression",
      path: at.path,
      message: "`file_exists` does not say which file",
      mend: "write file_exists:{file}",
    });
  const loop = findTool("file_exists", "file_exists", at);
  const source: MappingSource | undefined = toSource(target, sight, at);
  if (loop === undefined || source === undefined) return undefined;
  const inputMapping = { target: source, args: { const: [] } };
  const node = { kind: "call", loopId: loop.id, inputMapping } as const;
  return { node: placed(at.compiling, at.path, node), schema: loop.outputSchema };
}

function askBefore(
  name: string,
  { node, schema }: { readonly node: FlowNode; readonly schema: JsonSchema },
  field: string,
): Asked {
  return { before: [{ ...node, name }], when: readAnswer(`${name}.output`, schema, field) };
}

function compileNaming(step: StepTable, sight: Sight, place: Place): Seen | undefined {
  const { source, field, format } = step;
  const { compiling, path } = place;
  if (format !== undefined) {
    const cel = toExpression(format, sight, { compiling, path: `${path}/format` });
    return cel === undefined ? undefined : { cel, path: undefined, schema: { type: "string" } };
  }
  if (source === undefined)
    return addProblem(compiling, {
      rule: "field-missing",
      path,
      message: "it does not say what is taken",
      mend: "add source with the name of a step, or format",
    });
  const seen = findVariable(source, sight, { compiling, path: `${path}/source` });
  return seen && readFields(seen, field === undefined ? [] : field.split("."));
}
