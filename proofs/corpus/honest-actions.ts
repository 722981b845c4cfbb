/** Actions of an honest kernel: tools, models, and what becomes of a claim without an end. */
import { type JsonObject, periodFacts } from "@turnseal/protocol";
import type { Draft, Link } from "./draft.ts";
import { maybe, pickSome } from "./honest-grants.ts";
import { KERNEL, type Place, person, placeOf, type RunWriter, reference } from "./run-writer.ts";

export type Action = (writer: RunWriter, place: Place) => void;

/** A claim as it is made, to be settled, resolved or made again. */
export interface Claimed {
  readonly id: string;
  readonly content: JsonObject;
}

/** The facts of a tool's claim; `terms` with an approval are left to requests. */
export function prepareTool(
  writer: RunWriter,
  { grant }: Place,
  role?: string,
): JsonObject | undefined {
  const { random } = writer;
  if (grant.tools.length === 0) return undefined;
  const tool = random.pick(grant.tools);
  const usable = (grant.terms ?? []).filter(
    ({ approvals, verbs }) => verbs.length > 0 && approvals.every((wanted) => wanted === role),
  );
  const used = pickSome(random, usable, 0.4);
  const needs = used.map(({ family, resource, verbs, capabilities: [capability] }) => ({
    ...{ family, resource, verb: random.pick(verbs) },
    ...(capability === undefined ? {} : { capability }),
  }));
  const effect = random.pick(["read", "idempotent", "once", "reconcile", "repeatable"]);
  return {
    ...{ action: "tool", tool, build: "1", term: tool, effect, key: writer.name("key") },
    ...(used.length === 0 ? {} : { terms: used.map(({ id }) => id), needs }),
    request: reference("request"),
    digest: reference(writer.name("digest"))["digest"] ?? "",
    reserve: {
      toolCalls: 1,
      ...(effect === "read" ? {} : { effects: 1 }),
      ...maybe(random, { "acme.lines": 1 + random.below(3) }, 0.3),
      ...maybe(random, { moneyMicros: random.below(900) }, 0.2),
    },
  };
}

export function claim(
  writer: RunWriter,
  place: Place,
  facts: JsonObject,
  links: Readonly<Record<string, Link>> = {},
): Claimed {
  const { grant } = place;
  const id = writer.add("action.claimed", facts, { ...placeOf(place), links });
  const draft = writer.events.at(-1) as Draft;
  // The periods are those of the claim's own time, which is known by now.
  const periods = "supersedes" in links ? {} : periodFacts(grant.perPeriod, draft.at);
  const isTimed =
    grant.budget.activeMs !== undefined &&
    facts["action"] !== "handoff" &&
    !("supersedes" in links);
  const content = {
    ...facts,
    ...(isTimed ? { reserve: { ...(facts["reserve"] as JsonObject), activeMs: 1 } } : {}),
    ...periods,
    deadlineAt: new Date(Date.parse(draft.at) + 30_000).toISOString(),
  };
  writer.events[writer.events.length - 1] = { ...draft, content };
  return { id, content };
}

/** The facts of a claim that its end repeats. */
function factsOf({ content }: Claimed): JsonObject {
  const { action = "", key = "", reserve = {}, periods } = content;
  return { action, key, reserve, ...(periods === undefined ? {} : { periods }) };
}

const isWhole = new Set(["toolCalls", "effects", "rounds", "modelCalls", "handoffs"]);

const isToken = new Set(["inputTokens", "outputTokens"]);

