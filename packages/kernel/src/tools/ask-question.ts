/** The tool that asks a person or another agent, and waits for the answer. */
import { QUESTION_TOOL } from "@turnseal/protocol";
import { fail } from "../outcome.ts";
import { admitRead, type BuiltIn } from "./built-in.ts";

export const askQuestion: BuiltIn = {
  name: QUESTION_TOOL,
  admit: admitRead(QUESTION_TOOL),
  run: async ({ loop: { definition }, spec: { config = {} }, input: request, frame, world }) => {
    if (world.kind === "call")
      return fail("POLICY_DENIED", "a question needs a run", { denial: "run-missing" });
    const { id: loop, version } = definition;
    const { to, role, withinMs } = config;
    return world.effects.journal.ask(frame, {
      loop,
      version,
      to: to === "agent" ? "agent" : "person",
      ...(typeof role === "string" ? { role } : {}),
      ...(typeof withinMs === "number" ? { withinMs } : {}),
      request,
    });
  },
};
