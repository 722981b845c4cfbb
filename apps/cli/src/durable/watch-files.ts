/** Tells when files have changed: looked at again and again, since there are few of them. */
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The pause between two looks at the files. */
const WATCH_MS = 300;

export interface WatchOptions {
  /** The files that count now; a path that is gone is none. */
  readonly list: () => Promise<readonly string[]>;
  /** Called once for each change, when nothing has changed any more since the last look. */
  readonly onChange: () => Promise<void>;
  readonly stop: AbortSignal;
}

/** Watches until it is stopped. */
export async function watchFiles({ list, onChange, stop }: WatchOptions): Promise<void> {
  let known = await stamp(await list());
  let before = known;
  while (await waitOnce(stop)) {
    const now = await stamp(await list());
    // An editor writes in several steps: what still changes is not read yet.
    if (now === before && now !== known) {
      known = now;
      await onChange();
      // The list of files may have changed with the read; a change meanwhile shows in the time of a
      // file.
    } else before = now;
  }
}

function waitOnce(stop: AbortSignal): Promise<boolean> {
  return sleep(WATCH_MS, !stop.aborted, { signal: stop }).catch(() => false);
}

async function stamp(files: readonly string[]): Promise<string> {
  const stats = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  const seen = files.map((file, index) => [file, stats[index]?.mtimeMs, stats[index]?.size]);
  return JSON.stringify(seen.sort());
}
