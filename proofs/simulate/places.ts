/** The runs of one seed: the root, and those that runs handed to. */
import type { RunProjection } from "@turnseal/folds";
import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import {
  type Amounts,
  addAmounts,
  committed,
  isClaimOf,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  listUnits,
  PERIOD_KINDS,
  type RunSpec,
  type Unit,
} from "@turnseal/protocol";
import type { SentRequest } from "./check-threads.ts";
import type { Promises } from "./fault.ts";
import { listTools } from "./hostile-host.ts";
import { ACTS, LEVELS, SLICES } from "./loops.ts";
import type { Outside } from "./outside.ts";
import { totalOf } from "./rules.ts";
import type { Said } from "./said.ts";
import type { Scenario } from "./scenario.ts";
import type { Tally } from "./tally.ts";
import { type AuthorityWatch, type Entitlement, watchAuthority } from "./watch-authority.ts";
import { type LogWatch, watchLog } from "./watch-log.ts";

export interface Place {
  readonly run: string;
  readonly parent: Place | undefined;
  /** How many handoffs it is away from the first run. */
  readonly level: number;
  readonly given: Entitlement;
  readonly watch: LogWatch;
  readonly authority: AuthorityWatch;
  /** The requests to its models. */
  readonly sent: SentRequest[];
  ownerEpoch: number;
  hasChangedCode: boolean;
  /** Set when the run can go no further without an operator. */
  blocked: string | undefined;
}

export interface PlaceOptions {
  readonly scenario: Scenario;
  readonly outside: Outside;
  readonly said: readonly Said[];
  readonly notes: ReadonlyMap<string, string>;
  readonly promises: Promises;
  readonly tally: Tally;
}

export interface Places {
  readonly root: Place;
  all(): readonly Place[];
  at(run: string): Place;
  /** A row that somebody put into an inbox. */
  onPut(message: InboxMessage, answer: PutAnswer): void;
  /** True when a run has been sent this row. */
  isDelivered(run: string, key: string): boolean;
  /** True when all that a run is to do, and to tell, is done and told. */
  isOver(place: Place): boolean;
  /** True when a run owes something to another that was never delivered. */
  isOwing(place: Place): boolean;
  /** What must hold between any two steps. */
  checkStep(): void;
}

export function createPlaces(root: string, options: PlaceOptions): Places {
  const { promises, tally, scenario } = options;
  const places = new Map<string, Place>();
  const delivered = new Set<string>();
  const first = openPlace(root, undefined, giveRoot(scenario), options);
  places.set(root, first);
  const isDelivered: Places["isDelivered"] = (run, key) => delivered.has(`${run} ${key}`);
  const isOver = ({ run, parent, watch, blocked }: Place): boolean => {
    if (blocked !== undefined) return true;
    if (watch.projection().stopped === null) return false;
    return parent === undefined || isDelivered(parent.run, `result:${run}`);
  };
  const openChild = ({ run, body }: InboxMessage): void => {
    const spec = body["spec"] as unknown as RunSpec;
    const above = places.get(spec.parent?.run ?? "");
    const parent = promises.need(above, "a run is started from nowhere");
    checkStart({ run, spec, input: body["input"] ?? null }, parent, promises);
    const level = parent.level + 1;
    tally.count(`fate handoff-${level}`);
    const depth = scenario.spec.grant.depth ?? LEVELS;
    promises.hold(level <= depth, `I5: a run is ${level} handoffs away, and ${depth} may be`);
    // A host that lies has given it more, and it may use that.
    const isWidened = scenario.lie === "child-widened" && level === 1;
    const child = giveChild(spec, parent);
    const given = isWidened ? { ...child, tools: listTools(child.tools) } : child;
    places.set(run, openPlace(run, parent, given, options));
  };
  return {
    root: first,
    all: () => [...places.values()],
    at: (run) => {
      const place = places.get(run);
      if (place === undefined) throw new Error("nobody started that run");
      return place;
    },
    onPut: (message, answer) => {
      if (answer.kind === "refused") return;
      delivered.add(`${message.run} ${message.key}`);
      if (message.kind === "start" && !places.has(message.run)) openChild(message);
    },
    isDelivered,
    isOver,
    isOwing: (place) => {
      const { run, parent, watch } = place;
      const { stopped, openTurn, isCancelled } = watch.projection();
      if (stopped !== null)
        return parent !== undefined && !isDelivered(parent.run, `result:${run}`);
      return (openTurn?.open ?? []).some(({ handoff }) => {
        if (handoff === null) return false;
        if (!isDelivered(handoff.child, "start")) return true;
        return isCancelled && !isDelivered(handoff.child, "parent:cancel");
      });
    },
    checkStep: () => {
      for (const place of places.values()) checkCosts(place, [...places.values()], options);
    },
  };
}

