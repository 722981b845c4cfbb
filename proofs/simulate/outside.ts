/**
 * The world outside the runtime, which outlives every worker: the true effects, and their true
 * costs. A promise about effects is compared with this, never with the log's own account.
 */
import type { ManualClock } from "@turnseal/ports";
import {
  type Amounts,
  addAmounts,
  type Effect,
  type JsonObject,
  type JsonValue,
  type PriceTable,
  priceTokens,
} from "@turnseal/protocol";
import type { Promises } from "./fault.ts";
import { ACTS } from "./loops.ts";

/** A request to act, as it reaches the outside. */
export interface Request {
  readonly run: string;
  readonly key: string;
  readonly epoch: number;
  readonly effect: Effect;
  readonly deadlineAt: string;
  readonly args: JsonValue;
}

export interface Outside {
  /** Acts, or throws and does nothing. */
  act(request: Request): JsonValue;
  /** A request of a worker that is gone: it arrives later, before its deadline. */
  landLater(request: Request, delayMs: number): void;
  /** From now on requests under this key are refused, unless they are of a later epoch. */
  refuse(key: string, epoch: number): void;
  /** How often the effect of a key took place. */
  timesDone(key: string): number;
  /** True while a request of this key is on its way. */
  isOnItsWay(key: string): boolean;
  charge(run: string, tokens: Amounts): void;
  /** What was really done and spent for one run. */
  invoice(run: string): Amounts;
}

export const RESULT: JsonValue = { done: true };

export function createOutside(clock: ManualClock, prices: PriceTable, promises: Promises): Outside {
  const done = new Map<string, number>();
  const refusedBelow = new Map<string, number>();
  const flying: string[] = [];
  const invoices = new Map<string, Amounts>();
  const bill = (run: string, amounts: Amounts): void => {
    invoices.set(run, addAmounts(invoices.get(run) ?? {}, amounts));
  };
  const act: Outside["act"] = ({ run, key, epoch, effect, deadlineAt, args }) => {
    if (clock.now() >= Date.parse(deadlineAt)) throw new Error("the request came too late");
    if (epoch < (refusedBelow.get(key) ?? 0)) throw new Error("the key is refused");
    if (effect === "read") return RESULT;
    const before = done.get(key) ?? 0;
    if (effect === "idempotent" && before > 0) return RESULT;
    done.set(key, before + 1);
    // Only a payment moves money, and only a payment is done once.
    const cents = effect === "once" ? Number((args as JsonObject)["cents"] ?? 0) : 0;
    bill(run, { effects: 1, [ACTS]: 1, ...(cents === 0 ? {} : { "payments.cents": cents }) });
    promises.hold(
      before === 0,
      `I9: the effect of ${effect} key ${key.slice(0, 8)} took place twice`,
    );
    return RESULT;
  };
  return {
    act,
    landLater: (request, delayMs) => {
      flying.push(request.key);
      clock.after(delayMs, () => {
        flying.splice(flying.indexOf(request.key), 1);
        const isRefused =
          clock.now() >= Date.parse(request.deadlineAt) ||
          request.epoch < (refusedBelow.get(request.key) ?? 0);
        if (!isRefused) act(request);
      });
    },
    refuse: (key, epoch) => refusedBelow.set(key, epoch),
    timesDone: (key) => done.get(key) ?? 0,
    isOnItsWay: (key) => flying.includes(key),
    charge: (run, tokens) => {
      const moneyMicros = priceTokens(prices, "scripted/scripted", tokens) ?? 0;
      bill(run, { modelCalls: 1, ...tokens, moneyMicros });
    },
    invoice: (run) => invoices.get(run) ?? {},
  };
}
