/** Grants as people give them, and narrower ones out of them. */
import {
  attenuate,
  type Grant,
  type JsonObject,
  PERIOD_KINDS,
  type Term,
} from "@turnseal/protocol";
import type { Random } from "../fuzz/random.ts";

export const TOOLS = ["local.add", "local.pay", "mail.send", "bank.wire"] as const;
export const LOOPS = ["review", "report"] as const;
const scopes = ["repo:read", "repo:*", "ledger:main:write", "mail"];
const patterns = ["src/**", "src/a/**", "src/*/b", "docs/*.md", "**/test*", "src/a*b/c"];
const families: readonly (readonly [string, JsonObject])[] = [
  ["github_repo", { paths: ["src/**", "docs/*.md"], branches: ["feature/**", "main"] }],
  ["workspace", { paths: patterns }],
  ["filesystem", { roots: ["/srv/data", "/tmp"] }],
  ["network", { destinations: ["*.example.com:443", "api.example.org", "[::1]:80"] }],
  ["deployment", { environments: ["test", "staging"] }],
  ["credential", { audiences: ["billing"] }],
  ["effect", {}],
  ["acme.ledger", { paths: ["accounts/**"], audiences: ["books"], limits: { "acme.lines": 10 } }],
];

/** Some of a list, in its order. */
export function pickSome<Item>(random: Random, items: readonly Item[], chance = 0.5): Item[] {
  return items.filter(() => random.next() < chance);
}

export const maybe = (random: Random, fields: JsonObject, chance = 0.5): JsonObject =>
  random.next() < chance ? fields : {};

/** The grant of a run: every tool, and caps with room for its actions. */
export function giveGrant(random: Random, expiresAt: string): Grant {
  const terms = pickSome(random, families, 0.35).map(([family, bounds], index) =>
    giveTerm(random, { id: `term-${index}`, family, bounds, expiresAt }),
  );
  const grant = {
    grantor: random.pick(["alice", "Zoë", "operations"]),
    tools: [...TOOLS],
    ...maybe(random, { scopes: pickSome(random, scopes) }),
    ...maybe(random, { terms: terms as unknown as JsonObject[] }, 0.8),
    handoffs: [...LOOPS],
    ...maybe(random, { depth: 3 + random.below(4) }),
    budget: {
      ...{ toolCalls: 100_000, effects: 100_000 },
      ...maybe(random, { "acme.lines": 90_000 }),
      ...maybe(random, { activeMs: 90_000_000 }, 0.3),
    },
    ...maybe(random, { perCall: { toolCalls: 5_000, "acme.lines": 5_000 } }, 0.3),
    ...maybe(random, { perPeriod: givePeriods(random) }, 0.4),
    ...maybe(random, { expiresAt }, 0.4),
  };
  return grant as unknown as Grant;
}

function givePeriods(random: Random): JsonObject {
  const caps = { toolCalls: 90_000, "acme.lines": 80_000 };
  return Object.fromEntries(pickSome(random, PERIOD_KINDS).map((kind) => [kind, caps]));
}

function giveTerm(
  random: Random,
  {
    id,
    family,
    bounds,
    expiresAt,
  }: { [Name in "id" | "family" | "expiresAt"]: string } & {
    readonly bounds: JsonObject;
  },
): JsonObject {
  return {
    ...{ id, family, resource: `${family}:main`, verbs: ["read", "write", "acme.audit"] },
    capabilities: pickSome(random, ["network_egress", "secret_read", "filesystem_read"]),
    bounds: random.next() < 0.8 ? bounds : {},
    conditions: pickSome(random, ["amount < 10", "true"], 0.2),
    approvals: pickSome(random, ["finance"], 0.2),
    ...maybe(random, { expiresAt }, 0.3),
  };
}

export interface Narrowed {
  readonly grant: Grant;
  /** What is recorded of it. */
  readonly content: JsonObject;
}

/** A narrower grant; undefined where the request is refused. */
export function narrow(parent: Grant, request: JsonObject): Narrowed | undefined {
  const made = attenuate(parent, request);
  if (made.kind === "refused") return undefined;
  const { grant, proof } = made;
  return { grant, content: { grant, proof } as unknown as JsonObject };
}

/** A request for a part of a grant. */
export function requestPart(random: Random, { tools, scopes: given, terms, handoffs }: Grant) {
  return {
    tools: pickSome(random, tools, 0.8),
    ...(given === undefined ? {} : { scopes: pickSome(random, given) }),
    ...(terms === undefined ? {} : { terms: pickSome(random, terms).map(narrowTerm(random)) }),
    ...(handoffs === undefined ? {} : { handoffs: pickSome(random, handoffs, 0.8) }),
  } as unknown as JsonObject;
}

const narrower: Readonly<Record<string, string>> = {
  "src/**": "src/a*/**",
  "docs/*.md": "docs/index.md",
  "feature/**": "feature/*/x",
  "/srv/data": "/srv/data/in",
  "*.example.com:443": "www.example.com:443",
  "accounts/**": "accounts/a/**",
};

function narrowTerm(random: Random) {
  return ({ id: _, ...term }: Term): object => ({
    ...term,
    verbs: pickSome(random, term.verbs, 0.8),
    capabilities: pickSome(random, term.capabilities, 0.8),
    bounds: Object.fromEntries(
      Object.entries(term.bounds).map(([name, bound]) => [name, narrowBound(random, bound)]),
    ),
    conditions: [...term.conditions, ...pickSome(random, ["arguments.small"], 0.2)],
  });
}

function narrowBound(random: Random, bound: unknown): unknown {
  if (!Array.isArray(bound)) return bound;
  return pickSome(random, bound as string[], 0.8).map((item) =>
    random.next() < 0.4 ? (narrower[item] ?? item) : item,
  );
}
