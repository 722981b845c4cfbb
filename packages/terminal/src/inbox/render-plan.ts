/** A plan as its approvers see it. */
import { isRollbackRun } from "@turnseal/host";
import {
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type PlanDocument,
  parsePlan,
} from "@turnseal/protocol";
import { isTakenAction } from "@turnseal/protocol/authoring";
import { countOf } from "../screen/count-of.ts";
import { describeLeft } from "../screen/describe-left.ts";
import { describeUnlooked } from "../screen/describe-unlooked.ts";
import { describeWorst } from "../screen/describe-worst.ts";
import type { Line } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { shortId } from "../screen/short-id.ts";
import { renderLabelled } from "./render-labelled.ts";

/** As it was written: its approver sees every word of it. */
export function renderPlan(document: JsonValue | undefined, run: string): Line[] {
  if (!isPlainObject(document)) return renderDetail("plan", "unreadable");
  const parsed = parsePlan(document);
  const head = parsed.kind === "parsed" ? parsed.plan.rollback : undefined;
  // Any plan can claim to be a rollback: only a real one is shown as one.
  if (parsed.kind === "parsed" && head !== undefined && isRollbackRun(run, head))
    return renderRollback(parsed.plan, head);
  const { worst, ...plan } = document;
  return [
    ...renderLabelled("plan", plan as JsonObject),
    ...renderDetail("at most", describeWorst(worst as JsonValue) ?? "not computed"),
  ];
}

type Head = NonNullable<PlanDocument["rollback"]>;

/**
 * The actions that it takes back, in order, with their inputs and results; and the actions that
 * stay.
 */
function renderRollback({ steps, worst }: PlanDocument, head: Head): Line[] {
  const { run, toTurn, left, later = 0, leftBeside = 0 } = head;
  const { drifted = [], driftedBeside = 0, unlooked = [], laterRuns = [] } = head;
  const { granted = false } = head;
  const to = toTurn === 0 ? "the whole of it" : `to the end of turn ${toTurn}`;
  return [
    ...renderDetail("rollback", `of run ${shortId(run)}, ${to}`),
    ...renderDetail("undoes", `${countOf(steps.length, "action")}, in this order`),
    ...steps.flatMap((step, index) => renderLabelled(`  ${index + 1}`, describeUndo(step, run))),
    ...(left.length === 0
      ? []
      : renderDetail("stays", countOf(left.length + leftBeside, "action"))),
    ...left.flatMap(({ tool, turn, why, reason }) =>
      renderLabelled("  !!", { did: `${tool} in turn ${turn}`, why: describeLeft(why, reason) }),
    ),
    ...(drifted.length === 0
      ? []
      : renderDetail(
          "drifted",
          `${countOf(drifted.length + driftedBeside, "file")} of these changed since, and left`,
        )),
    ...drifted.flatMap(({ root, path }) => renderLabelled("  !!", { file: `${root}: ${path}` })),
    ...unlooked.flatMap((root) =>
      renderDetail("not seen", describeUnlooked(root, "where the rollback was asked for")),
    ),
    ...(laterRuns.length === 0
      ? []
      : renderDetail(
          "beside",
          `later runs ${laterRuns.map(shortId).join(", ")} manage files of it`,
        )),
    ...renderDetail("at most", describeWorst(worst) ?? "without a cap"),
    ...(granted ? renderDetail("granted", "by who asks, beside what the run had left") : []),
    ...(later === 0
      ? []
      : renderDetail("later", `${countOf(later, "earlier action")}, by the next rollback`)),
  ];
}

/**
 * A step as it is executed: its loop and its input. Its own words only name the action to undo, its
 * tool and its time; a field that no compensation has is shown all the same.
 */
function describeUndo(
  { loop, version, description = "", input = {}, after }: PlanDocument["steps"][number],
  run: string,
): JsonObject {
  const by = version === undefined ? loop : `${loop} ${version}`;
  const { takesBack, ...others } = input as JsonObject;
  const order = after === undefined ? {} : { after: [...after] };
  if (!isTakenAction(takesBack)) return { by, ...order, with: input as JsonObject };
  const { run: of, turn, key: _, receipt: __, ...content } = takesBack as JsonObject;
  const { input: given = null, result: gave = null, ...more } = content;
  const [tool = "", ...times] = description.split(", ");
  const when = times.map((time, at) => [at === 0 ? "when" : "until", time.replace(/.* /, "")]);
  const beside = { ...others, ...more };
  return {
    did: `${tool.replace(/ in turn \d+$/, "")} in turn ${turn}`,
    ...(of === run ? {} : { run: of as JsonValue }),
    ...{ given, gave, ...Object.fromEntries(when), by, ...order },
    ...(Object.keys(beside).length === 0 ? {} : { with: beside }),
  };
}