function openPlace(
  run: string,
  parent: Place | undefined,
  given: Entitlement,
  { outside, tally, promises, said, notes }: PlaceOptions,
): Place {
  const authority = watchAuthority({ run, given, said, notes, promises, tally });
  const follow = (event: LoopEvent, _: RunProjection, by: Parameters<LogWatch["onAppend"]>[0]) =>
    authority.onEvent(event, by);
  return {
    run,
    parent,
    level: parent === undefined ? 0 : parent.level + 1,
    given,
    watch: watchLog(run, { outside, tally, promises }, follow),
    authority,
    sent: [],
    ownerEpoch: 0,
    hasChangedCode: false,
    blocked: undefined,
  };
}

function giveRoot({ spec: { grant }, rules, allowed, starter }: Scenario): Entitlement {
  return {
    starters: starter === undefined ? [] : [starter],
    tools: grant.tools,
    mayBook: true,
    centsMax: grant.perCall?.["payments.cents"] ?? Number.POSITIVE_INFINITY,
    expiresMs: grant.expiresAt === undefined ? Infinity : Date.parse(grant.expiresAt),
    rules,
    allowed,
    centsBefore: 0,
  };
}

/** A handoff's slice is fixed, and never more than the calling run has. */
function giveChild({ loop, parent }: RunSpec, { given, authority }: Place): Entitlement {
  const { tools = [], terms = [] } = SLICES[loop] ?? {};
  const isWithin = tools.every((tool) => given.tools.includes(tool));
  return {
    ...given,
    tools: isWithin ? tools : [],
    mayBook: given.mayBook && terms.length > 0,
    centsBefore: authority.centsBefore(parent?.sequence ?? 0),
    // The people who started the handing turn have also started this run.
    starters: authority.starters(),
  };
}

interface Start {
  readonly run: string;
  readonly spec: RunSpec;
  readonly input: JsonValue;
}

/** A start is delivered for a claim that names it, under what that claim reserved. */
function checkStart({ run, spec, input }: Start, parent: Place, promises: Promises): void {
  const named = parent.watch.events()[(spec.parent?.sequence ?? 0) - 1];
  const isClaimed =
    named !== undefined &&
    isClaimOf("handoff", named) &&
    named.hash === spec.parent?.hash &&
    named.content.child === run;
  const claim = promises.need(
    isClaimed ? named : undefined,
    "a run is started that no claim names",
  );
  const { loop, grant, policy } = spec;
  const slice = SLICES[loop];
  const { reserve, key } = claim.content;
  const isSlice =
    slice !== undefined &&
    grant.tools.every((tool) => slice.tools.includes(tool)) &&
    listUnits(slice.budget).every((unit) => isReserved(unit, { slice, reserve, spec }));
  promises.hold(isSlice, "I5: a run is given more than its slice, or its slice is not reserved");
  const isJudged = policy?.digest === parent.watch.projection().spec?.policy?.digest;
  promises.hold(isJudged, "I5: a run is judged by other rules than the one that started it");
  const args: JsonObject = { loop, input };
  const handoff = { key, tool: "turnseal.handoff", effect: "idempotent", args } as const;
  parent.authority.onAct({ ...handoff, shown: input });
}

