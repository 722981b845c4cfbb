/** The runs of one seed: the root, and those that its flow hands to. */
import type { InboxMessage, PutAnswer } from "@turnseal/ports";
import { committed, type LoopEvent, listUnits, type RunSpec } from "@turnseal/protocol";
import type { Promises } from "../simulate/fault.ts";
import type { Outside } from "../simulate/outside.ts";
import type { Tally } from "../simulate/tally.ts";
import { type LogWatch, watchLog } from "../simulate/watch-log.ts";
import { SLICE } from "./loops.ts";
import type { FlowScenario } from "./scenario.ts";
import { watchBounds } from "./watch-bounds.ts";
import { watchBudgets } from "./watch-budgets.ts";
import { watchItems } from "./watch-items.ts";

export interface Place {
  readonly run: string;
  readonly parent: Place | undefined;
  readonly watch: LogWatch;
  ownerEpoch: number;
  /** Set when the run can go no further without an operator. */
  blocked: string | undefined;
}

export interface Places {
  readonly root: Place;
  all(): readonly Place[];
  at(run: string): Place;
  /** A row that somebody put into an inbox. */
  onPut(message: InboxMessage, answer: PutAnswer): void;
  /** True when all that a run is to do, and to tell, is done and told. */
  isOver(place: Place): boolean;
  /** True when a run owes something to another that was never delivered. */
  isOwing(place: Place): boolean;
  /** What must hold between any two steps. */
  checkStep(): void;
}

export interface PlaceOptions {
  readonly scenario: FlowScenario;
  readonly outside: Outside;
  readonly promises: Promises;
  readonly tally: Tally;
}

export function createPlaces(run: string, options: PlaceOptions): Places {
  const { promises, tally, scenario } = options;
  const delivered = new Set<string>();
  const root = openPlace(run, undefined, scenario.spec.loop, options);
  const places = new Map([[run, root]]);
  const isDelivered = (to: string, key: string): boolean => delivered.has(`${to} ${key}`);
  const isOver: Places["isOver"] = ({ run: own, parent, watch, blocked }) => {
    if (blocked !== undefined) return true;
    if (watch.projection().stopped === null) return false;
    return parent === undefined || isDelivered(parent.run, `result:${own}`);
  };
  const openChild = ({ run: child, body }: InboxMessage): void => {
    const { parent, loop, grant } = body["spec"] as unknown as RunSpec;
    const above = promises.need(places.get(parent?.run ?? ""), "a run is started from nowhere");
    const over = listUnits(grant.budget).find(
      (unit) => (grant.budget[unit] ?? 0) > (SLICE.budget[unit] ?? Number.POSITIVE_INFINITY),
    );
    promises.hold(over === undefined, `a run is handed more ${over} than its slice holds`);
    tally.count("flow handoff");
    places.set(child, openPlace(child, above, loop, options));
  };
  return {
    root,
    all: () => [...places.values()],
    at: (wanted) => promises.need(places.get(wanted), "nobody started that run"),
    onPut: (message, answer) => {
      if (answer.kind === "refused") return;
      delivered.add(`${message.run} ${message.key}`);
      if (message.kind === "start" && !places.has(message.run)) openChild(message);
    },
    isOver,
    isOwing: ({ run: own, parent, watch }) => {
      const { stopped, openTurn, isCancelled } = watch.projection();
      if (stopped !== null)
        return parent !== undefined && !isDelivered(parent.run, `result:${own}`);
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
  loop: string,
  { outside, tally, promises, scenario }: PlaceOptions,
): Place {
  const bounds = promises.need(scenario.loops.bounds.get(loop), `nothing bounds ${loop}`);
  const counted = watchBounds(bounds, { tally, promises });
  const items = watchItems(promises);
  const budgets = watchBudgets(promises);
  const follow = (event: LoopEvent): void => {
    counted.onEvent(event);
    budgets.onEvent(event);
    items.onEvent(event);
  };
  return {
    ...{ run, parent, ownerEpoch: 0, blocked: undefined },
    watch: watchLog(run, { outside, tally, promises, isStopped: items.isStopped }, follow),
  };
}

const invoiced = ["modelCalls", "outputTokens", "effects", "payments.cents"] as const;

/**
 * The true cost of a run is committed in its log, and that of a run with all below it is within its
 * bounds.
 */
function checkCosts(
  { watch, run }: Place,
  all: readonly Place[],
  { outside, promises }: PlaceOptions,
): void {
  const { spending, spec } = watch.projection();
  const total = committed(spending);
  const own = outside.invoice(run);
  const short = invoiced.find((unit) => (own[unit] ?? 0) > (total[unit] ?? 0));
  promises.hold(short === undefined, `the invoice for ${short} is higher than is committed`);
  const budget = spec?.grant.budget ?? {};
  const over = listUnits(budget).find((unit) => (total[unit] ?? 0) > (budget[unit] ?? 0));
  promises.hold(over === undefined, `the budget for ${over} is passed`);
  const family = all.filter((place) => place.run === run || place.parent?.run === run);
  const spent = family.reduce((sum, place) => sum + (outside.invoice(place.run).effects ?? 0), 0);
  const isWithin = spent <= (budget.effects ?? Number.POSITIVE_INFINITY);
  promises.hold(isWithin, "a run and those below it had more effects than its budget has");
}
