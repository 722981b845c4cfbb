import type { CheckedLoop, Registry } from "@turnseal/kernel";
import type { JsonValue } from "@turnseal/protocol";
import { describeProblems } from "./describe-problems.ts";
import type { WaitingRequest } from "./requests.ts";

/** Where a value does not fit what a loop takes or gives. */
export function listMisfits(
  registry: Registry,
  { kind, loop, version }: Pick<WaitingRequest, "kind" | "loop" | "version">,
  value: JsonValue,
): readonly string[] {
  const checked: CheckedLoop | undefined = registry.resolve(loop, version);
  if (checked === undefined) return [`there is no ${loop} ${version}`];
  const { problems, words } =
    kind === "approval" ? checked.validateInput(value) : checked.validateOutput(value);
  return describeProblems((words.length === 0 ? problems : words).map(String));
}
