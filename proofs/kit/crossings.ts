/**
 * Ports that report each boundary: before and after everything that leaves the process. The
 * listener may end or freeze the process there; the kernel has no switch for it.
 */
import type { Append, Model, Signer, Stores } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";

/** Called at a boundary; for an append also with its content. A returned promise is awaited. */
export type OnCrossing = (place: string, append?: Append) => void | Promise<void>;

async function between<Value>(
  onCrossing: OnCrossing,
  place: string,
  act: () => Value | Promise<Value>,
): Promise<Value> {
  await onCrossing(`before ${place}`);
  const value = await act();
  await onCrossing(`after ${place}`);
  return value;
}

export function watchStores(stores: Stores, onCrossing: OnCrossing): Stores {
  const { log, inbox, blobs, receipts, runs } = stores;
  return {
    log: {
      ...log,
      takeEpoch: (run) => between(onCrossing, "epoch", () => log.takeEpoch(run)),
      append: async (append) => {
        await onCrossing("before append", append);
        const answer = await log.append(append);
        await onCrossing("after append", append);
        return answer;
      },
    },
    inbox,
    blobs: {
      ...blobs,
      put: (run, blob) => between(onCrossing, "blob", () => blobs.put(run, blob)),
      keepKey: (run, key) => between(onCrossing, "key", () => blobs.keepKey(run, key)),
    },
    receipts,
    runs,
  };
}

export function watchModel(model: Model, onCrossing: OnCrossing): Model {
  return {
    ...model,
    generate: (request) => between(onCrossing, "model", () => model.generate(request)),
  };
}

export function watchSigner(signer: Signer, onCrossing: OnCrossing): Signer {
  return { ...signer, sign: (data) => between(onCrossing, "sign", () => signer.sign(data)) };
}

export function watchLoop(
  loop: Loop<never, unknown>,
  onCrossing: OnCrossing,
): Loop<never, unknown> {
  const { run, declared } = loop;
  const { reconcile } = declared ?? {};
  return {
    ...loop,
    ...(run === undefined
      ? {}
      : { run: (...given) => between(onCrossing, "tool", () => run(...given)) }),
    ...(declared === undefined || reconcile === undefined
      ? {}
      : {
          declared: {
            ...declared,
            reconcile: (...asked) => between(onCrossing, "reconcile", () => reconcile(...asked)),
          },
        }),
  };
}
