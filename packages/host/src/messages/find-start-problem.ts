/**
 * Finds the problem of a start that would be accepted and then fail. So a person who starts a run
 * by hand learns of it before anything is stored or spent.
 */
import type { Registry } from "@turnseal/kernel";
import {
  copyJson,
  type Grant,
  type LoopDef,
  type Policy,
  type RunBounds,
} from "@turnseal/protocol";
import type { HostErrorCode } from "../host-error.ts";
import { describeFirst } from "./describe-problems.ts";
import { listPathProblems } from "./list-path-problems.ts";
import { listUnknownInRules, listUnknownTools } from "./list-unknown-tools.ts";
import { RUN_INPUT_BYTES_MAX } from "./start-message.ts";

export interface IntendedStart {
  readonly loop: Pick<LoopDef, "id" | "version">;
  /** Left out where files are still to be put into it. */
  readonly input?: unknown;
  readonly grant: Pick<Grant, "tools">;
  readonly bounds?: Partial<RunBounds>;
  readonly policy?: Pick<Policy, "rules">;
}

export interface StartProblem {
  readonly code: HostErrorCode;
  readonly message: string;
}

/** The first thing that is wrong with a start, by what is registered. */
export function findStartProblem(
  registry: Registry,
  { loop, input, grant, bounds = {}, policy }: IntendedStart,
): StartProblem | undefined {
  const checked = registry.resolve(loop.id, loop.version);
  // The start itself refuses an unknown loop.
  if (checked === undefined) return undefined;
  const [slip] = listUnknownTools(registry, grant);
  if (slip !== undefined) return { code: "GRANT_REFUSED", message: slip };
  const [misspelt] = policy === undefined ? [] : listUnknownInRules(registry, policy);
  if (misspelt !== undefined) return { code: "POLICY_REFUSED", message: misspelt };
  const [lost] = listPathProblems(bounds, checked.definition);
  if (lost !== undefined) return { code: "BOUNDS_REFUSED", message: lost };
  const copied = copyJson(input ?? null, RUN_INPUT_BYTES_MAX);
  if (input === undefined || copied.kind === "refused") return undefined;
  const { problems } = checked.validateInput(copied.value);
  if (problems.length === 0) return undefined;
  const words = describeFirst(problems);
  return { code: "INPUT_REFUSED", message: `the input does not fit ${loop.id}: ${words}` };
}
