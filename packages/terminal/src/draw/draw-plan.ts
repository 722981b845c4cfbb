/** The picture of a plan: its flow, with what each step is called and how far it is. */

import { compilePlan, type PlanDocument } from "@turnseal/protocol";
import type { FollowedPlan } from "@turnseal/views";
import { drawLoop, type Picture } from "./picture.ts";
import { shorten } from "./words.ts";

export function drawPlan(plan: PlanDocument, followed: FollowedPlan): Picture {
  return mark(drawLoop(compilePlan(plan)), "/flow", { plan, followed });
}

interface Marks {
  readonly plan: PlanDocument;
  readonly followed: FollowedPlan;
}

/** Nodes are found by their places in the flow, which is what events name them by. */
function mark(picture: Picture, path: string, marks: Marks): Picture {
  const index = marks.followed.steps.findIndex((step) => step.path === path);
  const step = marks.followed.steps[index];
  const written = marks.plan.steps[index];
  if (step !== undefined && written !== undefined) {
    const words = written.description === undefined ? [] : [shorten(written.description)];
    const title = `${shorten(written.id)}: ${shorten(step.loop)}`;
    return { ...picture, title, notes: [step.state, ...words] };
  }
  // The first node is the plan itself, to be decided on.
  if (path === "/flow/nodes/0") return { ...picture, title: "plan", notes: [marks.followed.state] };
  const below = picture.kind === "parallel" ? "branches" : "nodes";
  const parts = picture.parts.map((part, at) => ({
    ...part,
    picture: mark(part.picture, `${path}/${below}/${at}`, marks),
  }));
  return { ...picture, notes: [], parts };
}
