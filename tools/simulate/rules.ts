/**
 * Rules for simulated runs, and a second opinion on them: what they say is worked out here without
 * any code of the runtime.
 */
import type { Effect, JsonObject, JsonValue, Policy, Rule } from "@turnseal/protocol";
import type { Random } from "./random.ts";

export interface SimulatedPolicy {
  readonly policy: Policy;
  /** By rule: it holds for arguments with more cents than this. Without one it always holds. */
  readonly limits: ReadonlyMap<string, number>;
}

export type AskTerms = Required<
  Pick<Rule, "approvers" | "decideWithinMs" | "useWithinMs" | "onReject">
> &
  Pick<Rule, "role">;

export type Verdict =
  | { readonly kind: "allow" | "deny" }
  | { readonly kind: "ask"; readonly terms: AskTerms };

const ABOUT: readonly (readonly string[])[] = [
  ["local.pay"],
  ["local.pay", "local.book"],
  ["local.put"],
  ["local.*"],
  ["turnseal.handoff"],
];

/** Rules that ask for some things, deny a few, and allow the rest. */
export function drawPolicy(random: Random, name: string): SimulatedPolicy {
  const limits = new Map<string, number>();
  const limit = (id: string, cents: number): Pick<Rule, "id" | "when"> => {
    limits.set(id, cents);
    return { id, when: `args.cents > ${cents}` };
  };
  const asks = Array.from({ length: random.between(1, 3) }, (_, index): Rule => {
    const id = `ask-${index}`;
    const place = random.chance(0.6) ? limit(id, random.between(100, 800)) : { id };
    return { ...place, ...drawAsk(random), decision: "ask", tools: random.pick(ABOUT) };
  });
  const denies: Rule[] = random.chance(0.5)
    ? [
        {
          ...limit("deny", random.between(850, 980)),
          ...{ decision: "deny", tools: random.pick(ABOUT) },
        },
      ]
    : [];
  const allow: Rule = random.chance(0.1)
    ? { id: "rest", decision: "allow", tools: ["local.*"] }
    : { id: "rest", decision: "allow" };
  return { policy: { name, rules: [...asks, ...denies, allow] }, limits };
}

function drawAsk(random: Random): AskTerms {
  return {
    ...(random.chance(0.7) ? { role: random.pick(["finance", "finance", "support"]) } : {}),
    approvers: random.pick([1, 1, 2]),
    decideWithinMs: random.between(90_000, 3_000_000),
    useWithinMs: random.between(10_000, 600_000),
    onReject: random.pick(["stop", "tell", "tell"]),
  };
}

/** Rules of a day: some of what was allowed before is denied. */
export function drawToday(random: Random): SimulatedPolicy | undefined {
  if (random.chance(0.4)) return undefined;
  const cents = random.between(200, 900);
  const tools = random.pick(ABOUT);
  const deny: Rule = { id: "today", decision: "deny", tools, when: `args.cents > ${cents}` };
  const rules: Rule[] = [deny, { id: "rest", decision: "allow" }];
  return { policy: { name: "today", rules }, limits: new Map([["today", cents]]) };
}

/** What rules say to an action. Without rules the grant alone decides. */
export function consult(
  rules: SimulatedPolicy | undefined,
  tool: string,
  { effect, args }: { readonly effect: Effect; readonly args: JsonValue },
): Verdict {
  if (rules === undefined) return { kind: "allow" };
  const { limits, policy } = rules;
  const cents = (args as JsonObject | null)?.["cents"];
  const applies = ({ id, tools, decision }: Rule): boolean => {
    const isAbout = tools?.some((name) =>
      name.endsWith("*") ? tool.startsWith(name.slice(0, -1)) : name === tool,
    );
    if (isAbout === false) return false;
    const above = limits.get(id);
    if (above === undefined) return true;
    // Nobody can tell: then it speaks against the action.
    return typeof cents === "number" ? cents > above : decision !== "allow";
  };
  const found = policy.rules.filter(applies);
  if (found.some(({ decision }) => decision === "deny")) return { kind: "deny" };
  const [strictest] = found
    .filter(({ decision }) => decision === "ask")
    .sort((one, other) => (other.approvers ?? 1) - (one.approvers ?? 1));
  if (strictest !== undefined) return { kind: "ask", terms: strictest as unknown as AskTerms };
  const isAllowed = effect === "read" || found.some(({ decision }) => decision === "allow");
  return { kind: isAllowed ? "allow" : "deny" };
}
