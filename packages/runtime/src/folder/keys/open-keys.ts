/**
 * The keys of a store's folder: its own, and those from an environment.
 *
 * When a key from the environment signs, its public half is noted, one file for each, so that the
 * store alone is enough to verify its receipts. Its time comes from the environment, the same in
 * every folder: the day when a folder first saw it says nothing about receipts sealed elsewhere.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type FileKeys,
  fileKeys,
  type KeySigner,
  signerFromEnvironment,
} from "@turnseal/adapters/keys";
import type { Signer } from "@turnseal/ports";
import { type PublicKey, parseKeys } from "@turnseal/protocol/receipts";

/** The start of use is unknown. */
const NO_BEGIN = "1970-01-01T00:00:00.000Z";

type Environment = Readonly<Record<string, string | undefined>>;

/** The signer that the environment names, or else the store's own. */
export async function openSigner(folder: string, environment: Environment): Promise<KeySigner> {
  const named = await signerFromEnvironment(environment);
  if (named === undefined) return openFileKeys(folder).openSigner();
  try {
    await noteKey(folder, named);
  } catch (error) {
    // A note is for verifiers on this machine; a read-only store has none.
    if (!isUnwritable(error)) throw error;
  }
  return named;
}

const unwritable: ReadonlySet<unknown> = new Set(["EROFS", "EACCES", "EPERM", "ENOENT"]);

/** A folder that cannot be made or written: on a read-only system Node may also find no parent. */
export function isUnwritable(error: unknown): boolean {
  return error instanceof Error && "code" in error && unwritable.has(error.code);
}

/** Every key that has signed in this store, with the time of its use. */
export async function readPublicKeys(folder: string): Promise<readonly PublicKey[]> {
  return [...(await openFileKeys(folder).listKeys()), ...(await listNoted(folder))];
}

/** The keys that the store makes for itself. */
export function openFileKeys(folder: string): FileKeys {
  return fileKeys({ folder: join(folder, "keys") });
}

/** The public half of a signer's key; undefined if the signer does not tell it. */
export function toPublicKey(signer: Signer & Partial<KeySigner>): PublicKey | undefined {
  const { keyId, x: encodedKey, issuer, validFrom = NO_BEGIN, validUntil } = signer;
  if (encodedKey === undefined) return undefined;
  const until = validUntil === undefined ? {} : { validUntil };
  return { keyId, x: encodedKey, issuer, validFrom, ...until };
}

async function noteKey(folder: string, signer: KeySigner): Promise<void> {
  await mkdir(join(folder, "signers"), { recursive: true });
  const key = toPublicKey(signer);
  const file = noteFile(folder, signer.keyId);
  // A concurrent reader gets the earlier file, whole.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(key)}\n`);
  await rename(draft, file);
}

async function listNoted(folder: string): Promise<PublicKey[]> {
  const found = await readdir(join(folder, "signers")).catch(() => []);
  const names = found.filter((name) => name.endsWith(".json"));
  const keys = await Promise.all(names.map((name) => readNote(join(folder, "signers", name))));
  return keys.flat();
}

/** An unreadable note is an untrusted key. */
async function readNote(file: string): Promise<readonly PublicKey[]> {
  try {
    const keys = parseKeys({ keys: [JSON.parse(await readFile(file, "utf8"))] });
    return "problem" in keys ? [] : keys;
  } catch {
    return [];
  }
}

function noteFile(folder: string, keyId: string): string {
  return join(folder, "signers", `${keyId}.json`);
}
