// Files that another author changed behind a run: a person decides which side wins, and the log
// records it.
import { memoryStores } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import { MERGED_BYTES_MAX } from "@turnseal/protocol/artifact";
import { describe, expect, test } from "vitest";
import { planReconciliation } from "../../drift/plan-reconciliation.ts";
import {
  BY,
  bytesOf,
  FIRST,
  type FileDesk,
  goOn,
  openFileDesk,
  reconciled,
  SECOND,
} from "../__fixtures__/file-desk.ts";

describe("what the run recorded counts", () => {
  test("and the files are put back, each with what was there kept", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    desk.site.remove("other");
    const content = await reconciled(desk, "graph-wins");
    expect(content).toMatchObject({ way: "graph-wins", root: "site", files: 2 });
    expect(content).not.toHaveProperty("artifacts");
    expect(await desk.site.texts()).toEqual({ page: SECOND, other: "other\n" });
    expect(await desk.drifts()).toEqual([]);
    const [event] = await desk.contents("drift.reconciled");
    const shown = (await desk.read(event?.difference)) as {
      files: { path: string; seen: { digest: string } | null }[];
    };
    const page = shown.files.find(({ path }) => path === "page");
    const kept = await desk.stores.blobs.read(desk.run, page?.seen?.digest ?? "");
    expect(new TextDecoder().decode(kept)).toBe("by hand\n");
    await goOn(desk);
    expect(await desk.site.texts()).toMatchObject({ page: "by the next turn\n" });
  });

  test("also of a mode", async () => {
    const desk = await openFileDesk();
    desk.site.put("other", "other\n", 0o755);
    expect(await desk.drifts()).toEqual(["mode-changed other"]);
    expect(await reconciled(desk, "graph-wins")).toMatchObject({ files: 1 });
    expect(await desk.drifts()).toEqual([]);
  });

  test("but a link in the place of a file is not taken away", async () => {
    const desk = await openFileDesk();
    desk.site.link("page");
    expect(await desk.plan({ way: "graph-wins" })).toEqual({
      ...{ kind: "refused", problems: [{ path: "page", why: "replaced" }] },
    });
  });
});

describe("what is there counts", () => {
  test("and is recorded: what was changed, and what is gone", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    desk.site.remove("other");
    const before = (await desk.state()).artifacts?.["site"]?.page;
    const content = await reconciled(desk, "files-win");
    expect(content).toMatchObject({ files: 2, artifacts: { files: 1, changed: 2, before } });
    expect(await desk.site.texts()).toEqual({ page: "by hand\n" });
    expect(await desk.drifts()).toEqual([]);
    await goOn(desk);
    // The tool finds what is recorded now, and may write over it.
    expect(desk.told.at(-1)).toEqual(["done"]);
  });

  test("also where a link is in the place of a file: the run no longer has it", async () => {
    const desk = await openFileDesk();
    desk.site.link("page");
    expect(await reconciled(desk, "files-win")).toMatchObject({ artifacts: { files: 1 } });
    expect(await desk.drifts()).toEqual([]);
  });
});

describe("a person says it file by file", () => {
  const sides = new Map([
    ["page", "files"],
    ["other", "graph"],
  ] as const);

  test("and every file that differs is named", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    desk.site.put("other", "by hand\n");
    expect(await desk.plan({ way: "manual", sides: new Map([["page", "files"]]) })).toEqual({
      ...{ kind: "refused", problems: [{ path: "other", why: "side-missing" }] },
    });
    expect(await reconciled(desk, "manual", { sides })).toMatchObject({
      ...{ way: "manual", files: 2, artifacts: { changed: 1 } },
    });
    expect(await desk.site.texts()).toEqual({ page: "by hand\n", other: "other\n" });
    expect(await desk.drifts()).toEqual([]);
    await goOn(desk);
  });

  test("and none that does not differ", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    expect(await desk.plan({ way: "manual", sides })).toEqual({
      ...{ kind: "refused", problems: [{ path: "other", why: "not-there" }] },
    });
  });
});

