/**
 * The own files of a tenant, in a folder of its name: its signing key, its rules, its secrets.
 *
 * 1. If a tenant's folder is missing or invalid, no other tenant's files are used: its runs wait.
 *    Only if allowed, a tenant without a folder is served with the worker's own files; and the
 *    place itself must allow it, since a lost mount looks like a place without folders.
 * 2. Only files inside the folder are read: neither the folder nor its entries may link elsewhere.
 * 3. A secret is read when a tool needs it, and kept nowhere.
 */
import { constants, promises } from "node:fs";
import { join, sep } from "node:path";
import { type KeySigner, signerFromEnvironment } from "@turnseal/adapters/keys";
import { SECRET_BYTES_MAX, type Secrets } from "@turnseal/ports";
import { isLoopError, isTenant, type Policy } from "@turnseal/protocol";
import { createRecent } from "./create-recent.ts";

const { lstat, open, realpath, stat } = promises;

export interface TenantFilesOptions {
  readonly folder: string;
  /** The issuer that its keys must name. */
  readonly issuer: "hosted" | "ci";
  /** True if a tenant without a folder is served with what the worker has. */
  readonly isOptional?: boolean;
  /** Reads rules from a file; undefined if they are refused. */
  readPolicy(file: string): Promise<Policy | undefined>;
}

export interface OwnParts {
  readonly signer: KeySigner;
  readonly policy?: Policy;
  readonly secrets: Secrets;
}

export type FoundFiles =
  /** The same object until something of it has changed. */
  | { readonly kind: "own"; readonly parts: OwnParts }
  | { readonly kind: "workers" }
  /** The problem, without the content of the files. */
  | { readonly kind: "refused"; readonly why: string };

export interface TenantFiles {
  find(tenant: string): Promise<FoundFiles>;
}

/** How long it is relied on that files are as they were. */
export const FILES_KEPT_MS = 3_000;
const KEY_FILE = "sign-key.pem";
const POLICY_FILES = ["policy.toml", "policy.json"] as const;
const SECRETS_FOLDER = "secrets";
/** Stands beside the folders of tenants where some may have none. */
const OPTIONAL_FILE = "some-have-none";
/** A key in PEM has some hundred bytes. */
const KEY_BYTES_MAX = 16 * 1024;
/** Bits that a private file must not have: its group may read it, as secrets are often mounted. */
const FOR_STRANGERS = 0o037;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

interface Known {
  readonly mark: string;
  readonly found: FoundFiles;
}

export function createTenantFiles(
  { folder, isOptional = false, ...reading }: TenantFilesOptions,
  now: () => number = Date.now,
): TenantFiles {
  const known = createRecent<{ readonly atMs: number; readonly looked: Promise<Known> }>();
  const findAbsent = async (): Promise<FoundFiles> => {
    if (!isOptional) return refused("it has no folder");
    const says = await stat(join(folder, OPTIONAL_FILE)).catch(() => undefined);
    return says?.isFile() === true
      ? { kind: "workers" }
      : refused(`it has no folder, and there is no file ${OPTIONAL_FILE}: is the mount lost?`);
  };
  const look = async (tenant: string, before: Promise<Known> | undefined): Promise<Known> => {
    try {
      const place = await findPlace(folder, tenant);
      if (place.kind !== "found")
        return { mark: "", found: place.kind === "none" ? await findAbsent() : place };
      const mark = await markOf(place.path);
      const last = await before;
      return last?.mark === mark ? last : { mark, found: await readParts(place.path, reading) };
    } catch {
      // The error of the system may name other files.
      return { mark: "", found: refused("a file cannot be read, or leads out of its folder") };
    }
  };
  return {
    find: async (tenant) => {
      const last = known.get(tenant);
      if (last !== undefined && now() - last.atMs < FILES_KEPT_MS) return (await last.looked).found;
      const looked = look(tenant, last?.looked);
      known.set(tenant, { atMs: now(), looked });
      return (await looked).found;
    },
  };
}

