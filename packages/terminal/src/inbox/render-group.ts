/** An effect group as its approvers see it: every member by itself, for any number of them. */
import { type Amounts, isPlainObject, type JsonObject } from "@turnseal/protocol";
import { FILES_BUILD } from "@turnseal/protocol/authoring";
import { countOf } from "../screen/count-of.ts";
import { formatAmounts } from "../screen/format-amounts.ts";
import type { Line } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { describeUndo } from "./describe-undo.ts";
import { renderLabelled } from "./render-labelled.ts";

export function renderGroup(request: JsonObject): Line[] {
  const { members, path: _, ...others } = request;
  if (!Array.isArray(members) || !members.every(isPlainObject))
    return renderLabelled("arguments", request);
  return [
    ...renderDetail("members", `${countOf(members.length, "action")}, in this order`),
    ...members.flatMap((member, index) =>
      renderLabelled(`  ${index + 1}`, describeMember(member as JsonObject)),
    ),
    ...(Object.keys(others).length === 0 ? [] : renderLabelled("arguments", others)),
  ];
}

/** A field that is not known here is shown as it is. */
function describeMember({ tool, input, effect, reserve, ...more }: JsonObject): JsonObject {
  const { compensation, irreversible, undo, ...others } = more;
  const isFree = !isPlainObject(reserve) || Object.keys(reserve).length === 0;
  return {
    ...{ does: tool ?? null, with: input ?? null, effect: effect ?? null },
    undo: describeWay({ effect: effect ?? null, ...more }),
    costs: isFree ? "nothing" : formatAmounts(reserve as Amounts),
    ...others,
  };
}

/** A group undoes its members by compensations alone; only a rollback of the run restores files. */
function describeWay(facts: JsonObject): string {
  const { compensation } = facts;
  if (!isPlainObject(compensation)) return describeUndo(facts);
  const { loop, build } = compensation;
  return build === FILES_BUILD ? "not here: files, by turnseal rollback" : `yes, by ${loop}`;
}
