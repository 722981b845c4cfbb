import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../canonical-json.ts";
import { canonicalize } from "../canonical-json.ts";
import type { BlobRef } from "../log/blob-ref.ts";
import { sha256Hex } from "../sha256.ts";
import type { FileState } from "./artifact.ts";
import {
  changeManaged,
  countPages,
  findManaged,
  listManaged,
  loadManaged,
  type ManagedRef,
  openManaged,
} from "./managed-files.ts";

const stateOf = (text: string): FileState => ({
  digest: `hmac-sha256:${sha256Hex(text)}`,
  bytes: text.length,
  mode: 0o644,
});
const name = (index: number): string => `d${index % 7}/f${index}.txt`;

/** Pages under their digests, and how many were ever sealed. */
function openStore() {
  const pages = new Map<string, JsonValue>();
  let sealed = 0;
  let read = 0;
  const seal = (page: JsonObject): BlobRef => {
    const text = canonicalize(page);
    const digest = `hmac-sha256:${sha256Hex(text)}` as const;
    pages.set(digest, JSON.parse(text) as JsonValue);
    sealed++;
    return { digest, size: text.length, mediaType: "application/json" };
  };
  const find = async ({ digest }: BlobRef): Promise<JsonValue> => {
    read++;
    return pages.get(digest) ?? null;
  };
  const change = async (
    ref: ManagedRef | undefined,
    changes: readonly (readonly [string, FileState | null])[],
    paths?: "all",
  ) => {
    const opened = await openManaged(ref, find);
    const loaded = await loadManaged(opened, paths ?? changes.map(([path]) => path), find);
    return changeManaged(loaded, new Map(changes), seal);
  };
  return { seal, find, change, counts: () => ({ sealed, read }), pages };
}

describe("pages of managed files", () => {
  test("are as many as the number of files says", () => {
    expect([0, 64, 65, 1_024, 1_025, 100_000].map(countPages)).toEqual([1, 1, 16, 16, 256, 256]);
  });

  test.each([1, 64, 65, 1_024, 1_025])("are the same for the same %i files", async (count) => {
    const store = openStore();
    const all = Array.from({ length: count }, (_, at) => [name(at), stateOf(String(at))] as const);
    const once = await store.change(undefined, all, "all");
    const more = await store.change(once.ref, [["more", stateOf("more")]], "all");
    const back = await store.change(more.ref, [["more", null]], "all");
    const reversed = await store.change(undefined, all.toReversed(), "all");
    expect(more.ref).not.toEqual(once.ref);
    expect(back.ref).toEqual(once.ref);
    expect(reversed.ref).toEqual(once.ref);
    const whole = await loadManaged(await openManaged(once.ref, store.find), "all", store.find);
    expect(listManaged(whole)).toHaveLength(count);
  });

  test("cost what changes, however many files there are", async () => {
    const store = openStore();
    const all = Array.from({ length: 10_000 }, (_, at) => [name(at), stateOf(String(at))] as const);
    const { ref } = await store.change(undefined, all, "all");
    const before = store.counts();
    const changed = await store.change(ref, [[name(5), stateOf("new")]]);
    const { sealed, read } = store.counts();
    expect([sealed - before.sealed, read - before.read]).toEqual([2, 2]);
    expect(changed.changes).toEqual([
      { path: name(5), before: stateOf("5"), after: stateOf("new") },
    ]);
    expect(findManaged(changed.managed, name(5))).toEqual(stateOf("new"));
  });

  test("say nothing of what is as it was, and are none where nothing is left", async () => {
    const store = openStore();
    const { ref } = await store.change(undefined, [["a", stateOf("a")]]);
    expect((await store.change(ref, [["a", stateOf("a")]])).changes).toEqual([]);
    expect((await store.change(ref, [["b", null]])).changes).toEqual([]);
    const none = await store.change(ref, [["a", null]]);
    expect([none.ref, none.changes]).toEqual([undefined, [{ path: "a", before: stateOf("a") }]]);
  });

  test("are refused where they are none, and not guessed where they were not read", async () => {
    const store = openStore();
    for (const value of [null, { files: [{ path: "../a" }] }, { pages: [] }, { files: {} }]) {
      const page = store.seal({});
      store.pages.set(page.digest, value as JsonValue);
      await expect(openManaged({ page, files: 1 }, store.find)).rejects.toThrow(RangeError);
    }
    const all = Array.from({ length: 65 }, (_, at) => [name(at), stateOf(String(at))] as const);
    const { ref } = await store.change(undefined, all, "all");
    const opened = await openManaged(ref, store.find);
    expect(() => findManaged(opened, name(1))).toThrow(RangeError);
  });
});
