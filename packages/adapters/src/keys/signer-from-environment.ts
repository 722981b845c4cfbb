/**
 * The signer that an environment names, for a server or a CI job.
 *
 * 1. All or none: a key without an issuer, or an issuer without a key, is an error and never a
 *    development key.
 * 2. The environment is an argument: nothing here reads that of the process.
 * 3. No message repeats a value.
 * 4. The issuer says once, for all workers, when a key is in use; a worker's first use never
 *    decides it. Absent times are no limit.
 */
import { SEALING_MS_MAX } from "@turnseal/ports";
import { isInstant } from "@turnseal/protocol";
import { DEMO_KEY, fromBase64 } from "@turnseal/protocol/receipts";
import { type KeySigner, readKeyText, readSeed, SEED_BYTES } from "./key-signer.ts";
import { KeysError } from "./keys-error.ts";
import { readPrivateFile } from "./private-files.ts";
import {
  type Environment,
  ISSUER_VARIABLE,
  KEY_FILE_VARIABLE,
  readVariable,
  SEED_VARIABLE,
  VALID_FROM_VARIABLE,
  VALID_UNTIL_VARIABLE,
} from "./signing-variables.ts";

/**
 * Bits that the key file of a server must not have: its group may read it, as secrets are often
 * mounted.
 */
const FOR_STRANGERS = 0o037;

/** The signer, or undefined when none of the variables is set. */
export async function signerFromEnvironment(
  environment: Environment,
): Promise<KeySigner | undefined> {
  const file = readVariable(environment, KEY_FILE_VARIABLE);
  const seed = readVariable(environment, SEED_VARIABLE);
  const issuer = readVariable(environment, ISSUER_VARIABLE);
  if (file === undefined && seed === undefined && issuer === undefined) return undefined;
  if (file !== undefined && seed !== undefined)
    throw settings(`${KEY_FILE_VARIABLE} and ${SEED_VARIABLE} are both set: keep one`);
  if (issuer !== "hosted" && issuer !== "ci")
    throw settings(`${ISSUER_VARIABLE} must be hosted or ci where a signing key is set`);
  const times = readTimes(environment);
  if (file !== undefined) return limit(refuseDemo(await readFile(file, issuer)), times);
  if (seed !== undefined) return limit(refuseDemo(readSeedText(seed, issuer)), times);
  throw settings(
    `${ISSUER_VARIABLE} is set without a key: set ${KEY_FILE_VARIABLE} or ${SEED_VARIABLE}`,
  );
}

type Times = Pick<KeySigner, "validFrom" | "validUntil">;

function readTimes(environment: Environment): Times {
  const validFrom = readInstant(environment, VALID_FROM_VARIABLE);
  const validUntil = readInstant(environment, VALID_UNTIL_VARIABLE);
  if (validFrom !== undefined && validUntil !== undefined && validUntil < validFrom)
    throw settings(`${VALID_UNTIL_VARIABLE} is before ${VALID_FROM_VARIABLE}`);
  return {
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validUntil === undefined ? {} : { validUntil }),
  };
}

function readInstant(environment: Environment, name: string): string | undefined {
  const text = readVariable(environment, name);
  if (text === undefined) return undefined;
  if (!isInstant(text)) throw settings(`${name} is no instant such as 2026-01-31T12:00:00.000Z`);
  return text;
}

/** A signer that signs only in its time. */
function limit(signer: KeySigner, times: Times): KeySigner {
  const { validFrom, validUntil } = times;
  const limited: KeySigner = {
    ...signer,
    ...times,
    current: async (nowMs) => {
      const isBegun = validFrom === undefined || nowMs >= Date.parse(validFrom);
      const isOver = validUntil !== undefined && nowMs + SEALING_MS_MAX > Date.parse(validUntil);
      return isBegun && !isOver ? limited : undefined;
    },
  };
  return limited;
}

async function readFile(path: string, issuer: "hosted" | "ci"): Promise<KeySigner> {
  const text = await readPrivateFile(path, FOR_STRANGERS);
  if (text === undefined) throw settings(`the file that ${KEY_FILE_VARIABLE} names is not there`);
  const signer = readKeyText(text, issuer);
  if (signer === undefined)
    throw settings(`the file that ${KEY_FILE_VARIABLE} names holds no Ed25519 key in PKCS8 PEM`);
  return signer;
}

function readSeedText(text: string, issuer: "hosted" | "ci"): KeySigner {
  const seed = fromBase64(text);
  const signer = seed?.length === SEED_BYTES ? readSeed(seed, issuer) : undefined;
  if (signer === undefined) throw settings(`${SEED_VARIABLE} is not 32 bytes in base64`);
  return signer;
}

/** Anyone can sign with the key of the examples, so it is no hosted key under any name. */
function refuseDemo(signer: KeySigner): KeySigner {
  if (signer.x === DEMO_KEY.x)
    throw settings("the signing key is the published one of the examples: make one of your own");
  return signer;
}

function settings(message: string): KeysError {
  return new KeysError("KEYS_SETTINGS", message);
}
