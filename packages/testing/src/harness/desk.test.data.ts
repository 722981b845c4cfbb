/** Harness files about the desk of the fixtures. */
import { fileURLToPath } from "node:url";
import type { Policy } from "@turnseal/protocol";
import type { Harness, Word } from "./harness.ts";
import { resolveHarness } from "./read-harness.ts";
import { type CaseResult, runCase } from "./run-case.ts";

export const deskFile: string = fileURLToPath(new URL("../__fixtures__/desk.mjs", import.meta.url));

export const rules: Policy = {
  name: "desk",
  rules: [
    {
      id: "large",
      decision: "ask",
      tools: ["desk.refund"],
      when: "args.cents > 1000",
      role: "finance",
    },
    { id: "rest", decision: "allow" },
  ],
};

export const ada = { id: "ada", roles: ["finance"] };
export const bob = { id: "bob", roles: ["finance"] };

/** A large refund that somebody has to approve. */
export const refundCase: Harness = {
  name: "a large refund",
  loop: "refund",
  from: [deskFile],
  input: { order: "A-1", cents: 1200 },
  grant: { grantor: "ada", tools: ["desk.refund"], budget: {} },
  policy: rules,
  expect: { stopped: "goal-reached" },
};

export const approve: Word = { approval: "desk.refund", choice: "approve", by: ada };

/** Runs a harness that is the refund's but for some fields. */
export async function tryCase(changed: Partial<Harness>): Promise<CaseResult> {
  const read = await resolveHarness({ ...refundCase, ...changed }, "/a/folder/x.harness.json");
  if (read.kind === "refused") throw new Error(JSON.stringify(read.findings));
  return runCase(read);
}
