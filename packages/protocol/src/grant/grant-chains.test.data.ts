/**
 * Chains of grants, each asked for at random from the one before, over a small world in which every
 * request can be tried.
 */
import type { Amounts, Spending } from "../budget/budget.ts";
import type { ByPeriod } from "../budget/period.ts";
import type { Bounds, Limits } from "./bounds.ts";
import type { Grant } from "./grant.ts";
import type { Needs, TermRequest } from "./needs.ts";
import type { Term } from "./term.ts";

/** Numbers that look random and follow from a seed. */
export interface Dice {
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
  isLikely(share: number): boolean;
}

export function rollDice(seed: number): Dice {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    isLikely: (share) => next() < share,
  };
}

const world = {
  tools: ["fs.read", "fs.write", "net.get"],
  scopes: ["repo:*", "repo:read", "repo:admin:*", "repo:admin:keys", "mail"],
  handoffs: ["review", "deploy"],
  resources: ["github:acme/shop", "github:acme/docs"],
  verbs: ["read", "write", "acme.sign"],
  capabilities: ["network_egress", "provider_mutation"],
  paths: ["**", "src/**", "src/a/**", "src/*", "src/*.ts", "src/a/b.ts", "*/a/**", "docs/**"],
  branches: ["**", "main", "feature/*", "feature/x"],
  conditions: ["small", "signed"],
  approvals: ["owner", "auditor"],
  instants: ["2030-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z", "2032-01-01T00:00:00.000Z"],
  units: ["toolCalls", "payments.cents"],
  periods: ["day", "month"],
} as const;

function some<Item>(dice: Dice, items: readonly Item[], share: number): Item[] {
  return items.filter(() => dice.isLikely(share));
}

function makeAmounts(dice: Dice): Amounts {
  return Object.fromEntries(
    some(dice, world.units, 0.6).map((unit) => [unit, dice.below(4)]),
  ) as Amounts;
}

function makePeriods(dice: Dice): ByPeriod<Amounts> {
  return Object.fromEntries(
    some(dice, world.periods, 0.6).map((kind) => [kind, makeAmounts(dice)]),
  );
}

function makeBounds(dice: Dice): Bounds {
  return {
    ...(dice.isLikely(0.6) ? { paths: some(dice, world.paths, 0.4) } : {}),
    ...(dice.isLikely(0.4) ? { branches: some(dice, world.branches, 0.5) } : {}),
    ...(dice.isLikely(0.4) ? { limits: { fanout: dice.below(4) } } : {}),
  };
}

function makeTerm(dice: Dice, id: string): Term {
  return {
    id,
    family: "github_repo",
    resource: dice.pick(world.resources),
    verbs: some(dice, world.verbs, 0.7),
    capabilities: some(dice, world.capabilities, 0.7),
    bounds: makeBounds(dice),
    conditions: some(dice, world.conditions, 0.2),
    approvals: some(dice, world.approvals, 0.2),
    ...(dice.isLikely(0.4) ? { expiresAt: dice.pick(world.instants) } : {}),
  };
}

/** Any grant of the world. */
export function makeGrant(dice: Dice): Grant {
  const terms = Array.from({ length: dice.below(3) + 1 }, (_, index) =>
    makeTerm(dice, `t${index}`),
  );
  return {
    grantor: "alice",
    tools: some(dice, world.tools, 0.8),
    scopes: some(dice, world.scopes, 0.6),
    terms,
    handoffs: some(dice, world.handoffs, 0.6),
    depth: dice.below(4),
    budget: makeAmounts(dice),
    ...(dice.isLikely(0.4) ? { perCall: makeAmounts(dice) } : {}),
    ...(dice.isLikely(0.4) ? { perPeriod: makePeriods(dice) } : {}),
    ...(dice.isLikely(0.4) ? { expiresAt: dice.pick(world.instants) } : {}),
  };
}

/** Asks for less in most ways, and in some for anything. */
export function askFor(dice: Dice, parent: Grant): object {
  const wild = makeGrant(dice);
  const isWild = () => dice.isLikely(0.04);
  const terms = some(dice, parent.terms ?? [], 0.8).map((term) => narrowTerm(dice, term));
  return {
    tools: isWild() ? wild.tools : some(dice, parent.tools, 0.9),
    scopes: isWild() ? wild.scopes : narrowScopes(dice, parent.scopes ?? []),
    terms: isWild() ? wild.terms : terms,
    handoffs: isWild() ? wild.handoffs : some(dice, parent.handoffs ?? [], 0.9),
    depth: isWild() ? wild.depth : Math.max(0, (parent.depth ?? 0) - dice.below(2)),
    ...(dice.isLikely(0.5) ? { budget: isWild() ? wild.budget : lower(dice, parent.budget) } : {}),
    ...(dice.isLikely(0.3) ? { perCall: lower(dice, parent.perCall ?? {}) } : {}),
    ...(dice.isLikely(0.5)
      ? {
          perPeriod: isWild() ? (wild.perPeriod ?? {}) : lowerPeriods(dice, parent.perPeriod ?? {}),
        }
      : {}),
    ...(isWild() ? { expiresAt: dice.pick(world.instants) } : {}),
  };
}

function narrowScopes(dice: Dice, scopes: readonly string[]): string[] {
  return some(dice, scopes, 0.9).map((scope) =>
    scope === "repo:*" && dice.isLikely(0.5) ? "repo:read" : scope,
  );
}

