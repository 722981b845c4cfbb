/** What a turn commits, in bytes, as recorded of a turn in the middle of a run. */
import { advance, bindHost } from "@turnseal/host";
import { type Append, memoryStores, type Stores, systemClock } from "@turnseal/ports";
import { canonicalize } from "@turnseal/protocol";
import { createSampleHost, createSigner, sampleLoops, startSampleRun } from "./sample-turn.ts";

const TURNS = 5;
/** A head row. */
const EPOCH_BYTES = 150;

/** The sizes of its commits, in order: with a slice of 0 they begin with the epoch. */
export async function recordCommits(sliceMs: number): Promise<number[]> {
  const stores = memoryStores(systemClock);
  let sizes: number[] = [];
  let last: number[] = [];
  const watched: Stores = {
    ...stores,
    log: {
      ...stores.log,
      takeEpoch: (run) => {
        sizes.push(EPOCH_BYTES);
        return stores.log.takeEpoch(run);
      },
      append: (append) => {
        sizes.push(sizeOf(append));
        if (append.receipt !== undefined) [last, sizes] = [sizes, []];
        return stores.log.append(append);
      },
    },
  };
  const signer = createSigner();
  const ports = bindHost({ ...sampleLoops, stores: watched, signer });
  const run = await startSampleRun(createSampleHost(watched, signer), TURNS);
  const messages = sliceMs === 0 ? TURNS : 1;
  for (let message = 0; message < messages; message++) await advance(run, ports, { sliceMs });
  return last;
}

function sizeOf({ events, blobs, receipt, snapshot }: Append): number {
  const texts = [...events, receipt?.envelope ?? {}, snapshot?.state ?? {}];
  const sum = texts.reduce((total, value) => total + canonicalize(value).length, 0);
  return blobs.reduce((total, { size }) => total + size, sum);
}
