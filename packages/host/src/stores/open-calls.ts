/** Opens the caches of calls: in the memory of the host, and in the store. */
import type { CallIndexes, KeyedCalls } from "@turnseal/kernel";
import { type CallCache, type Ids, memoryCallCache, type Stores } from "@turnseal/ports";
import { fromHex, sha256Hex } from "@turnseal/protocol";

export function openCalls({ calls, blobs }: Stores, ids: Ids): CallIndexes {
  const open = (index: CallCache): KeyedCalls => ({ index, blobs, key: keepOnce(index, ids) });
  return {
    ephemeral: open(memoryCallCache()),
    ...(calls === undefined ? {} : { persistent: open(calls) }),
  };
}

/** The key of an index is read on demand, and once. A missing index stays missing. */
function keepOnce(index: CallCache, ids: Ids): () => Promise<Uint8Array> {
  let kept: Promise<Uint8Array> | undefined;
  return () => {
    kept ??= index.keepKey(createKey(ids)).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

/** 256 bits from two ids: random where ids are. */
function createKey(ids: Ids): Uint8Array {
  return fromHex(sha256Hex(`${ids.create("calls/key/0")}${ids.create("calls/key/1")}`));
}
