/**
 * Things outside that only a tool can change, as a root: a function says what each is now. The root
 * changes nothing. A tool that has changed a thing reports its new state, which is recorded if it
 * is true.
 */
import type { ArtifactDigest, ObservedEntry } from "@turnseal/protocol/artifact";
import { checkPath } from "./check-path.ts";
import {
  type FileHint,
  type FileRead,
  type FileRoot,
  ROOT_FILE_BYTES_MAX,
  SCAN_ENTRIES_MAX,
} from "./file-root.ts";

/** The bytes of a thing now; null where there is none. Throws where that is unknown. */
export type InspectThing = (name: string, signal: AbortSignal) => Promise<Uint8Array | null>;

export interface InspectedRootOptions {
  readonly inspect: InspectThing;
  /** How long one thing may take. A function that ignores the signal is abandoned then. */
  readonly withinMs: number;
  readonly digest: (bytes: Uint8Array) => ArtifactDigest;
  /** How long a look at many may take; the state of the rest is unknown then. */
  readonly lookWithinMs?: number;
  /** How often watchers should look, since such a root reports no changes. */
  readonly lookEveryMs?: number;
}

/** Things that are inspected at the same time. */
const ASKED_AT_ONCE = 8;
const LOOK_EVERY_MS = 30_000;
const LOOK_WITHIN_MS = 30_000;

export function inspectedRoot({
  inspect,
  withinMs,
  digest,
  lookWithinMs = LOOK_WITHIN_MS,
  lookEveryMs = LOOK_EVERY_MS,
}: InspectedRootOptions): FileRoot {
  const read = async (name: string): Promise<FileRead> => {
    checkPath(name);
    try {
      const signal = AbortSignal.timeout(withinMs);
      const bytes = await Promise.race([inspect(name, signal), untilAborted(signal)]);
      if (bytes === null) return { kind: "refused", reason: "absent" };
      if (bytes.length > ROOT_FILE_BYTES_MAX) return { kind: "refused", reason: "too-large" };
      return { kind: "read", bytes, state: { digest: digest(bytes), bytes: bytes.length } };
    } catch {
      // The failure text of a service is not repeated.
      return { kind: "refused", reason: "denied" };
    }
  };
  const look = (names: readonly string[]) => {
    const endMs = performance.now() + lookWithinMs;
    return observeAll(names, async (name) =>
      performance.now() < endMs ? read(name) : { kind: "refused", reason: "denied" },
    );
  };
  return {
    scan: async ({ paths = [] }) => {
      const names = [...new Set(paths)];
      if (names.length > SCAN_ENTRIES_MAX) return { kind: "refused", reason: "too-many" };
      return { kind: "scanned", entries: await look(names), unnamed: 0 };
    },
    // Things are known by name alone.
    list: async () => ({ kind: "refused", reason: "denied" }),
    read,
    write: async () => ({ kind: "changed" }),
    remove: async () => ({ kind: "changed" }),
    watch: async (listener: (hint: FileHint) => void) => {
      const timer = setInterval(() => listener({ kind: "unsure" }), lookEveryMs);
      return () => clearInterval(timer);
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function observeAll(
  names: readonly string[],
  read: (name: string) => Promise<FileRead>,
): Promise<readonly ObservedEntry[]> {
  const entries: ObservedEntry[] = [];
  const waiting = names.values();
  const askNext = async (): Promise<void> => {
    for (const path of waiting) {
      const found = await read(path);
      if (found.kind === "read") entries.push({ kind: "file", path, ...found.state });
      else if (found.reason !== "absent") entries.push({ kind: "unread", path, reason: "denied" });
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
  return entries;
}
