/**
 * Development keys in a folder, made on first use.
 *
 * 1. `<key id>.pem` is a private key, `keys.json` the set of public keys with their times: a
 *    verifier takes it as it is.
 * 2. Folder and files are private; looser ones are refused.
 * 3. A private key is durable before the set names it, and is never overwritten.
 * 4. At most one key has no end: the signing key. Rotation ends it some time after the next begins,
 *    so that a process that is sealing with it can finish.
 * 5. A signer looks at the set before each seal: a process that outlives a rotation signs with the
 *    next key, and with none where no key is valid.
 */
import { join } from "node:path";
import { type Clock, SEALING_MS_MAX, systemClock } from "@turnseal/ports";
import { type PublicKey, parseKeys } from "@turnseal/protocol/receipts";
import { createKeyText, type KeySigner, readKeyText } from "./key-signer.ts";
import { KeysError } from "./keys-error.ts";
import { openPrivateFolder, readPrivateFile, writePrivateFile } from "./private-files.ts";
import { withLock } from "./with-lock.ts";

export interface FileKeysOptions {
  readonly folder: string;
  readonly clock?: Clock;
  /** How long a key that is rotated out stays valid. */
  readonly overlapMs?: number;
}

export interface FileKeys {
  /** The file that a verifier needs. */
  readonly publicKeysFile: string;
  /** The key that signs now. The first use of a folder makes one. */
  openSigner(): Promise<KeySigner>;
  /** Every key there was, the oldest first, each with its time. */
  listKeys(): Promise<readonly PublicKey[]>;
  /** Makes the next key. The one before stays valid for the overlap. */
  rotate(): Promise<PublicKey>;
}

/** How long a rotated key stays valid by default. */
export const OVERLAP_MS_DEFAULT = 24 * 60 * 60 * 1000;
/** How much earlier than it is made a key is valid: a clock may be set back a little. */
export const CLOCK_SLACK_MS = 5 * 60 * 1000;

/**
 * The keys of a folder.
 *
 * @example const signer = await fileKeys({ folder: ".turnseal/keys" }).openSigner();
 */
export function fileKeys(options: FileKeysOptions): FileKeys {
  const { folder, clock = systemClock, overlapMs = OVERLAP_MS_DEFAULT } = options;
  const publicKeysFile = join(folder, "keys.json");
  const change = <Result>(run: () => Promise<Result>): Promise<Result> =>
    withLock(join(folder, "keys.lock"), run);
  const listKeys = async (): Promise<readonly PublicKey[]> => {
    await openPrivateFolder(folder);
    return readKeySet(publicKeysFile);
  };
  const createKey = async (known: readonly PublicKey[]): Promise<PublicKey> => {
    const nowMs = clock.now();
    const key = await createKeyFile(folder, toInstant(nowMs - CLOCK_SLACK_MS));
    const ended = known.map((old) => endKey(old, toInstant(nowMs + overlapMs)));
    await writePrivateFile(
      publicKeysFile,
      `${JSON.stringify({ keys: [...ended, key] }, null, 2)}\n`,
    );
    return key;
  };
  const follow = (signer: KeySigner): KeySigner => {
    let latest = signer;
    const current = async (nowMs: number): Promise<KeySigner | undefined> => {
      const key = findValid(await listKeys(), nowMs);
      if (key !== undefined && key.keyId !== latest.keyId) latest = await openKeyFile(folder, key);
      return key === undefined ? undefined : { ...latest, current };
    };
    return { ...signer, current };
  };
  return {
    publicKeysFile,
    listKeys,
    openSigner: async () => {
      const current =
        findCurrent(await listKeys()) ??
        (await change(async () => {
          // Another process may have made the first key meanwhile.
          const known = await listKeys();
          return findCurrent(known) ?? (await createKey(known));
        }));
      return follow(await openKeyFile(folder, current));
    },
    rotate: async () => {
      await openPrivateFolder(folder);
      return change(async () => createKey(await listKeys()));
    },
  };
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

function findCurrent(keys: readonly PublicKey[]): PublicKey | undefined {
  return keys.findLast(({ validUntil }) => validUntil === undefined);
}

/** The newest key whose time it is, for long enough to seal with it. */
function findValid(keys: readonly PublicKey[], nowMs: number): PublicKey | undefined {
  const [from, until] = [toInstant(nowMs), toInstant(nowMs + SEALING_MS_MAX)];
  return keys.findLast(
    ({ validFrom, validUntil }) =>
      validFrom <= from && (validUntil === undefined || until <= validUntil),
  );
}

function endKey(key: PublicKey, validUntil: string): PublicKey {
  return key.validUntil === undefined ? { ...key, validUntil } : key;
}

async function readKeySet(path: string): Promise<readonly PublicKey[]> {
  const text = await readPrivateFile(path);
  if (text === undefined) return [];
  const keys = parseKeys(parseJson(text));
  if ("problem" in keys) throw new KeysError("KEYS_UNREADABLE", `${path}: ${keys.problem}`);
  return keys;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function createKeyFile(folder: string, validFrom: string): Promise<PublicKey> {
  const text = createKeyText();
  const signer = readKeyText(text, "development");
  if (signer === undefined) throw new KeysError("KEYS_UNREADABLE", "a new key cannot be read");
  const { keyId } = signer;
  await writePrivateFile(join(folder, `${keyId}.pem`), text);
  return { keyId, x: signer.x, issuer: "development", validFrom };
}

async function openKeyFile(folder: string, { keyId }: PublicKey): Promise<KeySigner> {
  const path = join(folder, `${keyId}.pem`);
  const text = await readPrivateFile(path);
  const signer = text === undefined ? undefined : readKeyText(text, "development");
  if (signer?.keyId === keyId) return signer;
  const what = text === undefined ? "is missing" : "does not hold the key of its name";
  throw new KeysError("KEYS_UNREADABLE", `${path} ${what}`);
}
