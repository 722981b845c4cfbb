/**
 * Takes the receipts of one observer from the outbox to it, one after the other.
 *
 * 1. A row goes only when the observer has heard of its receipt.
 * 2. A receipt that an observer refuses does not keep the others from it.
 * 3. An observer that does not answer is left alone for a while, and so is one that refuses many.
 */
import {
  type Clock,
  type Observer,
  OUTBOX_READ_MAX,
  type Outbox,
  type SealedReceipt,
} from "@turnseal/ports";
import { HostError } from "../host-error.ts";

export interface CourierOptions {
  readonly outbox: Outbox;
  readonly observer: Observer;
  readonly tenant: string;
  readonly clock: Clock;
  readonly onHeard: () => void;
  readonly onFailed: (error: unknown) => void;
}

export interface Courier {
  /** Delivers what is there now. Never rejects: a failure is reported, and tried again. */
  look(): Promise<void>;
  close(): void;
}

/** How long an observer may take with one receipt. */
export const OBSERVER_ANSWER_MS_MAX = 10_000;
/** Receipts that an observer may refuse before it is left alone. */
export const OBSERVER_REFUSALS_MAX = 10;
/** Looks that are tried again by themselves; after them the next receipt brings a look. */
export const OBSERVER_RETRIES_MAX = 6;
const RETRY_FIRST_MS = 1_000;

export function createCourier(options: CourierOptions): Courier {
  const { clock, onFailed } = options;
  let looking: Promise<void> | undefined;
  let [isStale, isClosed, retries] = [false, false, 0];
  let dropRetry = (): void => {};
  const planRetry = (): void => {
    if (isClosed || retries >= OBSERVER_RETRIES_MAX) return;
    dropRetry = clock.after(RETRY_FIRST_MS * 2 ** retries, () => void look());
    retries += 1;
  };
  const lookOn = async (): Promise<void> => {
    while (isStale && !isClosed) {
      isStale = false;
      dropRetry();
      const isDone = await deliverAll(options, () => isClosed).catch((error: unknown) => {
        onFailed(error);
        return false;
      });
      if (isDone) retries = 0;
      else planRetry();
    }
    looking = undefined;
  };
  const look = (): Promise<void> => {
    isStale = true;
    looking ??= lookOn();
    return looking;
  };
  return {
    look,
    close: () => {
      isClosed = true;
      dropRetry();
    },
  };
}

/** True if the observer has heard of everything. */
async function deliverAll(options: CourierOptions, isOver: () => boolean): Promise<boolean> {
  const { outbox, observer, onHeard, onFailed } = options;
  let refusals = 0;
  for (let after: SealedReceipt | undefined; ; ) {
    const rows = await outbox.list(observer.name, after);
    for (const row of rows) {
      if (isOver()) return true;
      const answer = await deliver(row, options);
      if (answer.kind === "heard") {
        await outbox.acknowledge(observer.name, row);
        onHeard();
        continue;
      }
      onFailed(answer.error);
      refusals += 1;
      if (answer.kind === "silent" || refusals >= OBSERVER_REFUSALS_MAX) return false;
    }
    if (rows.length < OUTBOX_READ_MAX) return refusals === 0;
    after = rows.at(-1);
  }
}

type Answer =
  | { readonly kind: "heard" }
  | { readonly kind: "refused" | "silent"; readonly error: unknown };

function deliver(row: SealedReceipt, { observer, tenant, clock }: CourierOptions): Promise<Answer> {
  const { name } = observer;
  return new Promise<Answer>((resolve) => {
    const drop = clock.after(OBSERVER_ANSWER_MS_MAX, () =>
      resolve({
        kind: "silent",
        error: new HostError("OBSERVER_SILENT", `the observer ${name} did not answer in time`),
      }),
    );
    const answer = async (): Promise<Answer> => {
      try {
        await observer.onReceiptSealed?.({ tenant, ...row });
        return { kind: "heard" };
      } catch (error) {
        return { kind: "refused", error };
      }
    };
    void answer().then((given) => {
      drop();
      resolve(given);
    });
  });
}
