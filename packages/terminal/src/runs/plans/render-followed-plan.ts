/** A plan as people read it, and how far it is. */

import type { PlanDocument } from "@turnseal/protocol";
import type { FollowedPlan, StepState } from "@turnseal/views";
import { describeWorst } from "../../screen/describe-worst.ts";
import { type Line, line, toned } from "../../screen/line.ts";
import { renderDetail } from "../../screen/render-field.ts";

const tones: Readonly<Record<StepState, "faint" | "strong" | "good" | "bad" | "warning">> = {
  pending: "faint",
  running: "strong",
  completed: "good",
  failed: "bad",
  skipped: "warning",
  blocked: "warning",
};

/** Title, bounds and steps, each step with where it stands. */
export function renderFollowedPlan(plan: PlanDocument | undefined, followed: FollowedPlan): Line[] {
  const { state, steps } = followed;
  return [
    line(toned("strong", "plan"), `  ${plan?.title ?? "(erased)"}  `, toned("warning", state)),
    ...renderDetail("objective", plan?.objective),
    ...renderDetail("at most", describeWorst(plan?.worst)),
    ...steps.map((step, index) => {
      const written = plan?.steps[index];
      const name = written?.id ?? `step ${index + 1}`;
      const after = step.after.map((place) => plan?.steps[place]?.id ?? `step ${place + 1}`);
      return line(
        "  ",
        toned(tones[step.state], step.state.padEnd(10)),
        `${name}  `,
        toned("faint", `${step.loop}${describeAfter(after)}`),
        written?.description === undefined ? "" : `  ${written.description}`,
      );
    }),
  ];
}

function describeAfter(after: readonly string[]): string {
  return after.length === 0 ? "" : `, after ${after.join(" and ")}`;
}
