/**
 * A run under terms. One call has a narrower grant, with caps for one call, for a day and for a
 * week, and a unit of the operator's own.
 *
 * It is made out of a run of the kernel's in which a model asks for one tool.
 */
import {
  attenuate,
  foldSpending,
  type Grant,
  type JsonObject,
  type JsonValue,
  NO_SPENDING,
  type RawEvent,
} from "@turnseal/protocol";
import { findSequence, type MadeRun, sealRun } from "./seal-events.ts";

export const PERIODS = { day: "2026-01-01", week: "2026-W01" };

const ledger = {
  family: "acme.ledger",
  resource: "ledger:main",
  verbs: ["read", "write"],
  capabilities: ["provider_mutation"],
  bounds: { paths: ["accounts/**"], limits: { "acme.lines": 10 } },
  conditions: [],
  approvals: [],
  expiresAt: "2026-01-01T00:00:00.001Z",
};

/** The grant of the run. */
export const GRANT: Grant = {
  grantor: "alice",
  tools: ["local.add"],
  scopes: ["ledger:*"],
  terms: [{ id: "ledger", ...ledger }],
  handoffs: ["review"],
  depth: 1,
  budget: { toolCalls: 8, "acme.lines": 20 },
  perCall: { "acme.lines": 5 },
  perPeriod: { day: { toolCalls: 4, "acme.lines": 8 }, week: { "acme.lines": 9 } },
};

/** What the call of the tool asks for. */
export const READING = {
  ...ledger,
  verbs: ["read"],
  bounds: { ...ledger.bounds, paths: ["accounts/a/**"] },
};
/** What the tool needs of it, as its claim records it. */
export const NEED = { family: ledger.family, resource: ledger.resource, verb: "read" };
export const REQUESTED = { tools: ["local.add"], terms: [READING] };

/** New content by sequence number. A field that is null is taken out. */
export type Changes = Readonly<Record<number, JsonObject>>;

/** The events that matter, by sequence number, and the run with other contents. */
export interface GovernedRun {
  readonly events: readonly RawEvent[];
  readonly call: number;
  readonly claim: number;
  readonly settled: number;
  change(...changes: Changes[]): MadeRun;
}

export function governRun(run: MadeRun): GovernedRun {
  const call = findSequence(run.events, "call.started", 2);
  const claim = findSequence(run.events, "action.claimed", 2);
  const settled = findSequence(run.events, "action.settled", 2);
  const reserve = { toolCalls: 1, "acme.lines": 5 };
  const { content, terms } = narrow(REQUESTED);
  const base: readonly Changes[] = [
    underGrant(run.events, GRANT),
    {
      [call]: content,
      [claim]: { needs: [NEED], terms, reserve },
      [settled]: { reserve, spent: { toolCalls: 1, "acme.lines": 3 } },
    },
  ];
  return {
    events: run.events,
    call,
    claim,
    settled,
    change: (...changes) => changeRun(run, [...base, ...changes]),
  };
}

interface Narrowed {
  readonly grant: JsonObject;
  readonly proof: JsonObject;
  readonly terms: readonly string[];
  /** What is recorded of it. */
  readonly content: JsonObject;
}

/** A part of the run's grant. */
export function narrow(request: unknown): Narrowed {
  const made = attenuate(GRANT, request);
  if (made.kind === "refused") throw new Error(made.code);
  const { grant, proof } = made as unknown as Pick<Narrowed, "grant" | "proof">;
  const terms = (made.grant.terms ?? []).map(({ id }) => id);
  return { grant, proof, terms, content: { grant, proof } };
}

/** The whole run under a grant, with every claim and settlement in its periods. */
export function underGrant(events: readonly RawEvent[], given: Grant): Changes {
  const grant = given as unknown as JsonValue;
  const changes = events.flatMap(({ type, sequence, content }): [number, JsonObject][] => {
    const { spec } = content;
    switch (type) {
      case "run.started":
        return [[sequence, { spec: { ...Object(spec), grant } }]];
      case "turn.started":
        return [[sequence, { grant }]];
      case "action.claimed":
      case "action.settled":
        return [[sequence, { periods: PERIODS }]];
      default:
        return [];
    }
  });
  return Object.fromEntries(changes);
}

/** Changes contents, adds amounts up again and seals what comes of it. */
function changeRun(run: MadeRun, all: readonly Changes[]): MadeRun {
  let spending = NO_SPENDING;
  const events = run.events.map((event) => {
    const content = all.reduce<JsonObject>(
      (before, changes) => applyChange(before, changes[event.sequence] ?? {}),
      event.content,
    );
    const isTotal = event.type === "turn.started" || event.type === "turn.closed";
    const stated = isTotal ? { spending: spending as unknown as JsonValue } : {};
    const { action } = content;
    const isTold = event.type === "action.settled" && action === "handoff";
    const told = isTold ? { actor: { kind: "run", id: "review" } as const } : {};
    const changed = { ...event, ...told, content: { ...content, ...stated } };
    spending = foldSpending(spending, changed);
    return changed;
  });
  return sealRun({ ...run, events });
}

function applyChange(content: JsonObject, change: JsonObject): JsonObject {
  const dropped = new Set(Object.keys(change).filter((name) => change[name] === null));
  const entries = Object.entries({ ...content, ...change });
  return Object.fromEntries(entries.filter(([name]) => !dropped.has(name)));
}
