/** The event that claims an action. */
import {
  type Amounts,
  drawRest,
  type EventOf,
  type PassedFacts,
  periodFacts,
} from "@turnseal/protocol";
import { runtimeMsOf } from "../gate/terms-used.ts";
import { LOG_WAIT_MS_MAX } from "../limits.ts";
import type { EventDraft } from "../log/appender.ts";
import { ownerOf, type Step } from "../step/step.ts";
import { formatInstant } from "../values/format-instant.ts";
import { addChild } from "./add-child.ts";
import { capsOf } from "./find-room.ts";
import { pickPeriods } from "./settle-claim.ts";

type Claim = EventOf<"action.claimed">;

/**
 * Pushes the claim. If the approval can no longer be used, pushes its expiry. An approval that
 * others may still use does not expire: the action needs its own request.
 */
export function pushClaim(
  step: Step,
  reserve: Amounts,
  superseded: Claim | undefined,
  held?: string,
): Claim | EventOf<"approval.expired" | "approval.requested"> {
  const { action, appender, asked, frame, key, approved } = step;
  const leftMs = Math.min(
    frame.deadlineAt - frame.lastMs(),
    reserve.activeMs ?? Number.POSITIVE_INFINITY,
    runtimeMsOf(step),
  );
  const describe = (nowMs: number): EventDraft<"action.claimed"> => ({
    ...ownerOf(step),
    type: "action.claimed",
    content: {
      ...addChild(asked.facts, { run: step.run, key }),
      ...step.passed,
      key,
      digest: asked.digest,
      effect: action.effect,
      reserve,
      ...(superseded === undefined
        ? periodFacts(capsOf(step).perPeriod, formatInstant(nowMs))
        : pickPeriods(superseded)),
      deadlineAt: formatInstant(nowMs + leftMs + LOG_WAIT_MS_MAX),
      ...(superseded === undefined ? {} : { supersedes: superseded.sequence }),
      ...(held === undefined ? {} : { held }),
      ...drawnOf(step, reserve, superseded),
    },
    blobs: asked.blobs,
  });
  return appender.push((nowMs) => {
    if (approved === undefined || nowMs <= approved.useByMs) return describe(nowMs);
    return approved.describeLate(nowMs);
  });
}

/** The use of a standing approval. A claim in the place of another draws nothing again. */
function drawnOf(
  { approved }: Pick<Step, "approved">,
  reserve: Amounts,
  superseded: Claim | undefined,
): Pick<PassedFacts, "drawn"> {
  if (superseded !== undefined) {
    const { content } = superseded;
    const drawn = content.action === "tool" ? content.drawn : undefined;
    return drawn === undefined ? {} : { drawn };
  }
  const standing = approved?.standing;
  if (standing === undefined) return {};
  const { decision, usesLeft, left } = standing;
  const rest = left === undefined ? { usesLeft } : { usesLeft, left };
  return { drawn: { decision, ...drawRest(rest, reserve) } };
}
