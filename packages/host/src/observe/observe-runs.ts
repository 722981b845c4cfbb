/**
 * Lets observers hear what the runs of a host do.
 *
 * 1. A run neither waits for an observer nor fails because of it.
 * 2. An event is heard in the process that appended it, once it is durable.
 * 3. A receipt stays in the outbox until its observer has heard of it: a killed process loses none,
 *    and any other process with the same observer goes on. Each receipt is heard at least once.
 */
import type { Append, Clock, Observer, Stores } from "@turnseal/ports";
import { isPlainObject, isPlainText } from "@turnseal/protocol";
import { HostError } from "../host-error.ts";
import { createCourier } from "./courier.ts";

export interface ObserveOptions {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly observers: readonly Observer[];
  readonly tenant: string;
  /** Called for the first failure of an observer, and again after it has heard of a receipt. */
  readonly onObserverFailed: (observer: string, error: unknown) => void;
}

export interface ObservedRuns {
  /** The same stores: observers hear what is appended to them. */
  readonly stores: Stores;
  /** Has observers hear of the receipts that are left in the outbox. Never rejects. */
  look(): Promise<void>;
  /** Ends all looks; what is in the outbox stays there. */
  close(): void;
}

/** UTF-16 units of the name of an observer. */
export const OBSERVER_NAME_LENGTH_MAX = 64;
/** Observers of one host. */
export const OBSERVERS_MAX = 16;

export function observeRuns(options: ObserveOptions): ObservedRuns {
  const { stores, clock, observers, tenant } = options;
  checkObservers(options);
  const reports = reportFirst(options.onObserverFailed);
  const { outbox } = stores;
  const hearing = observers.filter(hearsReceipts);
  const couriers = hearing.flatMap((observer) =>
    outbox === undefined
      ? []
      : [createCourier({ ...{ outbox, observer, tenant, clock }, ...reports(observer.name) })],
  );
  const tells = observers.map((observer) => {
    const { onFailed } = reports(observer.name);
    return (...heard: Parameters<NonNullable<Observer["onEvent"]>>): void => {
      try {
        observer.onEvent?.(...heard);
      } catch (error) {
        onFailed(error);
      }
    };
  });
  const names = hearing.map(({ name }) => name);
  const look = async (): Promise<void> => {
    await Promise.all(couriers.map((courier) => courier.look()));
  };
  const append: Stores["log"]["append"] = async (given) => {
    const isSealed = given.receipt !== undefined && names.length > 0;
    const answer = await stores.log.append(isSealed ? { ...given, observers: names } : given);
    if (answer.kind === "appended") {
      const of = describeRun(given, tenant);
      for (const event of given.events) for (const tell of tells) tell(event, of);
    }
    // Of a duplicate the first answer was lost.
    if (isSealed && (answer.kind === "appended" || answer.kind === "duplicate")) void look();
    return answer;
  };
  return {
    stores: { ...stores, log: { ...stores.log, append } },
    look,
    close: () => {
      for (const courier of couriers) courier.close();
    },
  };
}

function hearsReceipts({ onReceiptSealed }: Observer): boolean {
  return onReceiptSealed !== undefined;
}

function checkObservers({ stores, observers }: ObserveOptions): void {
  const refuse = (why: string): never => {
    throw new HostError("OBSERVER_REFUSED", why);
  };
  if (observers.length > OBSERVERS_MAX)
    refuse(`a host has at most ${OBSERVERS_MAX} observers, and was given ${observers.length}`);
  const names = new Set<string>();
  for (const { name } of observers) {
    if (!isPlainText(name, OBSERVER_NAME_LENGTH_MAX))
      refuse(`an observer has a name of 1 to ${OBSERVER_NAME_LENGTH_MAX} plain characters`);
    if (names.has(name)) refuse(`two observers have the name ${name}: rename one`);
    names.add(name);
  }
  const [first] = observers.filter(hearsReceipts);
  if (first !== undefined && stores.outbox === undefined)
    refuse(`the observer ${first.name} has onReceiptSealed, and the store has no outbox`);
}

/** Every append of a run has its state. */
function describeRun({ snapshot }: Append, tenant: string) {
  const spec = snapshot?.state["spec"];
  const loop = isPlainObject(spec) ? spec["loop"] : undefined;
  return typeof loop === "string" ? { tenant, loop } : { tenant };
}

/** Reports the first of several failures in a row. */
function reportFirst(onObserverFailed: ObserveOptions["onObserverFailed"]) {
  const failing = new Set<string>();
  return (name: string) => ({
    onHeard: (): void => void failing.delete(name),
    onFailed: (error: unknown): void => {
      if (failing.has(name)) return;
      failing.add(name);
      try {
        onObserverFailed(name, error);
      } catch {
        // A report that fails must not fail the run.
      }
    },
  });
}
