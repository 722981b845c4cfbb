/** Asks an address which release answers there, through the engine. */
import type { EngineAdmin, Peers } from "@turnseal/runtime/engine";

/** How long an address has to answer. */
export const RELEASE_ANSWER_MS_MAX = 4_000;

export interface AskingParts {
  readonly admin: Pick<EngineAdmin, "discover">;
  readonly peers: Pick<
    Extract<Peers, { kind: "loaded" }>,
    "formatReleaseUri" | "parseReleaseService"
  >;
}

/** A release, and where its workers are. */
export interface ReleasePlace {
  readonly name: string;
  readonly uri: string;
}

/** The release of the workers at an address; null if none answers in time. */
export async function askRelease(
  { admin, peers }: AskingParts,
  { name, uri }: ReleasePlace,
): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resume) => {
    timer = setTimeout(() => resume(null), RELEASE_ANSWER_MS_MAX);
  });
  const ask = async (): Promise<string | null> => {
    for (const target of await admin.discover(peers.formatReleaseUri(uri, name))) {
      const release = peers.parseReleaseService(target.name);
      if (release !== undefined) return release;
    }
    return null;
  };
  try {
    return await Promise.race([ask().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Says what is wrong at the address of a release; nothing where its workers answer. */
export function describeAnswer(
  { name, uri }: ReleasePlace,
  answers: string | null,
): string | undefined {
  if (answers === name) return undefined;
  const no = `no worker of release ${name} answers at ${uri}`;
  return answers === null ? no : `${no}: release ${answers} does`;
}
