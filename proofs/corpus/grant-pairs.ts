/** A call under a grant that is nearly within another: each part of it is at times another one. */

import {
  attenuate,
  canonicalize,
  type Grant,
  type JsonObject,
  PERIOD_KINDS,
  sha256Hex,
} from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import type { Random } from "../fuzz/random.ts";
import type { TreeDraft } from "./draft.ts";
import { claim, prepareTool, settle } from "./honest-actions.ts";
import { endCall } from "./honest-calls.ts";
import { maybe, pickSome, TOOLS } from "./honest-grants.ts";
import { BOUNDS, createWriter, HOST, plainDigest, reference } from "./run-writer.ts";

const START_MS = Date.parse("2026-03-01T08:00:00.000Z");
const expiries = [
  "2026-03-01T08:00:02.000Z",
  "2026-04-01T00:00:00.000Z",
  "2026-05-01T00:00:00.000Z",
];
const patterns = [
  "**",
  "*/**",
  "**/*",
  "a/**",
  "a/*",
  "a/b",
  "a/b*",
  "a*/b",
  "**/b",
  "a/**/b",
  "*/b",
];
const roots = ["/", "/a", "/a/b", "/ab"];
const hosts = ["*.x.org", "a.x.org", "a.x.org:443", "*.x.org:443", "a.b.x.org", "x.org", "[::1]:1"];

type Make = (random: Random) => JsonObject;

const amounts: Make = (random) => ({
  ...maybe(random, { toolCalls: random.pick([1, 5, 10]) }, 0.8),
  ...maybe(random, { effects: random.pick([5, 10]) }),
  ...maybe(random, { "acme.lines": random.pick([1, 5, 10]) }),
});

const periods: Make = (random) =>
  Object.fromEntries(pickSome(random, PERIOD_KINDS).map((kind) => [kind, amounts(random)]));

/** Makes the parts of a grant beside its terms. */
const parts: readonly Make[] = [
  (random) => ({ tools: pickSome(random, TOOLS, 0.8) }),
  (random) => maybe(random, { scopes: pickSome(random, ["a", "a:b", "a:*", "a:b:c", "*"], 0.4) }),
  (random) => maybe(random, { handoffs: pickSome(random, ["review", "report"]) }),
  (random) => maybe(random, { depth: random.below(5) }),
  (random) => ({ budget: amounts(random) }),
  (random) => maybe(random, { perCall: amounts(random) }, 0.3),
  (random) => maybe(random, { perPeriod: periods(random) }, 0.4),
  (random) => maybe(random, { expiresAt: random.pick(expiries) }, 0.3),
];

const families = [
  ...["workspace", "workspace", "filesystem", "network", "network", "deployment"],
  ...["credential", "acme.ledger"],
];
const bounds: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  workspace: ["paths", patterns],
  filesystem: ["roots", roots],
  network: ["destinations", hosts],
  deployment: ["environments", ["test", "live"]],
  credential: ["audiences", ["one", "two"]],
  "acme.ledger": ["branches", patterns],
};

const termParts = (family: string): readonly Make[] => [
  (random) => ({ resource: random.pick(["main", "main", "main", "other"]) }),
  (random) => ({ verbs: pickSome(random, ["read", "write", "acme.audit"], 0.7) }),
  (random) => ({ capabilities: pickSome(random, ["secret_read", "network_egress"]) }),
  (random) => ({ conditions: pickSome(random, ["a < 1", "b"], 0.3) }),
  (random) => ({ approvals: pickSome(random, ["finance", "legal"], 0.2) }),
  (random) => maybe(random, { expiresAt: random.pick(expiries) }, 0.3),
  (random) => {
    const [name, items] = bounds[family] ?? ["paths", patterns];
    const limits = maybe(random, { limits: { fanout: random.pick([1, 5]) } }, 0.4);
    return {
      bounds: { ...maybe(random, { [name]: pickSome(random, items, 0.3) }, 0.8), ...limits },
    };
  },
];

const makeAll = (makes: readonly Make[], random: Random): JsonObject =>
  Object.assign({}, ...makes.map((make) => make(random)));

const optional = ["scopes", "handoffs", "depth", "perCall", "perPeriod", "expiresAt"];

