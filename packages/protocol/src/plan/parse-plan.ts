/**
 * Parses a plan, and reports all of its problems at once. A registry checks that its loops exist.
 */
import { isPlainObject } from "../canonical-json.ts";
import {
  checkFields,
  checkVersion,
  createReport,
  type FieldRule,
  type Report,
} from "../loop/check-fields.ts";
import type { Problem } from "../loop/problem.ts";
import { PLAN_TOOL } from "../tool-reference.ts";
import { listLevels } from "./list-levels.ts";
import {
  PLAN_STEPS_MAX,
  PLAN_TITLE_LENGTH_MAX,
  type PlanDocument,
  type PlanStep,
} from "./plan-document.ts";
import { isRollbackHead } from "./rollback-head.ts";
import { readSource } from "./step-sources.ts";

export type ParsedPlan =
  | { readonly kind: "parsed"; readonly plan: PlanDocument }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

const planFields: Record<string, FieldRule> = {
  title: { type: "text", required: true },
  objective: { type: "text" },
  steps: { type: "objects", required: true },
  worst: { type: "object" },
  reversible: { type: "boolean" },
  rollbackOn: { type: "causes" },
  rollback: { type: "object" },
};
const stepFields: Record<string, FieldRule> = {
  id: { type: "name", required: true },
  description: { type: "text" },
  loop: { type: "text", required: true },
  version: { type: "text" },
  input: { type: "object" },
  after: { type: "texts" },
  critical: { type: "boolean" },
};

export function parsePlan(document: unknown): ParsedPlan {
  const report = createReport("strict");
  if (isPlainObject(document)) checkPlan(document, report);
  else
    report.refuse({
      rule: "document-object",
      path: "",
      message: "a plan is an object",
      mend: "write a title and steps",
    });
  const { problems } = report;
  if (problems.length > 0) return { kind: "refused", problems };
  return { kind: "parsed", plan: document as unknown as PlanDocument };
}

function checkPlan(document: Record<string, unknown>, report: Report): void {
  checkFields(document, planFields, "", report);
  const { title, steps, rollback } = document;
  if (isPlainObject(rollback) && !isRollbackHead(rollback))
    report.refuse({
      rule: "field-type",
      path: "/rollback",
      message: "it does not name the actions that it takes back, and those that it leaves",
      mend: "leave it out: `turnseal rollback` writes it",
    });
  if (typeof title === "string" && title.length > PLAN_TITLE_LENGTH_MAX)
    report.refuse({
      rule: "field-type",
      path: "/title",
      message: `the title is longer than ${PLAN_TITLE_LENGTH_MAX} characters`,
      mend: "move the rest into `objective`",
    });
  if (!Array.isArray(steps) || !steps.every(isPlainObject)) return;
  if (steps.length > PLAN_STEPS_MAX) {
    report.refuse({
      rule: "steps-limit",
      path: "/steps",
      message: `more than ${PLAN_STEPS_MAX} steps`,
      mend: "make several plans of it, or move steps into a composite",
    });
    return;
  }
  steps.forEach((step, index) => {
    checkFields(step, stepFields, `/steps/${index}`, report);
    checkVersion(step["version"], `/steps/${index}/version`, report);
    if (step["loop"] === PLAN_TOOL)
      report.refuse({
        rule: "name-reserved",
        path: `/steps/${index}/loop`,
        message: `${PLAN_TOOL} asks for a plan, and is no step of one`,
        mend: "leave it out: the plan is proposed before its first step",
      });
  });
  // The order can only be checked if every field has its type.
  if (report.problems.length > 0) return;
  checkOrder(steps as unknown as readonly PlanStep[], report);
}

function checkOrder(steps: readonly PlanStep[], report: Report): void {
  const places = new Map<string, number>();
  steps.forEach(({ id }, index) => {
    if (places.has(id))
      report.refuse({
        rule: "binding-repeated",
        path: `/steps/${index}/id`,
        message: `two steps are called ${id}`,
        mend: "give each step an id of its own",
      });
    places.set(id, index);
  });
  for (const [index, step] of steps.entries()) checkSources(step, { index, places }, report);
  if (report.problems.length > 0) return;
  const circle = findCircle(steps);
  if (circle !== undefined)
    report.refuse({
      rule: "reference-cycle",
      path: `/steps/${places.get(circle[0] ?? "") ?? 0}`,
      message: `steps wait for each other: ${circle.join(" → ")}`,
      mend: "leave out one of these dependencies",
    });
}

function checkSources(
  { after = [], input = {} }: PlanStep,
  { index, places }: { readonly index: number; readonly places: ReadonlyMap<string, number> },
  report: Report,
): void {
  after.forEach((id, at) => {
    if (!places.has(id)) refuseUnknown(id, `/steps/${index}/after/${at}`, report);
  });
  for (const [name, value] of Object.entries(input)) {
    const source = readSource(value);
    if (source.kind === "constant") continue;
    const path = `/steps/${index}/input/${name}`;
    if (source.kind === "unreadable")
      report.refuse({
        rule: "mapping-path",
        path,
        message: "`from` does not lead into the output of a step",
        mend: "write it as $.<id of a step>.output, and what follows",
      });
    else if (!places.has(source.step)) refuseUnknown(source.step, path, report);
  }
}

function refuseUnknown(id: string, path: string, report: Report): void {
  report.refuse({
    rule: "reference-unknown",
    path,
    message: `no step is called ${id}`,
    mend: "name a step of this plan",
  });
}

/** Steps that wait for each other, from one of them round to the same. */
function findCircle(steps: readonly PlanStep[]): readonly string[] | undefined {
  const { left } = listLevels(steps);
  const [first] = left.keys();
  if (first === undefined) return undefined;
  const way: string[] = [];
  for (let id = first; !way.includes(id); ) {
    way.push(id);
    id = left.get(id)?.find((need) => left.has(need)) ?? id;
    if (way.includes(id)) return [...way.slice(way.indexOf(id)), id];
  }
  return way;
}
