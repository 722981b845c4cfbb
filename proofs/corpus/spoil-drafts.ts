/**
 * One change in the events of a run, before they are chained and sealed again with the same key: a
 * kernel that errs, or a thief of the key, could have written it.
 */
import { isPlainObject, type JsonObject, type JsonValue, PERIOD_KINDS } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { pickPlace, writePlace } from "../fuzz/places.ts";
import type { Random } from "../fuzz/random.ts";
import { changeContent, type Draft, FORGED } from "./draft.ts";
import { reference } from "./run-writer.ts";
import { spoilGrant } from "./spoil-grant.ts";

export type Spoil = (events: readonly Draft[], random: Random) => readonly Draft[];

const times = [
  ...["2026-02-30T00:00:00.000Z", "2026-13-45T99:99:99.999Z", "0000-01-01T00:00:00.000Z"],
  ...["2026-03-01T24:00:00.000Z", "2026-03-01T08:00:00Z", "2031-01-01T00:00:00.000Z"],
  ...["2025-01-01T00:00:00.000Z", "٢٠٢٦-03-01T08:00:00.000Z", "2028-02-29T23:59:59.999Z"],
];
/** A list in a list, and so on. */
function nest(depth: number): JsonValue {
  return depth === 0 ? [] : [nest(depth - 1)];
}

export const ODD_VALUES: readonly JsonValue[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 2 ** 53, 1e300, "", "x", "1", [], {}, [1], ["x"], [[]]],
  ...[{ toolCalls: 1 }, { toolCalls: 1_000_000 }, { nothing: 1 }, { "acme.lines": 9_000_000 }],
  ...["\ud800", "é", "\u{1f600}", JSON.parse('{"__proto__":{"toolCalls":1}}'), nest(130)],
  ...["finance", "ada", "carol", "tool", "handoff", "model", "2026-03-01", "9999-12-31", ...times],
];

function pickIndex(events: readonly Draft[], random: Random, types?: readonly string[]): number {
  const places = [...events.keys()].filter((place) => {
    const type = events[place]?.type ?? "";
    return types === undefined || types.some((wanted) => type.startsWith(wanted));
  });
  return places.length === 0 ? -1 : random.pick(places);
}

/** A spoil of one event of these types. */
function at(
  types: readonly string[] | undefined,
  change: (draft: Draft, random: Random, events: readonly Draft[]) => Draft,
): Spoil {
  return (events, random) => {
    const index = pickIndex(events, random, types);
    const draft = events[index];
    return draft === undefined ? events : events.with(index, change(draft, random, events));
  };
}

const telling = ["action", "cache", "approval", "question", "turn", "call.started", "run"];

/** A field with another value: an odd one, or that of another event. */
const setField: Spoil = at(telling, (draft, random, events) => {
  const name = random.pick([...Object.keys(draft.content), ...Object.keys(draft.links ?? {})]);
  if (name === undefined) return draft;
  const others = events.flatMap(({ content }) => (name in content ? [content[name] ?? null] : []));
  const value = random.pick(random.next() < 0.5 && others.length > 0 ? others : ODD_VALUES);
  return changeContent(unlink(draft, name), { [name]: value });
});

const dropField: Spoil = at(telling, (draft, random) => {
  const name = random.pick([...Object.keys(draft.content), ...Object.keys(draft.links ?? {})]);
  const { [name ?? ""]: _, ...content } = draft.content;
  return { ...unlink(draft, name ?? ""), content };
});

function unlink(draft: Draft, name: string): Draft {
  const { [name]: _, ...links } = draft.links ?? {};
  return { ...draft, links };
}

/** Changes to files under a root that no claim names. */
function changesOf(state: JsonObject): JsonObject {
  return { root: "site", changed: 1, changes: reference("changes"), ...state };
}

