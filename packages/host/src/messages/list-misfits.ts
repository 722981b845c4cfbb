import { type CheckedLoop, createValidator, type Registry } from "@turnseal/kernel";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { isOfTool } from "../inbox/draft-decision.ts";
import { describeProblems } from "./describe-problems.ts";
import type { WaitingRequest } from "./requests.ts";

/** Where a value does not fit what a loop takes or gives. */
export function listMisfits(
  registry: Registry,
  request: Pick<WaitingRequest, "kind" | "loop" | "version" | "facts" | "request">,
  value: JsonValue,
): readonly string[] {
  const { kind, loop, version, request: asked } = request;
  if (isOfTool(request) && isPlainObject(asked))
    return describeProblems(createValidator(asked["schema"] ?? true)(value));
  const checked: CheckedLoop | undefined = registry.resolve(loop, version);
  if (checked === undefined) return [`there is no ${loop} ${version}`];
  const { problems, words } =
    kind === "approval" ? checked.validateInput(value) : checked.validateOutput(value);
  return describeProblems((words.length === 0 ? problems : words).map(String));
}
