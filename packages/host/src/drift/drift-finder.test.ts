import { createContent } from "@turnseal/kernel";
import { memoryStores, systemClock } from "@turnseal/ports";
import { sha256Hex } from "@turnseal/protocol";
import { changeManaged, type FileState, openManaged } from "@turnseal/protocol/artifact";
import { describe, expect, test } from "vitest";
import { openKeyedRoot } from "../scenarios/__fixtures__/keyed-root.ts";
import { COUNTED_FILES_MAX, openDriftFinder } from "./drift-finder.ts";

const RUN = "run";
const encoder = new TextEncoder();

/** A run that manages these texts, and a root that has them. */
async function openSite(texts: Readonly<Record<string, string>>) {
  const stores = memoryStores(systemClock);
  const key = await stores.blobs.keepKey(RUN, encoder.encode(sha256Hex("key").slice(0, 32)));
  if (key === undefined) throw new Error("there is a key");
  const content = createContent(RUN, key, stores.blobs);
  const site = openKeyedRoot("site");
  const changes = new Map<string, FileState>();
  for (const [path, text] of Object.entries(texts)) {
    const blob = content.sealBytes(encoder.encode(text));
    await stores.blobs.put(RUN, blob);
    changes.set(path, { digest: blob.digest, bytes: blob.size, mode: 0o644 });
    site.put(path, text);
  }
  const none = await openManaged(undefined, content.read);
  const { ref, sealed } = changeManaged(none, changes, content.seal);
  for (const blob of sealed) await stores.blobs.put(RUN, blob);
  const managed = ref === undefined ? {} : { site: ref };
  const finder = openDriftFinder(RUN, { stores, roots: site.roots });
  return { stores, site, managed, finder };
}

describe("what became of the files of a run", () => {
  test("is nothing where they are as recorded, or where none is managed", async () => {
    const { finder, managed } = await openSite({ a: "a", "d/b": "b" });
    expect(await finder.find(managed)).toEqual([
      { root: "site", files: 2, kind: "looked", drifts: [], unnamed: 0 },
    ]);
    expect(await finder.find({})).toEqual([]);
  });

  test("is said with the lines that changed, of texts", async () => {
    const { finder, managed, site } = await openSite({ a: "1\n2\n3\n", b: "\0", c: "c", d: "d" });
    site.put("a", "1\nzwei\n3\n4\n");
    site.put("b", "\0\0");
    site.link("c");
    site.put("new", "new");
    const [found] = await finder.find(managed);
    expect(found).toMatchObject({
      drifts: [
        { kind: "modified", path: "a", lines: { added: 2, removed: 1 } },
        { kind: "modified", path: "b" },
        { kind: "replaced", path: "c", by: "link" },
      ],
    });
    const [whole] = await finder.find(managed, [""]);
    expect(whole?.kind === "looked" && whole.drifts.at(-1)).toMatchObject({
      ...{ kind: "created", path: "new" },
    });
  });

  test("has lines for COUNTED_FILES_MAX files, and no more", async () => {
    const names = Array.from({ length: COUNTED_FILES_MAX + 1 }, (_, index) => `f${index}`);
    const { finder, managed, site } = await openSite(
      Object.fromEntries(names.map((name) => [name, name])),
    );
    for (const name of names) site.put(name, "other");
    const [found] = await finder.find(managed);
    const drifts = found?.kind === "looked" ? found.drifts : [];
    expect(drifts).toHaveLength(COUNTED_FILES_MAX + 1);
    expect(drifts.filter(({ lines }) => lines !== undefined)).toHaveLength(COUNTED_FILES_MAX);
  });

  test("is not known where no folder is bound, one is gone, or the record was erased", async () => {
    const { stores, managed, site } = await openSite({ a: "a" });
    const unbound = openDriftFinder(RUN, { stores, roots: {} });
    expect(await unbound.find(managed)).toMatchObject([{ kind: "unknown", why: "unbound" }]);
    const gone = () => {
      throw new Error("it is not there");
    };
    const absent = openDriftFinder(RUN, { stores, roots: { site: gone } });
    expect(await absent.find(managed)).toMatchObject([{ kind: "unknown", why: "absent" }]);
    await stores.blobs.erase(RUN);
    const erased = openDriftFinder(RUN, { stores, roots: site.roots });
    expect(await erased.find(managed)).toMatchObject([{ kind: "unknown", why: "erased" }]);
  });

  test("is told while it is watched, and not after", async () => {
    const { finder, managed, site } = await openSite({ a: "a" });
    const hints: unknown[] = [];
    const stop = await finder.watch(managed, (hint) => hints.push(hint));
    await finder.find(managed);
    site.put("a", "b");
    stop();
    site.put("a", "c");
    expect(hints).toEqual([{ kind: "touched", paths: ["a"] }]);
  });
});
