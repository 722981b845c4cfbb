/** Judges an action by the rules, within the time of its grant and terms. */
import type { Judgement } from "../step/judgement.ts";
import type { Step, TurnAuthority } from "../step/step.ts";
import { refuse } from "./passage.ts";
import { listTermsUsed } from "./terms-used.ts";

/** The parts of a step that are judged. */
export type JudgedStep = Pick<Step, "frame" | "action" | "clock" | "appender"> & {
  readonly authority: Pick<TurnAuthority, "judge">;
};

/** Judges a step. A grant that was valid when the action was requested may have expired. */
export function judgeStep(step: JudgedStep): Judgement {
  const isOut = ({ expiresAt }: Expiry): boolean => !(nowOf(step) < Date.parse(expiresAt));
  const ended = listExpiries(step).find(isOut);
  if (ended !== undefined)
    return { kind: "denied", refusal: refuse(step, "is granted no more", ended.denial) };
  return step.authority.judge(step.action);
}

interface Expiry {
  readonly expiresAt: string;
  readonly denial: "grant-expired" | "term-expired";
}

/** Lists the expiries of the action's grant, and of the terms that the action needs. */
export function listExpiries(step: JudgedStep): Expiry[] {
  if (step.action.judged === undefined) return [];
  return [
    ...endOf(step.frame.grant?.expiresAt, "grant-expired"),
    ...listTermsUsed(step).flatMap(({ expiresAt }) => endOf(expiresAt, "term-expired")),
  ];
}

function endOf(expiresAt: string | undefined, denial: Expiry["denial"]): Expiry[] {
  return expiresAt === undefined ? [] : [{ expiresAt, denial }];
}

/** Time as the log has it: it never goes back. */
export function nowOf({ clock, appender }: JudgedStep): number {
  return Math.max(clock.now(), appender.lastMs());
}