interface SliceParts {
  readonly slice: { readonly budget: Amounts };
  readonly reserve: Amounts;
  readonly spec: RunSpec;
}

function isReserved(unit: Unit, { slice, reserve, spec }: SliceParts): boolean {
  const most = slice.budget[unit] ?? 0;
  const given = spec.grant.budget[unit] ?? Infinity;
  return given <= most && (reserve[unit] ?? 0) >= given;
}

const invoiced: readonly Unit[] = [
  "modelCalls",
  "inputTokens",
  "outputTokens",
  "moneyMicros",
  "effects",
  "payments.cents",
  ACTS,
];

/** Tokens are not part of any slice, and so no part of what a run reserves for those below. */
const sliced: readonly Unit[] = ["modelCalls", "moneyMicros", "effects", "payments.cents"];

/** The true cost of a run and of all below it is committed in its log, and within its slice. */
function checkCosts(
  place: Place,
  all: readonly Place[],
  { outside, promises, scenario: { lie } }: PlaceOptions,
): void {
  const { watch, run, parent } = place;
  const { spending, spec } = watch.projection();
  // A run cannot see through a host that lies about others: the host is responsible then.
  const isToldTrue = lie !== "child-widened" && lie !== "child-unpaid";
  const total = committed(spending);
  const below = all.filter((other) => isBelow(other, place));
  const invoice = below.reduce<Amounts>(
    (sum, other) => addAmounts(sum, outside.invoice(other.run)),
    outside.invoice(run),
  );
  const own = outside.invoice(run);
  const short = invoiced.find((unit) => {
    const cost = (isToldTrue && sliced.includes(unit) ? invoice : own)[unit] ?? 0;
    return cost > (total[unit] ?? 0);
  });
  promises.hold(short === undefined, `I5: the invoice for ${short} is higher than is committed`);
  const billed = isToldTrue ? invoice : own;
  const isWithin = (billed["payments.cents"] ?? 0) <= totalOf(place.given.rules);
  promises.hold(isWithin, "I5: a run has paid more than its rules let it pay in all");
  checkPeriods(billed, watch.projection(), promises);
  if (parent === undefined || spec === null || !isToldTrue) return;
  const slice = SLICES[spec.loop]?.budget ?? {};
  const over = listUnits(slice).find((unit) => (total[unit] ?? 0) > (slice[unit] ?? 0));
  promises.hold(over === undefined, `I5: a run spends more ${over} than its slice holds`);
}

/** Of an instant, as text. */
const MONTH_LENGTH = "2026-01".length;

/** No month of a run and all below it is passed outside, and no period in its log. */
function checkPeriods(
  billed: Amounts,
  { spec, spending, startedAt, lastAt }: RunProjection,
  promises: Promises,
): void {
  const { perPeriod = {} } = spec?.grant ?? {};
  // A clock that is behind may have begun it in the month before.
  const isOneMonth = startedAt?.slice(0, MONTH_LENGTH) === lastAt.slice(0, MONTH_LENGTH);
  const month = (isOneMonth ? perPeriod.month : undefined) ?? {};
  const passed = listUnits(month).find((unit) => (billed[unit] ?? 0) > (month[unit] ?? 0));
  promises.hold(passed === undefined, `I14: a run and all below it pass the month's ${passed}`);
  for (const kind of PERIOD_KINDS) {
    const [caps = {}, counted = {}] = [perPeriod[kind], spending.periodic?.[kind]?.amounts];
    const over = listUnits(caps).find((unit) => (counted[unit] ?? 0) > (caps[unit] ?? 0));
    promises.hold(
      over === undefined,
      `I14: a run has committed more ${over} than a ${kind} allows`,
    );
  }
}

function isBelow(place: Place, above: Place): boolean {
  for (let at = place.parent; at !== undefined; at = at.parent) if (at === above) return true;
  return false;
}