/**
 * The same fields, with one part changed or left out: a wider grant is wider in that part alone.
 */
function vary(fields: JsonObject, makes: readonly Make[], random: Random): JsonObject {
  const { [random.pick(optional)]: _, ...rest } = fields;
  if (random.next() < 0.2) return rest;
  return { ...fields, ...random.pick(makes)(random) };
}

function nameTerm(term: JsonObject): JsonObject {
  const { id: _, ...content } = term;
  return { id: `mint-${sha256Hex(canonicalize(content))}`, ...content };
}

/** A grant that differs in one part of it, or of one of its terms. */
function varyOne(outer: JsonObject, random: Random): JsonObject & { terms: JsonObject[] } {
  const terms = outer["terms"] as unknown as JsonObject[];
  const index = random.below(terms.length);
  const term = terms[index];
  if (term === undefined || random.next() < 0.4) return { ...vary(outer, parts, random), terms };
  const makes = termParts(String(term["family"]));
  const varied = vary(term, [...makes, ...makes.slice(-1), ...makes.slice(-1)], random);
  const named = random.next() < 0.9 ? nameTerm(varied) : { ...varied, id: "of-no-content" };
  return { ...outer, terms: terms.with(index, named) };
}

interface Pair {
  readonly outer: JsonObject;
  readonly inner: JsonObject;
  readonly proof: JsonObject;
}

function makePair(random: Random): Pair {
  const terms = pickSome(random, families, 0.3).map((family) =>
    nameTerm({ family, ...makeAll(termParts(family), random) }),
  );
  const outer: JsonObject = { grantor: "alice", ...makeAll(parts, random), terms };
  const inner = varyOne(outer, random);
  const made = attenuate(outer as unknown as Grant, inner);
  if (made.kind === "attenuated") {
    const { grant, proof } = made as unknown as { grant: JsonObject; proof: JsonObject };
    return { outer, proof, inner: random.next() < 0.8 ? grant : inner };
  }
  // A wider grant has no proof: a proof for it is forged.
  const compared = inner.terms.map(({ id = "" }) => ({ child: id, parent: id, relation: "equal" }));
  const parentDigest = `sha256:${sha256Hex(canonicalize(outer))}`;
  const result = { algorithm: "turnseal.subset.v1", result: "subset" };
  return { outer, inner, proof: { ...result, compared, parentDigest } };
}

/** A run of one turn, in which one call, or at times the turn, is under the narrower grant. */
export function makePairRun(random: Random, name: string): TreeDraft {
  const { outer, inner, proof } = makePair(random);
  const writer = createWriter(random, name, START_MS);
  const spec = { loop: "desk", version: "1.0.0", pinned: {}, bounds: BOUNDS, grant: outer };
  const input = reference("input");
  writer.add("run.started", { key: "start", spec, input }, { actor: HOST });
  const going = { decision: "continue", reason: "first-turn", receipt: null };
  writer.add("run.decided", going, { actor: HOST });
  const isOfTurn = random.next() < 0.3;
  const start = { semantics: 3, key: `${name}:1`, loop: "desk", version: "1.0.0", input };
  writer.add("turn.started", { ...start, grant: isOfTurn ? inner : outer }, { turn: 1 });
  const grant = inner as unknown as Grant;
  const place = { turn: 1, call: writer.name("call"), grant, starters: [] };
  const { turn, call } = place;
  const loop = { loop: "desk", version: "1.0.0", digest: plainDigest("loop") };
  writer.add(
    "call.started",
    { ...loop, ...(isOfTurn ? {} : { grant: inner, proof }) },
    { turn, call },
  );
  writer.add("call.input.validated", { durationMs: 0 }, { turn, call });
  for (let done = 0; done < 3; done++) {
    const facts = prepareTool(writer, place);
    if (facts !== undefined) settle(writer, place, claim(writer, place, facts));
  }
  const end = endCall(writer, place, true)
    ? { outcome: "completed" }
    : { outcome: "failed", reason: "TOOL_FAILED" };
  const key = { id: DEMO_KEY.keyId, issuer: DEMO_KEY.issuer };
  writer.add("turn.closed", { ...end, key }, { turn });
  return [{ run: name, events: writer.events }];
}
