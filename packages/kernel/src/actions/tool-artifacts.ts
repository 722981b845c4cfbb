/** The files outside that a tool reads and changes, while it runs. */
import { FILE_MODE_BITS, type FileRoot } from "@turnseal/ports";
import {
  ARTIFACTS_MAX,
  type FileState,
  findPathFault,
  type ManagedChanges,
} from "@turnseal/protocol/artifact";
import type {
  ArtifactChange,
  ArtifactRefusal,
  ArtifactWrite,
  ToolArtifacts,
} from "@turnseal/protocol/authoring";
import { LISTED } from "../cache/seen-files.ts";
import { ARTIFACT_BYTES_MAX, ARTIFACT_CHANGES_MAX } from "../limits.ts";
import { digestOfRead, type RecordedChanges, type RootArtifacts } from "../log/run-artifacts.ts";
import { type KeptBefore, keepFound, keepPrior, readPrior } from "./prior-file.ts";
import type { Redactor } from "./redact.ts";

export interface OpenArtifacts {
  readonly face: ToolArtifacts;
  /**
   * Accepts no further changes, and waits for those that have begun. Returns a function that
   * records the changes, once, in the tick that settles the tool; undefined without changes.
   */
  finish(): Promise<(() => RecordedChanges | undefined) | undefined>;
  close(): void;
}

export interface ArtifactPlace {
  /** Undefined where the tool declares no root, or there is no run. */
  readonly root: RootArtifacts | undefined;
  readonly isReadOnly: boolean;
  /** True where an earlier attempt may have changed files already. */
  readonly isRepeated: boolean;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  /**
   * Called with each file that the tool read and its digest, or why there was none, and with each
   * folder that it listed.
   */
  onRead(path: string, digest: string): void;
}

export function openToolArtifacts(place: ArtifactPlace): OpenArtifacts {
  const { root } = place;
  if (root === undefined) return NO_ARTIFACTS;
  let isOpen = true;
  // One after the other: each finds what the last has left, and the limits are those of all.
  let changing: Promise<unknown> = Promise.resolve();
  const made = openMade(place);
  const refuseAll = (path: string): ArtifactRefusal | undefined => {
    if (!isOpen || place.signal.aborted) return "ended";
    return typeof path !== "string" || findPathFault(path) !== undefined ? "path" : undefined;
  };
  const refuseChange = (path: string): ArtifactRefusal | undefined => {
    const reason = refuseAll(path) ?? (place.isReadOnly ? "read-only" : undefined);
    if (reason !== undefined) return reason;
    // A path is kept like what is written there.
    return place.redactor.isIn(new TextEncoder().encode(path)) ? "secret" : undefined;
  };
  const inTurn = (asked: Asked, work: () => Promise<ArtifactChange>): Promise<ArtifactChange> => {
    const next = changing.then(() => {
      const reason = refuseNow(place, made, asked);
      return reason === undefined ? work() : ({ kind: "refused", reason } as const);
    });
    changing = next.catch(() => {});
    return next;
  };
  const face: ToolArtifacts = {
    read: async (path) => {
      const reason = refuseAll(path);
      if (reason !== undefined) return { kind: "refused", reason };
      const read = await root.files.read(path);
      place.onRead(path, digestOfRead(read));
      if (read.kind === "refused") return read;
      return { kind: "read", bytes: read.bytes, ...pickSeen(read.state) };
    },
    list: async (folder, options = {}) => {
      const reason =
        folder === "" && isOpen && !place.signal.aborted ? undefined : refuseAll(folder);
      if (reason !== undefined) return { kind: "refused", reason };
      place.onRead(folder, LISTED);
      const listing = await root.files.list(folder, options);
      return listing.kind === "refused" ? listing : { kind: "listed", entries: listing.entries };
    },
    digestOf: (bytes) => root.seal(bytes).digest,
    write: async (path, bytes, options = {}) => {
      if (!(bytes instanceof Uint8Array))
        throw new TypeError("the bytes of a file are a Uint8Array");
      if (bytes.length > ARTIFACT_BYTES_MAX) return { kind: "refused", reason: "too-large" };
      // Copies first: the tool may go on writing to its own bytes.
      const kept = new Uint8Array(bytes);
      const { mode, expected } = options;
      const reason = refuseChange(path) ?? (place.redactor.isIn(kept) ? "secret" : undefined);
      if (reason !== undefined) return { kind: "refused", reason };
      return inTurn({ path, bytes: kept.length }, async () => {
        if ((await root.count()) + made.changes.size >= ARTIFACTS_MAX) return TOO_MANY;
        return writeFile(root, { path, bytes: kept, mode, expected, made });
      });
    },
    remove: async (path, { expected } = {}) => {
      const reason = refuseChange(path);
      if (reason !== undefined) return { kind: "refused", reason };
      return inTurn({ path, bytes: 0 }, () => removeFile(root, { path, expected, made }));
    },
  };
  return {
    face,
    finish: async () => {
      isOpen = false;
      await changing;
      if (made.changes.size === 0) return undefined;
      await root.prepare(made.changes);
      return () => {
        const recorded = root.record(made.changes, made.was);
        return recorded && { ...recorded, blobs: [...made.blobs.values(), ...recorded.blobs] };
      };
    },
    close: () => {
      isOpen = false;
    },
  };
}

