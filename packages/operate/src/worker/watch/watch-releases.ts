/** Asks now and then, at the address of each registered release, whether its workers answer. */
import {
  type AskingParts,
  askRelease,
  describeAnswer,
  type ReleasePlace,
} from "../../deploy/ask-release.ts";
import { repeat } from "../../metrics/watch-health.ts";

/** How long after one look the next begins. */
export const RELEASES_EVERY_MS = 5_000;

export interface ReleaseAnswers {
  /** Each release by its name, and what is wrong at its address where something is. */
  list(): readonly (readonly [release: string, problem: string | undefined])[];
}

export interface ReleasesWatch extends ReleaseAnswers {
  look(): Promise<void>;
  close(): void;
}

export interface ReleasesParts extends AskingParts {
  listReleases(): Promise<readonly ReleasePlace[]>;
}

export function watchReleases({ listReleases, ...asking }: ReleasesParts): ReleasesWatch {
  let found: ReturnType<ReleaseAnswers["list"]> = [];
  const look = async (): Promise<void> => {
    const ask = async (each: ReleasePlace) =>
      [each.name, describeAnswer(each, await askRelease(asking, each))] as const;
    found = await Promise.all((await listReleases()).map(ask));
  };
  const again = repeat(look, RELEASES_EVERY_MS);
  return { list: () => found, look, close: again.close };
}