describe("both count", () => {
  test("where they changed other lines of what was there before", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", FIRST.replace("1\n", "eins\n"));
    expect(await reconciled(desk, "merge")).toMatchObject({ artifacts: { changed: 1 } });
    expect(await desk.site.texts()).toMatchObject({ page: "eins\n2\n3\n4\n5\nsechs\n" });
    expect(await desk.drifts()).toEqual([]);
    await goOn(desk);
  });

  test("and of the same lines the conflict is shown, and nothing is done", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", FIRST.replace("6\n", "six\n"));
    expect(await desk.plan({ way: "merge" })).toMatchObject({
      kind: "refused",
      problems: [
        {
          ...{ path: "page", why: "conflict" },
          merge: { why: "both-changed", conflicts: [{ ours: "sechs\n", theirs: "six\n" }] },
        },
      ],
    });
  });

  test("but of what is gone, or what the run has made, nothing is guessed", async () => {
    const desk = await openFileDesk();
    desk.site.remove("page");
    desk.site.put("other", "by hand\n");
    expect(await desk.plan({ way: "merge" })).toMatchObject({
      problems: [
        { path: "other", why: "conflict", merge: { why: "both-made" } },
        { path: "page", why: "conflict" },
      ],
    });
  });

  test("and an ancestor that was exchanged in the store is none", async () => {
    const desk = await openFileDesk();
    const [first] = (await desk.contents("action.settled")).flatMap((content) =>
      content.action === "tool" ? [content.artifacts] : [],
    );
    const listed = (await desk.read(first?.changes)) as unknown as {
      changes: { path: string; after: { digest: string } }[];
    };
    const ancestor = listed.changes.find(({ path }) => path === "page")?.after.digest ?? "";
    desk.site.put("page", FIRST.replace("1\n", "eins\n"));
    const { blobs } = desk.stores;
    const read: typeof blobs.read = async (run, digest) =>
      digest === ancestor ? bytesOf("7\n8\n9\n") : blobs.read(run, digest);
    const stores = { ...desk.stores, blobs: { ...blobs, read } };
    const request = { root: "site", way: "merge" } as const;
    const plan = await planReconciliation(await desk.state(), request, { ...desk.ports, stores });
    expect(plan).toEqual({ kind: "refused", problems: [{ path: "page", why: "erased" }] });
  });
});

describe("nothing is done", () => {
  const refusal = async (desk: FileDesk) => (await desk.last())?.content;

  test("where a file has changed again since it was shown; the others are", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    desk.site.put("other", "by hand\n");
    await desk.tell(await desk.plan({ way: "graph-wins" }));
    desk.site.put("page", "again\n");
    await desk.settle();
    expect(await refusal(desk)).toMatchObject({ way: "graph-wins", files: 1, left: 1 });
    expect(await desk.site.texts()).toEqual({ page: "again\n", other: "other\n" });
  });

  test("where all of them have", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    await desk.tell(await desk.plan({ way: "files-win" }));
    desk.site.put("page", "again\n");
    await desk.settle();
    expect(await refusal(desk)).toMatchObject({
      ...{ kind: "refused", of: "reconcile", why: "the files have changed again" },
    });
  });

  test("where the record has changed since", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const old = await desk.plan({ way: "graph-wins" });
    await reconciled(desk, "files-win");
    await desk.tell(old);
    await desk.settle();
    expect(await refusal(desk)).toMatchObject({ why: "the record has changed since" });
    expect(await desk.site.texts()).toMatchObject({ page: "by hand\n" });
  });

  test.each<[string, (file: JsonObject) => JsonObject]>([
    ["becomes something else", (file) => ({ ...file, becomes: file["seen"] ?? null })],
    ["was recorded otherwise", (file) => ({ ...file, recorded: file["seen"] ?? null })],
  ])("where a plan says that a file %s", async (_, forge) => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const planned = await desk.plan({ way: "graph-wins" });
    if (planned.kind !== "planned") throw new Error("there is a plan");
    const files = planned.plan.files.map((file) => forge(file as unknown as JsonObject));
    const plan = { ...planned.plan, files: files as never };
    await desk.tell({ ...planned, plan });
    await desk.settle();
    expect(await refusal(desk)).toMatchObject({ why: "it is not what the record says" });
    expect(await desk.site.texts()).toMatchObject({ page: "by hand\n" });
  });

  test("where a merge names another change than the last", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", FIRST.replace("1\n", "eins\n"));
    const planned = await desk.plan({ way: "merge" });
    if (planned.kind !== "planned") throw new Error("there is a plan");
    const files = planned.plan.files.map((file) => ({ ...file, changedBy: 1 }));
    await desk.tell({ ...planned, plan: { ...planned.plan, files } });
    await desk.settle();
    expect(await refusal(desk)).toMatchObject({ why: "it is not what the record says" });
  });

  test("that merges more than a worker does at once", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", FIRST.replace("1\n", "eins\n"));
    const planned = await desk.plan({ way: "merge" });
    if (planned.kind !== "planned") throw new Error("there is a plan");
    const [page] = planned.plan.files;
    if (page === undefined) throw new Error("it has a file");
    const large = { ...page.recorded, bytes: MERGED_BYTES_MAX };
    const files = [{ ...page, path: "other", recorded: large }, page];
    await desk.tell({ ...planned, plan: { ...planned.plan, files } });
    await desk.settle();
    expect(await refusal(desk)).toMatchObject({ why: expect.stringContaining("at once") });
  });

  test.each([
    [{ root: "site", difference: null, by: { ...BY } }, "what was shown is gone"],
    [{ root: "../site", difference: null, by: { ...BY } }, "it cannot be read"],
    [{ root: "site", difference: null, by: { id: "", roles: [] } }, "identity-missing"],
    [{ root: "site", difference: null, by: { ...BY }, run: "other" }, "identity-missing"],
  ])("by a word that says nothing %#", async (body, why) => {
    const desk = await openFileDesk();
    const { stores, run } = desk;
    await stores.inbox.put({ run, key: "word", kind: "reconcile", body });
    await desk.settle();
    expect(await refusal(desk)).toMatchObject({ kind: "refused", of: "reconcile", why });
  });

  test("by a worker that has not bound the root: the word waits for one that has", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    await desk.tell(await desk.plan({ way: "graph-wins" }));
    const before = (await desk.events()).length;
    await desk.settle({});
    expect((await desk.events()).length).toBe(before);
    await desk.drive();
    expect(await desk.site.texts()).toMatchObject({ page: SECOND });
  });

  test("where nothing differs, and where there is no such root", async () => {
    const desk = await openFileDesk();
    expect(await desk.plan({ way: "graph-wins" })).toEqual({ kind: "agreed" });
    expect(await desk.plan({ way: "graph-wins", root: "other" })).toEqual({ kind: "agreed" });
    const unbound = { stores: memoryStores(desk.clock), roots: {} };
    const request = { root: "site", way: "graph-wins" } as const;
    expect(await planReconciliation(await desk.state(), request, unbound)).toEqual({
      ...{ kind: "unknown", why: "unbound" },
    });
  });
});

