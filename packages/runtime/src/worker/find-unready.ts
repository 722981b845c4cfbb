/**
 * Why a worker should not be relied on now, as a reason that an operator can act upon; undefined
 * when nothing is wrong.
 *
 * What only the engine's administration knows is asked where its address was given.
 */
import type { Release } from "@turnseal/host";
import type { EngineAdmin } from "../engine/engine-admin.ts";
import type { Peers } from "../engine/load-peers.ts";
import type { Tenants } from "./open-tenants.ts";

export interface ReadinessParts {
  readonly peers: Extract<Peers, { kind: "loaded" }>;
  readonly tenants: Pick<Tenants, "findTrouble" | "findUnserved">;
  readonly release: Release;
  readonly uri: string;
  readonly admin: EngineAdmin | undefined;
  /** Requests that were not signed with a key that is known, since the engine was last asked. */
  readonly refusals: Refusals;
}

export interface Refusals {
  count: number;
}

export async function findUnready(parts: ReadinessParts): Promise<string | undefined> {
  const { tenants, admin } = parts;
  const trouble = await tenants.findTrouble().catch(() => "the database does not answer");
  if (trouble !== undefined) return trouble;
  const unserved = tenants.findUnserved();
  if (unserved !== undefined)
    return `runs of tenant ${unserved} came, and this worker does not serve it`;
  if (admin === undefined) return undefined;
  if (!(await admin.hasLeaders()))
    return "the engine does not answer, or has partitions without a leader";
  return findUndeployed(parts, admin).catch(() => "the engine's admin API does not answer");
}

async function findUndeployed(
  { peers, release, uri, refusals }: ReadinessParts,
  admin: EngineAdmin,
): Promise<string | undefined> {
  if (refusals.count > 0) {
    // Anybody can send what is refused: only the engine itself can say that it was one of them.
    const isRefused = await admin.discover(uri).then(
      () => false,
      () => true,
    );
    if (isRefused) return "the engine signs with an identity key that this worker does not know";
    refusals.count = 0;
  }
  const { name } = release;
  const own = await admin.findService(peers.formatReleaseService(name));
  if (own === undefined) return `release ${name} is not registered`;
  const runs = await admin.findService(peers.RUN_OBJECT);
  const promoted = runs?.metadata[peers.RELEASE_METADATA];
  if (promoted === name) {
    const lanes = await admin.findService(peers.LANE_OBJECT);
    // A version that had none may have promoted the same loops.
    return lanes?.deployment === runs?.deployment
      ? undefined
      : `the engine does not know the lanes of release ${name}: promote it again`;
  }
  return `release ${name} is not the promoted one: ${promoted ?? "none with a name"} is`;
}