const additions: readonly (readonly [string, JsonObject])[] = [
  ["action.claimed", { supersedes: 3 }],
  ["action.claimed", { approval: 3 }],
  ["action.claimed", { terms: ["term-0"] }],
  ["action.claimed", { needs: [{ family: "effect", resource: "effect:main", verb: "write" }] }],
  ["action.claimed", { needs: [] }],
  ["action.claimed", { periods: { day: "2026-03-01" } }],
  ["action.claimed", { periods: { hour: "2026-03-01T08", week: "2026-W09", month: "2026-03" } }],
  ["action.claimed", { periods: { week: "2026-W10" } }],
  ["action.claimed", { periods: { year: "2026" } }],
  ["turn.started", { periods: { week: "2026-W09", month: "2026-03" } }],
  ["action.claimed", { excluded: ["erin"], role: "finance" }],
  ["action.claimed", { secrets: ["token"], rule: { id: "x" } }],
  ["action.claimed", { context: { previous: null, added: [], thread: "/", at: 7 } }],
  ["turn.closed", { threads: [{ thread: "/", head: "x", at: 7, added: [] }] }],
  ["cache.hit", { strategy: "persistent" }],
  ["cache.hit", { tool: "local.nothing" }],
  ["cache.hit", { tool: ["local.nothing"] }],
  ["action.settled", { periods: { day: "2026-03-01" } }],
  ["action.settled", { artifacts: changesOf({ files: 0 }) }],
  ["action.settled", { artifacts: changesOf({ files: 1, after: reference("after") }) }],
  ["action.settled", { artifacts: changesOf({ files: 0, before: reference("before") }) }],
  ["action.settled", { receipt: FORGED }],
  ["run.decided", { receipt: FORGED }],
  ["action.resolved", { claimHash: "0".repeat(64), roles: ["finance"] }],
  ["approval.requested", { exclude: ["starter", "editor"], excluded: [] }],
  ["approval.requested", { excluded: ["erin"] }],
  ["approval.requested", { approvers: 3 }],
  ["approval.requested", { role: "legal" }],
  ["approval.requested", { useWithinMs: 1 }],
  ["turn.started", { starters: ["mallory"] }],
  ["turn.started", { starters: [] }],
  ["turn.started", { guidance: [] }],
  ["run.started", { spec: {} }],
  ["call.started", { proof: {} }],
  ["turn.closed", { key: { id: "another", issuer: DEMO_KEY.issuer } }],
  ["turn.closed", { key: { id: DEMO_KEY.keyId, issuer: "ci" } }],
];

const addField: Spoil = (events, random) => {
  const types = new Set(events.map(({ type }) => type));
  const [type, fields] = random.pick(additions.filter(([wanted]) => types.has(wanted)));
  return at([type], (draft) => changeContent(draft, fields))(events, random);
};

/** Something inside a field. */
const setInside: Spoil = at(telling, (draft, random) => {
  const content = structuredClone(draft.content);
  const place = pickPlace(content, random);
  if (place !== undefined) writePlace(place, random.pick(ODD_VALUES));
  return { ...draft, content };
});

/** Other documents than were pinned, or in another order. */
const misguide: Spoil = at(["turn.started"], (draft, random) => {
  const { guidance: given } = draft.content;
  if (!Array.isArray(given)) return changeContent(draft, { guidance: [] });
  return changeContent(draft, { guidance: random.pick([given.toReversed(), given.slice(1), []]) });
});

/** A handoff that counts a receipt which nobody has made. */
const misreport: Spoil = (events) => {
  const index = events.findIndex(({ child }) => child !== undefined);
  const draft = events[index];
  if (draft === undefined) return events;
  return events.with(index, changeContent(draft, { receipt: FORGED }));
};

/** An answer from a cache that its run does not have, or of another tool. */
const miscache: Spoil = at(["cache.hit"], (draft, random) =>
  changeContent(draft, random.pick([{ strategy: "persistent" }, { tool: "local.nothing" }])),
);

/** A request that goes on elsewhere in its thread. */
const rethread: Spoil = at(["action.claimed"], (draft) => {
  const { context } = draft.content;
  if (!isPlainObject(context) || typeof context["at"] !== "number") return draft;
  return changeContent(draft, { context: { ...context, at: context["at"] + 3 } as JsonObject });
});

/** An approval requested long before its use, or valid only at once. */
const delay: Spoil = at(["approval.requested", "action.claimed"], (draft, random) =>
  draft.type === "action.claimed"
    ? { ...draft, at: random.pick(["2027-01-01T00:00:00.000Z", "2026-05-30T08:00:00.000Z"]) }
    : changeContent(draft, { useWithinMs: random.pick([0, 1, -1, 0.5, "1", null]) }),
);

/** Amounts of one event, each scaled: the sums no longer fit, or pass a cap. */
const scaleAmounts: Spoil = at(["action"], (draft, random) => {
  const name = random.pick(["reserve", "spent"]);
  const amounts = draft.content[name];
  if (typeof amounts !== "object" || amounts === null) return draft;
  const by = random.pick([0, 2, 5_000, 1_000_000, 1e15, 0.5]);
  const scaled = Object.entries(amounts).map(([unit, amount]) => [unit, Number(amount) * by]);
  return changeContent(draft, { [name]: Object.fromEntries(scaled) });
});

const moveInTime: Spoil = at(undefined, (draft, random) => ({ ...draft, at: random.pick(times) }));

const others = [
  { kind: "person", id: "erin" },
  { kind: "person", id: "ada" },
  { kind: "person", id: "" },
  { kind: "agent", id: "courier" },
  { kind: "kernel", id: "kernel" },
  { kind: "host", id: "host" },
] as const;
const changeActor: Spoil = at(
  ["action.resolved", "approval", "question", "run", "signal"],
  (draft, random) => ({
    ...draft,
    actor: random.pick(others),
  }),
);

