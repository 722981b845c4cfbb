/** Grants that are wider than they may be, or that no record could hold. */
import { isPlainObject, type JsonObject, type JsonValue, parseGrant } from "@turnseal/protocol";
import type { Random } from "../fuzz/random.ts";
import { changeContent, type Draft } from "./draft.ts";
import { narrow } from "./honest-grants.ts";

type Change = (grant: JsonObject, random: Random) => JsonObject;

const units = Object.fromEntries(
  Array.from({ length: 33 }, (_, index) => [`acme.unit-${"a".repeat(index + 1)}`, 1]),
);
const term = {
  ...{ id: "extra", family: "effect", resource: "effect:main", verbs: ["write"], capabilities: [] },
  ...{ bounds: {}, conditions: [], approvals: [] },
};

const set =
  (fields: JsonObject): Change =>
  (grant) => ({ ...grant, ...fields });

/** One term of the grant, changed. */
const inTerm =
  (fields: JsonObject): Change =>
  (grant, random) => {
    const terms = listTerms(grant);
    const index = random.below(terms.length);
    return terms.length === 0
      ? { ...grant, terms: [{ ...term, ...fields }] }
      : { ...grant, terms: terms.with(index, { ...terms[index], ...fields }) };
  };

function listTerms({ terms }: JsonObject): JsonObject[] {
  return Array.isArray(terms) ? (terms.filter(isPlainObject) as JsonObject[]) : [];
}

const inBounds =
  (bounds: JsonObject): Change =>
  (grant, random) =>
    inTerm({ bounds })(grant, random);

const changes: readonly Change[] = [
  set({ tools: ["local.add", "local.pay", "mail.send", "bank.wire", "root.shell"] }),
  set({ tools: ["local.add"] }),
  set({ tools: [] }),
  set({ tools: ["config.JSON"] }),
  set({ scopes: ["*"] }),
  set({ scopes: ["repo:read", "repo:read"] }),
  set({ handoffs: ["review", "report", "deploy"] }),
  set({ handoffs: [] }),
  set({ depth: 33 }),
  set({ depth: 32 }),
  set({ depth: 0 }),
  set({ budget: {} }),
  set({ budget: { toolCalls: 1, effects: 1, "acme.lines": 1 } }),
  set({ budget: { toolCalls: 9_000_000, effects: 9_000_000, "acme.lines": 9_000_000 } }),
  set({ budget: { ...units } }),
  set({ budget: { toolCalls: null } }),
  set({ perCall: { toolCalls: 0 } }),
  set({ perPeriod: { day: { toolCalls: 1, "acme.lines": 1 } } }),
  set({ perPeriod: { hour: { toolCalls: 1 }, month: { toolCalls: 1, effects: 0 } } }),
  set({ perPeriod: { week: { toolCalls: 3 } } }),
  set({ perPeriod: { year: { toolCalls: 3 } } }),
  set({ perPeriod: { month: null } }),
  set({ perPeriod: {} }),
  set({ expiresAt: "2026-03-01T08:00:01.000Z" }),
  set({ expiresAt: "2031-01-01T00:00:00.000Z" }),
  set({ expiresAt: "2027-02-30T00:00:00.000Z" }),
  set({ expiresAt: "2027-02-28T00:00:00Z" }),
  set({ grantor: "" }),
  set({ grantor: "\u{1F600}".repeat(256) }),
  set({ more: true }),
  set({ terms: [term, term] }),
  set({ terms: [] }),
  (grant) => ({ ...grant, terms: [...listTerms(grant), term] }),
  (grant) => ({ ...grant, terms: listTerms(grant).slice(1) }),
  (grant) => ({ ...grant, terms: manyTerms }),
  inTerm({ verbs: ["read", "write", "merge"] }),
  inTerm({ verbs: ["read"] }),
  inTerm({ capabilities: ["process_spawn"] }),
  inTerm({ conditions: [] }),
  inTerm({ approvals: [] }),
  inTerm({ approvals: ["legal"] }),
  inTerm({ expiresAt: "2026-03-01T08:00:01.000Z" }),
  inTerm({ expiresAt: "2035-01-01T00:00:00.000Z" }),
  inTerm({ resource: "other" }),
  inTerm({ family: "acme.other" }),
  inTerm({ id: "renamed" }),
  inTerm({ bounds: {} }),
  inBounds({ paths: ["**"] }),
  inBounds({ paths: ["src/a*/**", "*/*"] }),
  inBounds({ paths: ["src/**b"] }),
  inBounds({ roots: ["/"] }),
  inBounds({ destinations: ["*.0.0.1"] }),
  inBounds({ destinations: ["www.example.com:443", "a.b.example.com:443"] }),
  inBounds({ limits: { "acme.lines": 11 } }),
];

const manyTerms: JsonValue[] = Array.from({ length: 80 }, (_, index) => ({
  ...term,
  id: `term-${index}`,
  conditions: ["x".repeat(1_900)],
}));

/** The grant of an event, changed; a proof is at times made again for what it says now. */
export function spoilGrant(draft: Draft, random: Random): Draft {
  const { spec, grant } = draft.content;
  const change = random.pick(changes);
  if (isPlainObject(spec) && isPlainObject(spec["grant"]))
    return changeContent(draft, {
      spec: { ...spec, grant: change(spec["grant"] as JsonObject, random) },
    });
  if (!isPlainObject(grant)) return draft;
  const changed = change(grant as JsonObject, random);
  const made = random.next() < 0.3 ? proveAgain(grant, changed) : undefined;
  return changeContent(draft, made ?? { grant: changed });
}

function proveAgain(before: unknown, changed: JsonObject): JsonObject | undefined {
  const parent = parseGrant(before, { isFirstParty: true });
  return "problem" in parent ? undefined : narrow(parent, changed)?.content;
}
