/** A turn under a grant of many terms and a policy of many rules. */
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { randomIds, type Signer, type Stores, systemClock } from "@turnseal/ports";
import type { Grant, Policy, Term } from "@turnseal/protocol";
import { defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";

/** The numbers of terms and rules that judge a call. */
export const TERMS = 100;
export const RULES = 50;

const sum = z.object({ sum: z.number() });

/** A tool that declares which ledger it writes to: the last one of the grant. */
const write = defineTool({
  ...{ id: "write", version: "1.0.0", effect: "idempotent", build: "1" },
  input: z.object({ left: z.number(), right: z.number() }),
  output: sum,
  needs: () => ({
    terms: [{ family: "workspace", resource: `ledger-${TERMS - 1}`, verb: "write" }],
  }),
  run: ({ left, right }) => ({ sum: left + right }),
});

/** The same tool, which needs nothing but to be granted. */
const plain = defineTool({
  ...{ id: "plain", version: "1.0.0", effect: "idempotent", build: "1" },
  input: z.object({ left: z.number(), right: z.number() }),
  output: sum,
  run: ({ left, right }) => ({ sum: left + right }),
});

const terms = Array.from(
  { length: TERMS },
  (_, index): Term => ({
    ...{ id: `term-${index}`, family: "workspace", resource: `ledger-${index}` },
    ...{ verbs: ["read", "write"], capabilities: [], bounds: {}, approvals: [] },
    conditions: [`args.left < ${1_000 + index}`],
  }),
);

/** Every rule is checked: only the last matches these arguments. */
const policy: Policy = {
  name: "bench",
  rules: Array.from({ length: RULES }, (_, index) => {
    const decision = index === RULES - 1 ? "allow" : (["deny", "ask"] as const)[index % 2];
    return {
      ...{ id: `rule-${index}`, decision: decision ?? "deny", tools: ["local.*"] },
      when: index === RULES - 1 ? "args.left < 10" : `args.left > ${1_000 + index}`,
    };
  }),
};

const bare: Grant = { grantor: "bench", tools: ["local.plain"], budget: {} };
const governed: Grant = { grantor: "bench", tools: ["local.write"], budget: {}, terms };

/** A host that knows both tools. */
export function createAdmissionHost(stores: Stores, signer: Signer): LocalHost {
  const parts = { stores, signer, clock: systemClock, ids: randomIds };
  return createLocalHost({ loops: [write, plain], ...parts });
}

/** Starts a run of so many turns, each one call of a tool: with all that, or with nothing. */
export function startAdmissionRun(
  host: LocalHost,
  turnsMax: number,
  { isGoverned }: { readonly isGoverned: boolean },
): Promise<string> {
  const bounds = { turnsMax, goal: { path: "$.output.sum", equals: 0 } } as const;
  const input = { left: 1, right: 2 };
  return isGoverned
    ? host.start(write, input, { grant: governed, policy, bounds })
    : host.start(plain, input, { grant: bare, bounds });
}
