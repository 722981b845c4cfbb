/**
 * The keys of a store's folder: those that it makes for itself, and those that an environment
 * brought along.
 *
 * The public half of a key from the environment is noted when it signs, one file for each, so that
 * whoever has the store can verify what is in it.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  CLOCK_SLACK_MS,
  type FileKeys,
  fileKeys,
  type KeySigner,
  signerFromEnvironment,
} from "@turnseal/adapters/keys";
import type { Signer } from "@turnseal/ports";
import { type PublicKey, parseKeys } from "@turnseal/protocol/receipts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The signer that the environment names, or else the store's own. */
export async function openSigner(folder: string, environment: Environment): Promise<Signer> {
  const named = await signerFromEnvironment(environment);
  if (named === undefined) return openFileKeys(folder).openSigner();
  await noteKey(folder, named);
  return named;
}

/** Every key that has signed in this store, with the time of its use. */
export async function readPublicKeys(folder: string): Promise<readonly PublicKey[]> {
  return [...(await openFileKeys(folder).listKeys()), ...(await listNoted(folder))];
}

/** The keys that the store makes for itself. */
export function openFileKeys(folder: string): FileKeys {
  return fileKeys({ folder: join(folder, "keys") });
}

async function noteKey(folder: string, signer: KeySigner): Promise<void> {
  await mkdir(join(folder, "signers"), { recursive: true });
  const validFrom = new Date(Date.now() - CLOCK_SLACK_MS).toISOString();
  const { keyId, issuer } = signer;
  const key: PublicKey = { keyId, x: signer.x, issuer, validFrom };
  try {
    await writeFile(noteFile(folder, keyId), `${JSON.stringify(key)}\n`, { flag: "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
  }
}

async function listNoted(folder: string): Promise<PublicKey[]> {
  const names = await readdir(join(folder, "signers")).catch(() => []);
  const keys = await Promise.all(names.map((name) => readNote(join(folder, "signers", name))));
  return keys.flat();
}

/** A note that cannot be read is a key that nobody trusts. */
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