test("what was done before a crash is found done when the word is taken in again", async () => {
  const desk = await openFileDesk();
  desk.site.put("page", "by hand\n");
  desk.site.put("other", "by hand\n");
  await desk.tell(await desk.plan({ way: "graph-wins" }));
  // The one who wrote it back was gone before it could say so.
  desk.site.put("page", SECOND);
  await desk.settle();
  expect((await desk.last())?.content).toMatchObject({ files: 2 });
  expect(await desk.site.texts()).toEqual({ page: SECOND, other: "other\n" });
});

test("the same difference can be reconciled again when it is there again", async () => {
  const desk = await openFileDesk();
  for (const round of [1, 2]) {
    desk.site.put("page", "by hand\n");
    await reconciled(desk, "graph-wins");
    expect(await desk.site.texts(), String(round)).toMatchObject({ page: SECOND });
  }
});

describe("a run that begins no turn while files differ", () => {
  const bounds = { awaits: ["go"], turnsMax: 9, noDrift: true };

  test("is blocked with a cause of its own, and goes on once they are reconciled", async () => {
    const desk = await openFileDesk({ bounds });
    desk.site.put("page", "by hand\n");
    await desk.host.signal(desk.run, { name: "go", payload: null, key: "go", by: "ada" });
    expect(await desk.drive()).toBe("world-drift");
    expect((await desk.last())?.content).toEqual({ cause: "world-drift", what: "site" });
    expect((await desk.state()).stopped).toBeNull();
    await desk.tell(await desk.plan({ way: "files-win" }));
    expect(await desk.drive()).toBe("wait");
    expect((await desk.state()).blocked).toBeNull();
    expect(await desk.site.texts()).toMatchObject({ page: "by the next turn\n" });
    expect(await desk.prove()).toMatchObject({ findings: [] });
  });

  test("goes on where they do not, and where it does not ask", async () => {
    for (const given of [bounds, { ...bounds, noDrift: false }]) {
      const desk = await openFileDesk({ bounds: given });
      if (!given.noDrift) desk.site.put("other", "by hand\n");
      await desk.host.signal(desk.run, { name: "go", payload: null, key: "go", by: "ada" });
      expect(await desk.drive()).toBe("wait");
    }
  });
});

describe("files that are there", () => {
  const adopt = async (desk: FileDesk, ...paths: string[]) => {
    const planned = await desk.planOf(...paths);
    if (planned.kind !== "planned") return planned;
    await desk.tellOf(planned);
    await desk.settle();
    return (await desk.last())?.content;
  };

  test("come under the management of the run, as they are", async () => {
    const desk = await openFileDesk();
    desk.site.put("theirs", "theirs\n", 0o600);
    expect(await adopt(desk, "theirs")).toMatchObject({
      artifacts: { root: "site", files: 3, changed: 1 },
    });
    expect(await desk.drifts()).toEqual([]);
    desk.site.put("theirs", "changed\n", 0o600);
    expect(await desk.drifts()).toEqual(["modified theirs"]);
    expect(await reconciled(desk, "graph-wins")).toMatchObject({ files: 1 });
    expect(await desk.site.texts()).toMatchObject({ theirs: "theirs\n" });
    await goOn(desk);
  });

  test("but not what is not there, is no file, is managed, or has another's name", async () => {
    const desk = await openFileDesk();
    desk.site.link("link");
    desk.site.put("PAGE", "twin");
    const refused = await adopt(desk, "none", "link", "page", "../out", "PAGE");
    expect(refused).toEqual({
      kind: "refused",
      problems: [
        { path: "../out", why: "path" },
        { path: "link", why: "link" },
        { path: "none", why: "absent" },
        { path: "page", why: "managed" },
        { path: expect.stringMatching(/page/i), why: "twin" },
      ],
    });
  });

  test("nor what changed after it was shown", async () => {
    const desk = await openFileDesk();
    desk.site.put("theirs", "theirs\n");
    await desk.tellOf(await desk.planOf("theirs"));
    desk.site.put("theirs", "changed\n");
    await desk.settle();
    expect((await desk.last())?.content).toMatchObject({ of: "adopt", kind: "refused" });
  });
});
