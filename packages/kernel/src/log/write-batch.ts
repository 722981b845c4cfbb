/** The queue between two flushes, and how it becomes durable. */
import {
  type Append,
  type AppendAnswer,
  type Blob,
  INLINE_BLOB_BYTES_MAX,
  type StoredReceipt,
  type Stores,
} from "@turnseal/ports";
import type { Head, LoopEvent } from "@turnseal/protocol";
import { LogError } from "./log-error.ts";

export type Batch = Pick<Append, "after" | "snapshot" | "graph"> & {
  readonly events: LoopEvent[];
  readonly blobs: Blob[];
  readonly consumed: string[];
  receipt?: StoredReceipt;
};

export function emptyBatch(after: Head): Batch {
  return { after, events: [], blobs: [], consumed: [] };
}

/** Whether it was there already, and whether the inbox is empty. */
type Written = Exclude<AppendAnswer, { readonly kind: "fenced" | "conflict" }>;

interface BatchOwner {
  readonly run: string;
  readonly epoch: number;
  readonly stores: Stores;
  readonly attempt: AbortSignal | undefined;
}

/** Writes a batch as one append, large blobs before it. */
export async function writeBatch(
  { run, epoch, stores, attempt }: BatchOwner,
  batch: Batch,
): Promise<Written> {
  if (attempt?.aborted === true) throw new LogError("LOG_FENCED", "this attempt is over");
  const small: Blob[] = [];
  for (const blob of batch.blobs) {
    if (blob.size <= INLINE_BLOB_BYTES_MAX) small.push(blob);
    else await stores.blobs.put(run, blob);
  }
  const answer = await stores.log.append({ run, epoch, ...batch, blobs: small });
  if (answer.kind === "fenced") {
    throw new LogError("LOG_FENCED", `epoch ${epoch} is over: epoch ${answer.epoch} owns the run`);
  }
  if (answer.kind === "conflict") {
    throw new LogError(
      "LOG_CONFLICT",
      `the log stands at ${answer.head.sequence}, not at ${batch.after.sequence}`,
    );
  }
  return answer;
}