function lower(dice: Dice, amounts: Amounts): Amounts {
  const entries = Object.entries(amounts).filter(() => !dice.isLikely(0.03));
  const less = entries.map(([unit, amount]) => [unit, Math.max(0, amount - dice.below(2))]);
  return Object.fromEntries(less) as Amounts;
}

function lowerPeriods(dice: Dice, periods: ByPeriod<Amounts>): ByPeriod<Amounts> {
  const kept = Object.entries(periods).filter(() => !dice.isLikely(0.3));
  return Object.fromEntries(kept.map(([kind, amounts]) => [kind, lower(dice, amounts)]));
}

function narrowTerm(dice: Dice, { id: _, ...term }: Term): Omit<Term, "id"> {
  const wild = makeTerm(dice, "");
  const isWild = () => dice.isLikely(0.04);
  const { expiresAt, ...rest } = term;
  const expiry = isWild() ? dice.pick([undefined, ...world.instants]) : expiresAt;
  return {
    ...rest,
    resource: isWild() ? wild.resource : term.resource,
    verbs: isWild() ? wild.verbs : some(dice, term.verbs, 0.9),
    capabilities: isWild() ? wild.capabilities : some(dice, term.capabilities, 0.9),
    bounds: isWild() ? wild.bounds : narrowBounds(dice, term.bounds),
    conditions: isWild()
      ? wild.conditions
      : [...new Set([...term.conditions, ...some(dice, world.conditions, 0.1)])],
    approvals: isWild()
      ? []
      : [...new Set([...term.approvals, ...some(dice, world.approvals, 0.1)])],
    ...(expiry === undefined ? {} : { expiresAt: expiry }),
  };
}

function narrowBounds(dice: Dice, { paths, branches, limits }: Bounds): Bounds {
  const narrower: Readonly<Record<string, readonly string[]>> = {
    "**": ["src/**", "docs/**", "*/a/**"],
    "src/**": ["src/a/**", "src/*", "src/*.ts"],
    "src/*": ["src/*.ts"],
    "*/a/**": ["src/a/**"],
    "feature/*": ["feature/x"],
  };
  const narrow = (items: readonly string[]) =>
    some(dice, items, 0.9).map((item) => {
      const others = dice.isLikely(0.05) ? ["**", "src/**", "feature/*"] : narrower[item];
      return others !== undefined && dice.isLikely(0.3) ? dice.pick(others) : item;
    });
  return {
    ...(paths === undefined ? {} : { paths: narrow(paths) }),
    ...(branches === undefined ? {} : { branches: narrow(branches) }),
    ...(limits === undefined || dice.isLikely(0.05) ? {} : { limits: lessOf(dice, limits) }),
  };
}

function lessOf(dice: Dice, { fanout = 0 }: Limits): Limits {
  return { fanout: Math.max(0, fanout - dice.below(2)) };
}

/** One thing that somebody may try. */
export interface Attempt {
  readonly tool: string;
  readonly needs: Needs;
  readonly nowMs: number;
  /** The conditions that hold. */
  readonly holds: readonly string[];
}

const times = world.instants.map((instant) => Date.parse(instant) - 1);

/** Every request of the world, as far as it makes a difference. */
export function listAttempts(): Attempt[] {
  const [tool] = world.tools;
  const always = { nowMs: times[0] ?? 0, holds: world.conditions };
  const byTool = world.tools.flatMap((name) =>
    times.map((nowMs) => ({ ...always, tool: name, needs: {}, nowMs })),
  );
  const byScope = ["repo", "repo:read", "repo:admin", "repo:admin:keys", "repo:*", "mail"].map(
    (scope) => ({ ...always, tool, needs: { scopes: [scope] } }),
  );
  const byTerm = listRequests().flatMap((request) =>
    [
      always,
      { nowMs: times[2] ?? 0, holds: world.conditions },
      { ...always, holds: ["small"] },
    ].map((facts) => ({ ...facts, tool, needs: { terms: [request] } })),
  );
  return [...byTool, ...byScope, ...byTerm];
}

function listRequests(): TermRequest[] {
  const requests: TermRequest[] = [];
  for (const resource of world.resources)
    for (const verb of ["write", "acme.sign"])
      for (const capability of [undefined, "provider_mutation"])
        for (const path of ["src/a/b.ts", "src/x.ts", "docs/a/y", undefined])
          for (const branch of ["main", "feature/x", undefined])
            for (const fanout of [1, 3, undefined])
              requests.push({
                family: "github_repo",
                resource,
                verb,
                ...(capability === undefined ? {} : { capability }),
                ...(path === undefined ? {} : { path }),
                ...(branch === undefined ? {} : { branch }),
                ...(fanout === undefined ? {} : { amounts: { fanout } }),
              });
  return requests;
}

export interface Spend {
  readonly spending: Spending;
  readonly wanted: Amounts;
}

const latest: ByPeriod<string> = { day: "2029-12-31", month: "2029-12" };

/** Every claim of the world: what was spent before it, and what it wants. */
export function listSpends(): Spend[] {
  return world.units.flatMap((unit) =>
    [0, 1, 2, 3].flatMap((before) =>
      [1, 2, 3].flatMap((wanted) =>
        [0, before].flatMap((lately) =>
          world.periods.map((kind) => ({
            spending: {
              settled: { [unit]: before } as Amounts,
              assumed: {},
              open: {},
              periodic: {
                [kind]: { period: latest[kind], amounts: { [unit]: lately } as Amounts },
              },
            },
            wanted: { [unit]: wanted } as Amounts,
          })),
        ),
      ),
    ),
  );
}
