import { listPreferred, toRelease } from "@turnseal/runtime/folder";
import { askRelease, type ReleasePlace } from "./ask-release.ts";
import { countNeeding } from "./count-needing.ts";
import type { OpenedDeploy } from "./open-deploy.ts";

export interface ReleaseStatus {
  readonly name: string;
  readonly uri: string;
  readonly state: "promoted" | "registered" | "draining" | "unknown to the engine";
  readonly loops: number;
  readonly registeredAt: string;
  /** Unfinished runs that only this release can drive. */
  readonly needed: number;
  /** The release of the workers that answer at its address; null if none does. */
  readonly answers: string | null;
}

export interface DeployStatus {
  readonly releases: readonly ReleaseStatus[];
  /** Where messages go first; null while the engine knows of no workers. */
  readonly promoted: string | null;
  readonly unfinished: number;
  /** Unfinished runs that no release can drive. */
  readonly blocked: number;
}

/** Lists the deployed releases, the promoted one, and the runs that need each. */
export async function readDeployStatus({
  admin,
  book,
  peers,
}: OpenedDeploy): Promise<DeployStatus> {
  const registered = listPreferred(await book.list());
  const ask = async (each: ReleasePlace) =>
    [each.name, await askRelease({ admin, peers }, each)] as const;
  const asked = Promise.all(registered.map(ask));
  const known = new Set((await admin.listDeployments()).map(({ uri }) => uri));
  const runs = await admin.findService(peers.RUN_OBJECT);
  const promoted = runs && (runs.metadata[peers.RELEASE_METADATA] ?? "without a name");
  const { alone, blocked, unfinished } = await countNeeding(book, registered.map(toRelease));
  const answers = new Map(await asked);
  const releases = registered.map((each): ReleaseStatus => {
    const { name, uri, registeredAt, isDraining } = each;
    const isKnown = known.has(peers.formatReleaseUri(uri, name));
    const standing = isDraining ? "draining" : "registered";
    const loops = toRelease(each).loops.length;
    return {
      ...{ name, uri, registeredAt, loops, needed: alone.get(name) ?? 0 },
      answers: answers.get(name) ?? null,
      state: isKnown ? (name === promoted ? "promoted" : standing) : "unknown to the engine",
    };
  });
  return { releases, promoted: promoted ?? null, unfinished, blocked };
}