/** The changes of one call so far: states by path, and contents by digest. */
interface Made extends KeptBefore {
  readonly changes: Map<string, FileState | null>;
}

function openMade({ isRepeated, redactor }: ArtifactPlace): Made {
  const kept = { changes: new Map(), was: new Map(), blobs: new Map(), bytes: 0 };
  return { ...kept, isRepeated, isSecret: redactor.isIn };
}

const TOO_MANY = { kind: "refused", reason: "too-many" } as const;

const refuse = async () => ({ kind: "refused", reason: "undeclared" }) as const;
const NO_ARTIFACTS: OpenArtifacts = {
  face: {
    ...{ read: refuse, list: refuse, write: refuse, remove: refuse },
    digestOf: () => {
      throw new TypeError("a tool without a root has no digests of files");
    },
  },
  finish: async () => undefined,
  close: () => {},
};

/** A change that waits for its turn. */
interface Asked {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Checks a change when its turn comes. A change requested before the tool answered is made, unless
 * the call has ended.
 */
function refuseNow(
  { signal }: ArtifactPlace,
  { changes, bytes: written }: Made,
  { path, bytes }: Asked,
): ArtifactRefusal | undefined {
  if (signal.aborted) return "ended";
  if (written + bytes > ARTIFACT_BYTES_MAX) return "too-large";
  return changes.size === ARTIFACT_CHANGES_MAX && !changes.has(path) ? "too-many" : undefined;
}

interface Writing {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
  readonly expected: ArtifactWrite["expected"];
  readonly made: Made;
}

async function writeFile(
  root: RootArtifacts,
  { path, bytes, mode: said, expected, made }: Writing,
): Promise<ArtifactChange> {
  const mode = said === undefined ? undefined : said & FILE_MODE_BITS;
  const blob = root.seal(bytes);
  const last = await lastState(root, path, made);
  const file = { bytes: blob.bytes, ...(mode === undefined ? {} : { mode }) };
  const wanted = expected ?? last?.digest ?? "absent";
  const prior = await readPrior(root, path, { wanted, last, made });
  if (prior === "too-large") return { kind: "refused", reason: "too-large" };
  const change = await root.files.write(path, file, wanted);
  if (change.kind === "refused") return change;
  // An earlier attempt may have come this far.
  const state =
    change.kind === "done" && change.state !== undefined
      ? change.state
      : await findDone(root.files, path, { digest: blob.digest, mode });
  if (state === undefined) return { kind: "changed" };
  if (change.kind === "done") keepPrior(prior, path, made);
  else keepFound(path, state, { wanted, last, made });
  made.changes.set(path, state);
  made.bytes += made.blobs.has(blob.digest) ? 0 : blob.size;
  made.blobs.set(blob.digest, blob);
  return { kind: "done" };
}

interface Removing {
  readonly path: string;
  readonly expected: ArtifactWrite["expected"];
  readonly made: Made;
}

async function removeFile(
  root: RootArtifacts,
  { path, expected: said, made }: Removing,
): Promise<ArtifactChange> {
  const last = await lastState(root, path, made);
  const expected = said ?? last?.digest;
  if (expected === undefined) return { kind: "refused", reason: "unmanaged" };
  if (expected !== "absent") {
    const prior = await readPrior(root, path, { wanted: expected, last, made });
    if (prior === "too-large") return { kind: "refused", reason: "too-large" };
    const change = await root.files.remove(path, expected);
    if (change.kind === "refused") return change;
    if (change.kind === "done") {
      keepPrior(prior, path, made);
      made.changes.set(path, null);
      return { kind: "done" };
    }
  }
  const there = await root.files.read(path);
  if (there.kind !== "refused" || there.reason !== "absent") return { kind: "changed" };
  keepFound(path, "absent", { wanted: expected, last, made });
  made.changes.set(path, null);
  return { kind: "done" };
}

/** Returns the state that this call gave a file, or else its recorded state. */
async function lastState(
  root: RootArtifacts,
  path: string,
  { changes }: { readonly changes: ManagedChanges },
): Promise<FileState | undefined> {
  const own = changes.get(path);
  return own === undefined ? root.find(path) : (own ?? undefined);
}

/** The state of a file that is already what it was to become. */
async function findDone(
  files: FileRoot,
  path: string,
  { digest, mode }: { readonly digest: string; readonly mode: number | undefined },
): Promise<FileState | undefined> {
  const there = await files.read(path);
  if (there.kind !== "read" || there.state.digest !== digest) return undefined;
  const isSame = mode === undefined || there.state.mode === undefined || there.state.mode === mode;
  return isSame ? there.state : undefined;
}

function pickSeen({ digest, mode }: FileState): Pick<FileState, "digest" | "mode"> {
  return mode === undefined ? { digest } : { digest, mode };
}
