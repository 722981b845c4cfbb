import { type Backoff, backoffMs, pause } from "./backoff.ts";
import { readStream, type StreamReading } from "./read-stream.ts";
import type { ServerAddress } from "./server-address.ts";
import type { ServerRefusal } from "./server-refusal.ts";

/** Where a client stands with its server. */
export type Connection =
  | { readonly kind: "closed" }
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** Lost, and tried again after a while. */
  | { readonly kind: "waiting" }
  /** The server said no; nothing is tried until somebody connects again. */
  | { readonly kind: "refused"; readonly refusal: ServerRefusal };

export interface StreamWatch {
  readonly backoff?: Backoff | undefined;
  readonly silenceMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly take: StreamReading["take"];
  /** The last event that is known now. */
  after(): string | undefined;
  /** True when nothing can follow, so that a closed stream is complete. */
  isOver(): boolean;
  changed(connection: Connection): void;
}

/** Connects, and connects again, until the signal, the end of the run, or a refusal. */
export async function watchStream(address: ServerAddress, watch: StreamWatch): Promise<void> {
  const { signal, silenceMs, changed } = watch;
  let failures = 0;
  let isAfterRefused = false;
  while (!signal.aborted) {
    changed({ kind: "connecting" });
    const after = isAfterRefused ? undefined : watch.after();
    const end = await readStream(address, {
      after,
      signal,
      ...(silenceMs === undefined ? {} : { silenceMs }),
      opened: () => changed({ kind: "open" }),
      take: (frames) => {
        failures = 0;
        isAfterRefused = false;
        if (!signal.aborted) watch.take(frames);
      },
    });
    if (signal.aborted) return;
    if (end.kind === "complete" && watch.isOver()) return changed({ kind: "closed" });
    if (end.kind === "refused") {
      // From the beginning everything can be had: what is known already is recognized.
      const isRefusedPlace = after !== undefined && ![401, 403, 404].includes(end.refusal.status);
      if (!isRefusedPlace) return changed(end);
      isAfterRefused = true;
    }
    changed({ kind: "waiting" });
    const askedMs = end.kind === "lost" ? end.waitMs : 0;
    await pause(Math.max(askedMs, backoffMs(failures, Math.random(), watch.backoff)), signal);
    failures += 1;
  }
}
