/** Where the runs of a program are: in memory, in a folder, in a database, or in given stores. */
import { type KeySigner, memoryKey } from "@turnseal/adapters/keys";
import { HostError } from "@turnseal/host";
import { memoryStores, type Stores, systemClock } from "@turnseal/ports";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { openSigner, readPublicKeys } from "./keys/open-keys.ts";
import { createStoreFolder, STORE_FOLDER } from "./store-folder.ts";

export const IN_MEMORY = ":memory:";

export interface RunStore {
  readonly stores: Stores;
  openSigner(environment: Readonly<Record<string, string | undefined>>): Promise<KeySigner>;
  /** The keys that signed here before. */
  readKeys(): Promise<readonly PublicKey[]>;
  close(): Promise<void>;
}

/**
 * Opens a folder by its path, a PostgreSQL database by its address, or memory. Given stores are
 * closed by their owner.
 */
export async function openRunStore(
  store: string | Stores | undefined,
  tenant: string,
): Promise<RunStore> {
  if (typeof store === "object") return { ...withFolderKeys(STORE_FOLDER), stores: store };
  if (store === IN_MEMORY)
    return {
      stores: memoryStores(systemClock),
      openSigner: async () => memoryKey(),
      readKeys: async () => [],
      close: async () => {},
    };
  // A folder of this name is almost never meant, and would keep what should not be kept.
  if (store === "memory" || store === "postgres")
    throw new HostError(
      "DRIVER_MISSING",
      `the store "${store}" is neither an address nor a path: give "${IN_MEMORY}", an address ` +
        `that begins with postgres://, or "./${store}" for a folder`,
    );
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(store ?? "") ?? [];
  if (store !== undefined && /^postgres(ql)?$/.test(scheme ?? "")) {
    const { openPostgresStores } = await loadDriver(() => import("@turnseal/adapters/postgres"));
    const stores = await openPostgresStores({ url: store, tenant });
    return { ...withFolderKeys(STORE_FOLDER), stores, close: () => stores.close() };
  }
  // Else the address, with its password, would become the name of a folder.
  if (scheme !== undefined)
    throw new HostError(
      "DRIVER_MISSING",
      `there is no store for ${scheme}: give a folder, "${IN_MEMORY}", or an address that begins ` +
        "with postgres://",
    );
  const { path, stores } = await createStoreFolder(store);
  return { ...withFolderKeys(path), stores, close: async () => stores.close() };
}

function withFolderKeys(folder: string): Omit<RunStore, "stores"> {
  return {
    openSigner: (environment) => openSigner(folder, environment),
    readKeys: () => readPublicKeys(folder),
    close: async () => {},
  };
}

/** Loads a database's driver, which users install on demand. */
export async function loadDriver<Driver>(load: () => Promise<Driver>): Promise<Driver> {
  try {
    return await load();
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    throw new HostError(
      "DRIVER_MISSING",
      "a store in PostgreSQL needs a package that is not installed: npm install pg",
    );
  }
}
