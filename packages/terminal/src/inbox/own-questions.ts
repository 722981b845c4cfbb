/** The questions that the runtime itself asks: what is left, and what each answer says. */
import type { WaitingRequest } from "@turnseal/host";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { groupRest, rollbackRest } from "@turnseal/protocol/authoring";
import { countOf } from "../screen/count-of.ts";
import type { Line } from "../screen/line.ts";
import { renderDetail } from "../screen/render-field.ts";
import { shortId } from "../screen/short-id.ts";
import { renderLabelled } from "./render-labelled.ts";

const STAYS = ["stays", "it stays as it is"] as const;
const answers: ReadonlyMap<string, readonly (readonly [string, string])[]> = new Map([
  [rollbackRest.definition.id, [STAYS, ["taken-back-by-hand", "you took it back yourself"]]],
  [groupRest.definition.id, [STAYS, ["put-right-by-hand", "you put it right yourself"]]],
]);

/** The values of `rest`, with their meaning; undefined for any other question. */
export function listRestAnswers(loop: string): readonly (readonly [string, string])[] | undefined {
  return answers.get(loop);
}

/** The words and the schema of a question of a tool; undefined for any other request. */
export function readToolQuestion({
  kind,
  facts,
  request,
}: Pick<WaitingRequest, "kind" | "facts" | "request">): ToolQuestion | undefined {
  if (kind !== "question" || facts["claim"] === undefined || !isPlainObject(request))
    return undefined;
  const { question = "", schema = true } = request;
  return { question, schema };
}

interface ToolQuestion {
  readonly question: JsonValue;
  readonly schema: JsonValue;
}

/**
 * The actions that a rollback left, by numbers of the approved list; undefined for any other
 * question.
 */
export function renderLeft(
  { loop, run: rollback }: Pick<WaitingRequest, "loop" | "run">,
  request: JsonValue,
): Line[] | undefined {
  if (loop !== rollbackRest.definition.id || !isPlainObject(request)) return undefined;
  const { run, notTakenBack, of, steps, actions } = request;
  if (!Array.isArray(steps) || !Array.isArray(actions)) return undefined;
  const whole = `${countOf(Number(of), "action")} of run ${shortId(String(run))}`;
  return [
    ...renderDetail("left", `${notTakenBack} of ${whole} not taken back`),
    ...renderDetail("why", `turnseal transcript ${shortId(rollback)}`),
    ...steps.flatMap((end, index) =>
      end === "ok" ? [] : renderLabelled(`  ${index + 1}`, { action: actions[index] ?? null, end }),
    ),
  ];
}
