/**
 * Opens the parts of a deployment: the book of releases in the database, and the engine's
 * administration.
 */
import type { ReleaseBook } from "@turnseal/adapters/postgres";
import {
  createEngineAdmin,
  type EngineAdmin,
  loadPeers,
  type Peers,
} from "@turnseal/runtime/engine";
import { readPerson } from "@turnseal/runtime/folder";

export interface DeployPlace {
  readonly admin: string;
  readonly postgres: string;
}

export interface OpenedDeploy {
  readonly admin: EngineAdmin;
  readonly book: ReleaseBook;
  readonly peers: Extract<Peers, { kind: "loaded" }>;
}

/** Opens both; throws where the libraries are missing, which `loadPeers` says before. */
export async function openDeploy({ admin, postgres }: DeployPlace): Promise<OpenedDeploy> {
  const peers = await loadPeers();
  if (peers.kind === "missing") throw new Error(`${peers.message}: ${peers.next}`);
  const book = await peers.openReleaseBook({ url: postgres, by: readPerson() });
  return { admin: createEngineAdmin(admin), book, peers };
}
