/**
 * Why a worker should not be relied on now, as a reason that an operator can act upon; undefined
 * when nothing is wrong.
 *
 * The engine is asked only if its admin address is known.
 */
import type { Release } from "@turnseal/host";
import type { EngineAdmin, Peers } from "@turnseal/runtime/engine";
import type { Tenants } from "./tenants/open-tenants.ts";
import type { Refusals } from "./watch/watch-refusals.ts";

export interface ReadinessParts {
  readonly peers: Extract<Peers, { kind: "loaded" }>;
  readonly tenants: Pick<Tenants, "findTrouble" | "findUnserved" | "listReleases">;
  readonly release: Release;
  readonly uri: string;
  readonly admin: EngineAdmin | undefined;
  /** Requests whose signature was refused since one was taken. */
  readonly refusals: Pick<Refusals, "whyRefused" | "hasLeftOnce" | "isAway">;
}

export async function findUnready(parts: ReadinessParts): Promise<string | undefined> {
  const { tenants, admin, refusals } = parts;
  const trouble = await tenants.findTrouble().catch(() => "the database does not answer");
  if (trouble !== undefined) return trouble;
  const unserved = tenants.findUnserved();
  if (unserved !== undefined)
    return `runs of tenant ${unserved} came, and this worker does not serve it`;
  if (refusals.isAway()) return refusals.whyRefused();
  if (admin === undefined) return undefined;
  if (!(await admin.hasLeaders()))
    return "the engine does not answer, or has partitions without a leader";
  const misplaced = await findMisplaced(parts);
  if (misplaced !== undefined) return misplaced;
  return findUndeployed(parts, admin).catch(() => "the engine's admin API does not answer");
}

/** A worker of this release at another's address would get requests that it cannot execute. */
async function findMisplaced({
  tenants,
  release: { name },
  uri,
}: ReadinessParts): Promise<string | undefined> {
  const registered = await tenants.listReleases();
  const here = registered.filter((each) => each.uri === uri);
  const [other] = here;
  if (other === undefined || here.some((each) => each.name === name)) return undefined;
  return `release ${other.name} is registered at ${uri}, and this worker is of release ${name}`;
}

async function findUndeployed(
  { peers, release, uri, refusals }: ReadinessParts,
  admin: EngineAdmin,
): Promise<string | undefined> {
  if (refusals.whyRefused() !== undefined) {
    // Anyone can send a refused request: only the engine itself can confirm that it sent one. Where
    // it asks a worker beside this one, that says nothing of this one.
    const isRefused = await admin.discover(uri).then(
      () => false,
      () => true,
    );
    const why = refusals.whyRefused();
    if (why !== undefined && (isRefused || refusals.hasLeftOnce())) return why;
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
