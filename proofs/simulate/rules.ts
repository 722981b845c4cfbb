/**
 * Rules for simulated runs, and a second opinion on them: what they say is worked out here without
 * any code of the runtime.
 */
import type { Effect, Exclusion, JsonObject, JsonValue, Policy, Rule } from "@turnseal/protocol";
import type { Random } from "./random.ts";

export interface SimulatedPolicy {
  readonly policy: Policy;
  /** By rule: it holds above this. Without one it always holds. */
  readonly limits: ReadonlyMap<string, Limit>;
}

export interface Limit {
  readonly cents: number;
  /** True when it is about all that the run commits, and not about one action alone. */
  readonly isTotal: boolean;
}

/** An action, with what its run had committed before it. */
export interface Considered {
  readonly effect: Effect;
  readonly args: JsonValue;
  readonly spentCents: number;
}

export type AskTerms = Required<
  Pick<Rule, "id" | "approvers" | "decideWithinMs" | "useWithinMs" | "onReject">
> &
  Pick<Rule, "role" | "exclude">;

export type Verdict =
  | { readonly kind: "allow" | "deny" }
  | { readonly kind: "ask"; readonly terms: AskTerms; readonly exclude: readonly Exclusion[] };

const EXCLUDED: readonly (readonly Exclusion[])[] = [
  ["starter"],
  ["editor"],
  ["starter", "editor"],
];

/** The tools that pay. */
const PAYING = ["local.pay", "local.give"];

const ABOUT: readonly (readonly string[])[] = [
  ["local.pay"],
  ["local.pay", "local.book"],
  ["local.give"],
  ["local.put"],
  ["local.*"],
  ["turnseal.handoff"],
];

/** Rules that ask for some things, deny a few, and allow the rest. */
export function drawPolicy(random: Random, name: string): SimulatedPolicy {
  const limits = new Map<string, Limit>();
  const limit = (id: string, cents: number): Pick<Rule, "id" | "when"> => {
    limits.set(id, { cents, isTotal: false });
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
  const totals = drawTotals(random, limits);
  return { policy: { name, rules: [...asks, ...totals, ...denies, allow] }, limits };
}

/** Rules about everything that a run pays, however much of it at the same time. */
function drawTotals(random: Random, limits: Map<string, Limit>): Rule[] {
  const spent = "('payments.cents' in spend ? spend['payments.cents'] : 0)";
  const draw = (id: string, cents: number, terms: Pick<Rule, "decision">): Rule => {
    limits.set(id, { cents, isTotal: true });
    return { id, tools: PAYING, when: `${spent} + args.cents > ${cents}`, ...terms };
  };
  const cents = random.between(800, 4_000);
  switch (random.below(4)) {
    case 0:
      return [draw("deny-total", cents, { decision: "deny" })];
    case 1:
      return [draw("ask-total", cents, { ...drawAsk(random), decision: "ask" })];
    case 2:
      return [
        draw("ask-total", cents, { ...drawAsk(random), decision: "ask" }),
        draw("deny-total", cents * 2, { decision: "deny" }),
      ];
    default:
      return [];
  }
}

/** The most cents that rules let a run pay in all. */
export function totalOf(rules: SimulatedPolicy | undefined): number {
  return rules?.limits.get("deny-total")?.cents ?? Number.POSITIVE_INFINITY;
}

function drawAsk(random: Random): Omit<AskTerms, "id"> {
  return {
    ...(random.chance(0.7) ? { role: random.pick(["finance", "finance", "support"]) } : {}),
    approvers: random.pick([1, 1, 2]),
    decideWithinMs: random.between(90_000, 3_000_000),
    useWithinMs: random.between(20_000, 900_000),
    onReject: random.pick(["stop", "tell", "tell"]),
    ...(random.chance(0.4) ? { exclude: random.pick(EXCLUDED) } : {}),
  };
}

/** Rules of a day: some of what was allowed before is denied. */
export function drawToday(random: Random): SimulatedPolicy | undefined {
  if (random.chance(0.4)) return undefined;
  const cents = random.between(200, 900);
  const tools = random.pick(ABOUT);
  const deny: Rule = { id: "today", decision: "deny", tools, when: `args.cents > ${cents}` };
  const rules: Rule[] = [deny, { id: "rest", decision: "allow" }];
  const limits = new Map([["today", { cents, isTotal: false }]]);
  return { policy: { name: "today", rules }, limits };
}

/** What rules say to an action. Without rules the grant alone decides. */
export function consult(
  rules: SimulatedPolicy | undefined,
  tool: string,
  { effect, args, spentCents }: Considered,
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
    // Unknown, so it counts against the action.
    if (typeof cents !== "number") return decision !== "allow";
    return cents + (above.isTotal ? spentCents : 0) > above.cents;
  };
  const found = policy.rules.filter(applies);
  if (found.some(({ decision }) => decision === "deny")) return { kind: "deny" };
  const asks = found.filter(({ decision }) => decision === "ask");
  const [strictest] = asks.toSorted((one, other) => (other.approvers ?? 1) - (one.approvers ?? 1));
  // Whom any of them excludes is excluded.
  const exclude = asks.flatMap((rule) => rule.exclude ?? []);
  if (strictest !== undefined)
    return { kind: "ask", terms: strictest as unknown as AskTerms, exclude };
  const isAllowed = effect === "read" || found.some(({ decision }) => decision === "allow");
  return { kind: isAllowed ? "allow" : "deny" };
}