type Refused = Extract<FoundFiles, { kind: "refused" }>;
type Place =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "none" }
  | Refused;

function refused(why: string): Refused {
  return { kind: "refused", why };
}

/** The tenant's folder as it is on the disk. */
async function findPlace(folder: string, tenant: string): Promise<Place> {
  if (!isTenant(tenant)) return refused("it has no name of a tenant");
  const path = join(await realpath(folder), tenant);
  try {
    const isFolder = (await lstat(path)).isDirectory();
    return isFolder ? { kind: "found", path } : refused("its folder is a link, or a file");
  } catch (error) {
    if (isCode(error, "ENOENT")) return { kind: "none" };
    throw error;
  }
}

/** Changes with each file that is read once: a replaced file has another mark. */
async function markOf(place: string): Promise<string> {
  const marks: string[] = [];
  for (const name of [KEY_FILE, ...POLICY_FILES]) {
    const facts = await stat(join(place, name), { bigint: true }).catch(() => undefined);
    const { ino, size, mtimeNs, ctimeNs } = facts ?? {};
    marks.push(`${ino}:${size}:${mtimeNs}:${ctimeNs}`);
  }
  return marks.join(" ");
}

async function readParts(
  place: string,
  { issuer, readPolicy }: Pick<TenantFilesOptions, "issuer" | "readPolicy">,
): Promise<FoundFiles> {
  const key = await insideOf(place, KEY_FILE);
  if (key === undefined) return refused(`it has no ${KEY_FILE}`);
  const tooLarge = (await stat(key)).size > KEY_BYTES_MAX;
  if (tooLarge) return refused(`${KEY_FILE} is too large`);
  const policies = await Promise.all(POLICY_FILES.map((name) => insideOf(place, name)));
  const files = policies.filter((file) => file !== undefined);
  const [file] = files;
  if (files.length > 1) return refused("it has two policies");
  const policy = file === undefined ? undefined : await readPolicy(file);
  if (file !== undefined && policy === undefined) return refused("its policy is refused");
  const variables = { TURNSEAL_SIGN_KEY_FILE: key, TURNSEAL_SIGN_ISSUER: issuer };
  const signer = await openSigner(variables);
  if ("why" in signer) return refused(signer.why);
  const own = policy === undefined ? {} : { policy };
  return { kind: "own", parts: { signer, secrets: openSecrets(place), ...own } };
}

async function openSigner(
  variables: Readonly<Record<string, string>>,
): Promise<KeySigner | { readonly why: string }> {
  try {
    const signer = await signerFromEnvironment(variables);
    return signer ?? { why: `it has no ${KEY_FILE}` };
  } catch (error) {
    return { why: `${KEY_FILE} is refused${isLoopError(error) ? `: ${error.code}` : ""}` };
  }
}

/** Secrets, each a file of its name, without the end of its last line. */
function openSecrets(place: string): Secrets {
  return {
    read: async (name) => {
      if (!NAME.test(name)) return undefined;
      const path = await insideOf(place, SECRETS_FOLDER, name);
      if (path === undefined) return undefined;
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const facts = await file.stat();
        if (!facts.isFile() || (facts.mode & FOR_STRANGERS) !== 0 || facts.size > SECRET_BYTES_MAX)
          throw new RangeError("the file of a secret is open to others, too large, or none");
        return (await file.readFile("utf8")).replace(/\r?\n$/, "") || undefined;
      } finally {
        await file.close();
      }
    },
  };
}

/** Where a file of the folder is; undefined if it is not there. Throws where it is elsewhere. */
async function insideOf(place: string, ...names: readonly string[]): Promise<string | undefined> {
  let found: string;
  try {
    found = await realpath(join(place, ...names));
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
  if (!found.startsWith(`${place}${sep}`)) throw new RangeError("a file leads out of its folder");
  return found;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
