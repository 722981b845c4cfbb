import type { RuleFiles } from "@turnseal/runtime/project";

interface ResumeFlags extends RuleFiles {
  readonly from?: readonly string[];
  readonly prices?: string;
  readonly takeOver?: boolean;
}

/** The options that a run in the background is resumed with. */
export function listResumeFlags(options: ResumeFlags): string[] {
  const { from = [], policy, shadow, prices, takeOver } = options;
  return [
    ...(from.length === 0 ? [] : ["--from", ...from]),
    ...(policy === undefined ? [] : ["--policy", policy]),
    ...(shadow === undefined ? [] : ["--shadow", shadow]),
    ...(prices === undefined ? [] : ["--prices", prices]),
    ...(takeOver === true ? ["--take-over"] : []),
  ];
}
