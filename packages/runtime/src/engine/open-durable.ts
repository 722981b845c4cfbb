/** Runs under an engine, as a command has them: told through the engine, read from the database. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { TENANT_DEFAULT } from "../defaults.ts";
import { recentReleases } from "../folder/recent-releases.ts";
import { STORE_FOLDER, type StoreOpening } from "../folder/store-folder.ts";
import type { RunPlace } from "../run-place.ts";
import { loadPeers } from "./load-peers.ts";
import { postJson } from "./post-json.ts";

/** Opens the database, and the way through the engine. */
export async function openDurable(place: RunPlace): Promise<StoreOpening> {
  const { host = "", postgres, tenant = TENANT_DEFAULT } = place;
  const ingress = parseAddress(host);
  // What was said instead may hold a password.
  if (ingress === undefined)
    return unusable(
      "--host must be the http or https URL of the engine, without user name and password",
      "--host http://127.0.0.1:8080",
    );
  if (postgres === undefined)
    return unusable(
      "with --host the database is needed, too",
      "--postgres postgres://user@host/database, or TURNSEAL_POSTGRES_URL",
    );
  const peers = await loadPeers();
  if (peers.kind === "missing") return unusable(peers.message, peers.next);
  const { openPostgresStores, createIngress } = peers;
  const path = await createDurableFolder(place.store);
  const stores = await openPostgresStores({ url: postgres, tenant });
  const { put, look } = createIngress({ ingress, tenant, post: postJson });
  const refuse = async (): Promise<never> => {
    throw new Error("only a worker carries a run");
  };
  return {
    kind: "open",
    path,
    stores: {
      ...stores,
      log: { ...stores.log, takeEpoch: refuse, append: refuse },
      inbox: { ...stores.inbox, put },
    },
    engine: {
      lists: stores.lists,
      look,
      listReleases: recentReleases(() => stores.listReleases()),
    },
    newest: async (before) => {
      const page = await stores.lists.listNewest(before);
      return page.map((snapshot) => ({ run: snapshot.run, snapshot }));
    },
  };
}

/** Where keys and notes of runs under an engine are: apart from those of local ones. */
export async function createDurableFolder(named: string | undefined): Promise<string> {
  const folder = resolve(named ?? STORE_FOLDER);
  const path = join(folder, "durable");
  await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, ".gitignore"), "*\n");
  return path;
}

/** An address without the slash at its end, which a path follows, and without a secret in it. */
export function parseAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return url.href.replace(/\/$/, "");
}

function unusable(message: string, next: string): StoreOpening {
  return { kind: "unusable", message, next };
}
