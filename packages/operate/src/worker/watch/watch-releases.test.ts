import { loadPeers } from "@turnseal/runtime/engine";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RELEASE_ANSWER_MS_MAX } from "../../deploy/ask-release.ts";
import { RELEASES_EVERY_MS, watchReleases } from "./watch-releases.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const [old, fresh] = ["0123456789abcdef", "fedcba9876543210"];
const releases = [
  { name: old, uri: "http://old:9080" },
  { name: fresh, uri: "http://fresh:9080" },
];

/** The release that answers at each address; an absent one does not answer. */
async function open(answers: Record<string, string | undefined>) {
  const peers = await loadPeers();
  if (peers.kind === "missing") throw new Error(peers.message);
  const discover = async (uri: string) => {
    const release = answers[new URL(uri).host];
    if (release === undefined) return new Promise<never>(() => {});
    if (release === "refused") throw new Error("the engine did not accept it");
    const name = peers.formatReleaseService(release);
    return [{ name, deployment: "dp", metadata: {} }];
  };
  const listReleases = async () => releases;
  return watchReleases({ listReleases, admin: { discover }, peers });
}

test("each release is asked for at its own address, every RELEASES_EVERY_MS", async () => {
  const answers: Record<string, string> = { "old:9080": old, "fresh:9080": fresh };
  const watch = await open(answers);
  await vi.advanceTimersByTimeAsync(0);
  expect(watch.list()).toEqual(releases.map(({ name }) => [name, undefined]));
  answers["old:9080"] = fresh;
  await vi.advanceTimersByTimeAsync(RELEASES_EVERY_MS);
  const no = `no worker of release ${old} answers at http://old:9080`;
  expect(watch.list()[0]).toEqual([old, `${no}: release ${fresh} does`]);
  watch.close();
});

test("an address that is silent or refuses is named within RELEASE_ANSWER_MS_MAX", async () => {
  const watch = await open({ "fresh:9080": "refused" });
  await vi.advanceTimersByTimeAsync(RELEASE_ANSWER_MS_MAX);
  expect(watch.list()).toEqual(
    releases.map(({ name, uri }) => [name, `no worker of release ${name} answers at ${uri}`]),
  );
  watch.close();
});