const changeTurn: Spoil = at(undefined, (draft, random) => {
  const { turn: _, ...rest } = draft;
  const turn = random.pick([undefined, 0, 1, 2, 7]);
  return turn === undefined ? rest : { ...rest, turn };
});

const changeCall: Spoil = at(["action", "call", "approval"], (draft, random, events) => {
  const { call: _, parentCall: __, ...rest } = draft;
  const call = random.pick([undefined, "", "nobody", ...events.map((event) => event.call)]);
  const parentCall = random.pick([undefined, draft.parentCall, "nobody"]);
  return {
    ...rest,
    ...(call === undefined ? {} : { call }),
    ...(parentCall === undefined ? {} : { parentCall }),
  };
});

const changeEpoch: Spoil = at(undefined, (draft, random) => ({ ...draft, epoch: random.below(3) }));

const dropEvent: Spoil = (events, random) => events.toSpliced(pickIndex(events, random), 1);

const repeatEvent: Spoil = (events, random) => {
  const index = pickIndex(
    events,
    random,
    random.next() < 0.7 ? ["action", "approval", "question"] : undefined,
  );
  const draft = events[index];
  if (draft === undefined) return events;
  const copy = { ...draft, id: `${draft.id}-again` };
  return events.toSpliced(index + 1 + random.below(4), 0, copy);
};

/** A used approval is claimed a second time. */
const reuse: Spoil = (events, random) => {
  const approved = [...events.keys()].filter(
    (place) => events[place]?.links?.["approval"] && events[place]?.type === "action.claimed",
  );
  const place = approved.length === 0 ? -1 : random.pick(approved);
  const draft = events[place];
  if (draft === undefined) return repeatEvent(events, random);
  return events.toSpliced(place + 1 + random.below(2), 0, { ...draft, id: `${draft.id}-again` });
};

const moveEvent: Spoil = (events, random) => {
  const index = pickIndex(events, random);
  const draft = events[index];
  if (draft === undefined) return events;
  return events.toSpliced(index, 1).toSpliced(random.below(events.length), 0, draft);
};

const effects = ["read", "idempotent", "once", "reconcile", "repeatable"];
const resolutions = ["happened", "abandon", "never", "retry", "again", "orphaned", "maybe"];
const changeKind: Spoil = at(
  ["action.claimed", "action.resolved", "run.resolved"],
  (draft, random) =>
    draft.type === "action.claimed"
      ? changeContent(draft, { effect: random.pick(effects) })
      : changeContent(draft, { resolution: random.pick(resolutions) }),
);

const decide: Spoil = at(["approval.decided", "question.answered"], (draft, random) => {
  const said: readonly JsonObject[] = [
    { choice: random.pick(["approve", "reject", "edit", "maybe"]) },
    { roles: [] },
    { roles: ["legal"] },
    { receivedAt: random.pick(times) },
  ];
  return changeContent(draft, random.pick(said));
});

const changeGrant: Spoil = at(
  ["run.started", "turn.started", "call.started", "action.claimed"],
  spoilGrant,
);

/** The grants of a run and of its turns with a cap or an end more, which both keep to. */
const tighten: Spoil = (events, random) => {
  const few = { toolCalls: 1 + random.below(3), effects: 1 + random.below(2), "acme.lines": 2 };
  const expiresAt = random.pick(events).at;
  const fields: JsonObject = random.pick([
    { perCall: few },
    { perPeriod: { [random.pick(PERIOD_KINDS)]: few } },
    { budget: few },
    { expiresAt },
  ]);
  return events.map((draft) => {
    const { spec, grant } = draft.content;
    if (isPlainObject(spec) && isPlainObject(spec["grant"]))
      return changeContent(draft, {
        spec: { ...spec, grant: { ...spec["grant"], ...fields } } as JsonObject,
      });
    if (draft.type !== "turn.started" || !isPlainObject(grant)) return draft;
    return changeContent(draft, { grant: { ...grant, ...fields } as JsonObject });
  });
};

/** Every spoil; what reaches many rules stands here more than once. */
export const SPOILS: readonly Spoil[] = [
  ...[setField, setField, setField, dropField, dropField, addField, addField, addField],
  ...[moveInTime, changeActor, changeTurn, changeCall, changeEpoch, dropEvent, repeatEvent],
  ...[moveEvent, changeKind, decide, changeGrant, changeGrant, changeGrant, setInside, setInside],
  ...[addField, misguide, delay, delay, scaleAmounts, scaleAmounts, reuse, tighten],
  ...[rethread, miscache, misreport],
];