export function settle(
  writer: RunWriter,
  place: Place,
  claimed: Claimed,
  more: Partial<Draft> = {},
): void {
  const { random } = writer;
  const isGood = random.next() < 0.8;
  const { reserve } = claimed.content;
  const spent = Object.fromEntries(
    Object.entries(reserve as Record<string, number>).map(([unit, amount]) => [
      unit,
      // The attempt always counts, and a request reads and writes at least a token.
      isWhole.has(unit) || random.next() < 0.7
        ? amount
        : random.below(amount + 1) || (isToken.has(unit) ? 1 : 0),
    ]),
  );
  // A unit is left out: what is unknown was spent as it was reserved.
  const counted = Object.entries(spent).filter(
    ([unit, amount]) =>
      isToken.has(unit) && (amount < Number((reserve as JsonObject)[unit]) || random.next() < 0.5),
  );
  const content = {
    ...factsOf(claimed),
    ...(more.child === undefined ? { spent } : {}),
    durationMs: 0,
    ...(isGood
      ? { status: "ok", result: reference("result"), ...Object.fromEntries(counted) }
      : { status: "failed", reason: reference("no") }),
  };
  writer.add("action.settled", content, {
    ...placeOf(place),
    links: { claim: { of: claimed.id, as: "sequence" } },
    ...(more.child === undefined ? {} : { actor: { kind: "run", id: more.child } }),
    ...more,
  });
}

const useTool: Action = (writer, place) => {
  const facts = prepareTool(writer, place);
  if (facts !== undefined) settle(writer, place, claim(writer, place, facts));
};

const askModel: Action = (writer, place) => {
  const reserve = { rounds: 1, modelCalls: 1, inputTokens: 200, outputTokens: 4_096 };
  const facts = {
    ...{ action: "model", backend: "scripted", model: "scripted", effect: "repeatable" },
    ...{ key: writer.name("key"), digest: reference("request")["digest"] ?? "", reserve },
    ...{ promptLength: 12, context: { previous: null, added: [], strategy: "append" } },
  };
  const first = claim(writer, place, facts);
  if (writer.random.next() < 0.8) return settle(writer, place, first);
  // After a crash the model is asked once more, and the first request counts in full.
  resolve(writer, place, first, { resolution: "orphaned" });
  settle(writer, place, claim(writer, place, facts));
};

/** The possible resolutions of a claim without a recorded end. */
const sayings: Readonly<Record<string, readonly string[]>> = {
  read: ["again"],
  idempotent: ["again"],
  once: ["happened", "retry", "abandon"],
  reconcile: ["never", "happened"],
  repeatable: ["orphaned"],
};

/** A claim without an end: somebody says what became of it, or it stays open. */
export function leaveUnknown(writer: RunWriter, place: Place, claimed: Claimed): void {
  const { random } = writer;
  if (random.next() < 0.15) return;
  const { effect, role, approval } = claimed.content;
  const resolution = random.pick(sayings[String(effect)] ?? ["abandon"]);
  const isPerson = effect === "once";
  const links: Record<string, Link> = isPerson ? { claimHash: { of: claimed.id, as: "hash" } } : {};
  resolve(
    writer,
    place,
    claimed,
    { resolution, roles: role === undefined ? [] : [role] },
    {
      links,
      actor: isPerson ? person("erin") : KERNEL,
    },
  );
  const { deadlineAt: _, ...facts } = claimed.content;
  const isSuperseded = ["again", "retry", "never"].includes(resolution);
  if (!isSuperseded) return;
  const before = writer.events.find(({ id }) => id === claimed.id)?.links ?? {};
  const again: Record<string, Link> = { ...before, supersedes: { of: claimed.id, as: "sequence" } };
  settle(
    writer,
    place,
    claim(writer, place, approval === undefined ? facts : { ...facts, approval }, again),
  );
}

function resolve(
  writer: RunWriter,
  place: Place,
  claimed: Claimed,
  said: JsonObject,
  { links = {}, actor = KERNEL }: Partial<Draft> = {},
): void {
  const { key = "", reserve = {} } = claimed.content;
  writer.add(
    "action.resolved",
    { key, reserve, ...said },
    { ...placeOf(place), actor, links: { ...links, claim: { of: claimed.id, as: "sequence" } } },
  );
}

const crash: Action = (writer, place) => {
  const facts = prepareTool(writer, place);
  if (facts !== undefined) leaveUnknown(writer, place, claim(writer, place, facts));
};

export const PLAIN_ACTIONS: readonly Action[] = [useTool, useTool, askModel, crash];
