// Words on files that must not count, and folders that do not let anything be done.
import type { FileRoot, Roots, Stores } from "@turnseal/ports";
import type { JsonObject } from "@turnseal/protocol";
import type { Reconciliation } from "@turnseal/protocol/artifact";
import { describe, expect, test } from "vitest";
import type { ReconcilePlan } from "../../drift/plan-reconciliation.ts";
import {
  BY,
  bytesOf,
  FIRST,
  type FileDesk,
  openFileDesk,
  reconciled,
  SECOND,
} from "../__fixtures__/file-desk.ts";
import { policyOf } from "../__fixtures__/refund-desk.ts";

type Planned = Extract<ReconcilePlan, { readonly kind: "planned" }>;

const planned = async (desk: FileDesk, way: Reconciliation["way"]): Promise<Planned> => {
  const plan = await desk.plan({ way });
  if (plan.kind !== "planned") throw new Error(`there is no plan: ${plan.kind}`);
  return plan;
};

/** Says a plan in which every file was changed. */
const tellForged = async (desk: FileDesk, plan: Planned, forge: (file: JsonObject) => object) => {
  const files = plan.plan.files.map((file) => forge(file as unknown as JsonObject)) as never;
  await desk.tell({ ...plan, plan: { ...plan.plan, files } });
  await desk.settle();
};

const said = async (desk: FileDesk) => (await desk.last())?.content;
const UNTRUE = { kind: "refused", why: "it is not what the record says" };
const OUTDATED = { kind: "refused", why: "the record has changed since" };

describe("a folder that does not let a file be written or read", () => {
  const failure = (code: string): Error => Object.assign(new Error(`${code}: /a/path`), { code });

  /** The root of a desk, in which something fails at one path or at all. */
  const failing = (desk: FileDesk, what: "read" | "write", code: string, at?: string): Roots => ({
    site: (key) => {
      const root = desk.site.roots["site"]?.(key) as FileRoot;
      const fail = async (path: string, ...rest: never[]) => {
        if (at === undefined || path === at) throw failure(code);
        return (root[what] as (path: string, ...rest: never[]) => never)(path, ...rest);
      };
      return { ...root, [what]: fail };
    },
  });

  const openDrifted = async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    desk.site.put("other", "by hand\n");
    await desk.tell(await desk.plan({ way: "graph-wins" }));
    return desk;
  };

  test.each([
    ["write", "ENOSPC", "a file cannot be written: ENOSPC"],
    ["read", "EIO", "a file cannot be read: EIO"],
  ] as const)("leaves it, and says so: %s, %s", async (what, code, why) => {
    const desk = await openDrifted();
    await desk.settle(failing(desk, what, code, "page"));
    expect(await said(desk)).toMatchObject({ way: "graph-wins", files: 1, left: 1, why });
    expect(await desk.site.texts()).toEqual({ page: "by hand\n", other: "other\n" });
    expect(await desk.prove()).toMatchObject({ findings: [] });
  });

  test.each([
    ["write", "ENOSPC", "a file cannot be written: ENOSPC"],
    ["read", "EIO", "a file cannot be read: EIO"],
    ["write", "not a code", "a file cannot be written: error"],
  ] as const)("is a refusal where that is all: %s, %s", async (what, code, why) => {
    const desk = await openDrifted();
    await desk.settle(failing(desk, what, code));
    expect(await said(desk)).toMatchObject({ kind: "refused", of: "reconcile", why });
    expect(JSON.stringify(await desk.events())).not.toContain("/a/path");
    expect(await desk.stores.inbox.has(desk.run)).toBe(false);
  });

  test("keeps no file from being adopted later", async () => {
    const desk = await openFileDesk();
    desk.site.put("theirs", "theirs\n");
    await desk.tellOf(await desk.planOf("theirs"));
    await desk.settle(failing(desk, "read", "EIO"));
    expect(await said(desk)).toMatchObject({ of: "adopt", why: "a file cannot be read: EIO" });
    await desk.tellOf(await desk.planOf("theirs"));
    await desk.settle();
    expect(await said(desk)).toMatchObject({ artifacts: { changed: 1 } });
  });
});

test("a cancel behind a word on files is taken in before it", async () => {
  const desk = await openFileDesk();
  desk.site.put("page", "by hand\n");
  await desk.tell(await desk.plan({ way: "graph-wins" }));
  await desk.host.cancel(desk.run, { key: "stop", by: "ada" });
  expect(await desk.drive()).toBe("cancelled");
  const types = (await desk.events()).map(({ type }) => type);
  expect(types.indexOf("drift.reconciled")).toBeGreaterThan(types.lastIndexOf("signal.received"));
  expect(await desk.site.texts()).toMatchObject({ page: SECOND });
});

describe("a word is meant once, of what was seen", () => {
  /** Repeats the answer in a row under another name. */
  const sayAgain = async (desk: FileDesk, kind: "reconcile" | "adopt", body: JsonObject) => {
    const { stores, run } = desk;
    await stores.inbox.put({ run, key: `again:${kind}`, kind, body });
    await desk.settle();
  };
  const EVE = { id: "eve", roles: [] };

  test("and is refused in another name when the same difference is there again", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const content = await reconciled(desk, "graph-wins");
    desk.site.put("page", "by hand\n");
    const { difference = null } = content;
    await sayAgain(desk, "reconcile", { root: "site", difference, by: EVE });
    expect(await said(desk)).toMatchObject({ ...OUTDATED, of: "reconcile" });
    expect(await desk.site.texts()).toMatchObject({ page: "by hand\n" });
  });

  test("and so is an adoption, when the run has given the file up", async () => {
    const desk = await openFileDesk();
    desk.site.put("theirs", "theirs\n");
    await desk.tellOf(await desk.planOf("theirs"));
    const [row] = await desk.stores.inbox.peek(desk.run, "adopt");
    await desk.settle();
    desk.site.remove("theirs");
    await reconciled(desk, "files-win");
    desk.site.put("theirs", "theirs\n");
    await sayAgain(desk, "adopt", { ...row?.body, by: EVE });
    expect(await said(desk)).toMatchObject({ ...OUTDATED, of: "adopt" });
    expect((await desk.state()).artifacts).toMatchObject({ site: { files: 2 } });
  });

  test("and not of what nobody can have seen yet", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const plan = await planned(desk, "graph-wins");
    await desk.tell({ ...plan, plan: { ...plan.plan, at: plan.plan.at + 100 } });
    await desk.settle();
    expect(await said(desk)).toMatchObject(OUTDATED);
    expect(await desk.site.texts()).toMatchObject({ page: "by hand\n" });
  });

  test("but what was said of another root is in nobody's way", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const plan = await planned(desk, "graph-wins");
    await desk.host.signal(desk.run, { name: "other", payload: null, key: "other", by: "ada" });
    await desk.drive();
    await desk.tell(plan);
    await desk.settle();
    expect(await said(desk)).toMatchObject({ way: "graph-wins", files: 1 });
  });
});

describe("what a word says of a file is compared in every detail", () => {
  const change = (field: string, by: object) => (file: JsonObject) => ({
    ...file,
    [field]: { ...(file[field] as JsonObject), ...by },
  });
  const without = (field: string) => (file: JsonObject) => {
    const { mode: _, ...rest } = file[field] as JsonObject;
    return { ...file, [field]: rest };
  };

  test.each([
    ["recorded with other bytes", change("recorded", { bytes: 1 })],
    ["recorded without a mode", without("recorded")],
    ["to become of another size", change("becomes", { bytes: 1 })],
    ["to become without a mode", without("becomes")],
    [
      "changed by an event, which only a merge names",
      (file: JsonObject) => ({ ...file, changedBy: 1 }),
    ],
  ] as const)("%s", async (_, forge) => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n", 0o755);
    for (const way of ["graph-wins", "files-win"] as const) {
      await tellForged(desk, await planned(desk, way), forge);
      expect(await said(desk), way).toMatchObject(UNTRUE);
    }
    expect(await desk.site.texts()).toMatchObject({ page: "by hand\n" });
  });

  test("what is recorded is what was read, whatever was said to be seen", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n", 0o755);
    const both = (file: JsonObject) => without("becomes")(without("seen")(file) as JsonObject);
    await tellForged(desk, await planned(desk, "files-win"), both);
    expect(await said(desk)).toMatchObject({ way: "files-win", files: 1 });
    desk.site.put("page", "by hand\n", 0o644);
    expect(await desk.drifts()).toEqual(["mode-changed page"]);
  });

  test("a merge is with the last change, not with an older one that made the same", async () => {
    const desk = await openFileDesk();
    // The file goes from SECOND to FIRST and back: two changes have made SECOND of something.
    for (const text of ["x\n", SECOND]) {
      desk.site.put("page", text);
      await reconciled(desk, "files-win");
    }
    desk.site.put("page", SECOND.replace("1\n", "eins\n"));
    const settled = (await desk.events()).filter(
      ({ type, content }) => type === "action.settled" && "artifacts" in content,
    );
    const older = settled.at(-1)?.sequence ?? 0;
    const { stores, run, state } = desk;
    const { artifacts } = await state();
    const key = (await stores.blobs.readKey(run)) ?? new Uint8Array();
    const { createContent } = await import("@turnseal/kernel");
    const content = createContent(run, key, stores.blobs);
    const merged = content.sealBytes(bytesOf(SECOND.replace("1\n", "eins\n")));
    const there = await desk.site.root.read("page");
    if (there.kind !== "read") throw new Error("the file is there");
    const seen = content.sealBytes(there.bytes);
    const recorded = content.sealBytes(bytesOf(SECOND));
    const stateOf = (digest: string, bytes: number) => ({ digest, bytes, mode: 0o644 }) as never;
    const file = {
      path: "page",
      recorded: stateOf(recorded.digest, recorded.size),
      seen: stateOf(seen.digest, seen.size),
      becomes: stateOf(merged.digest, merged.size),
      changedBy: older,
    };
    const { sequence: at } = await state();
    const managed = artifacts?.["site"]?.page.digest ?? "";
    const plan = { way: "merge", root: "site", at, managed, files: [file] } as const;
    await desk.tell({ kind: "planned", plan, blobs: [seen, merged], shown: [], more: 0 });
    await desk.settle();
    expect(await said(desk)).toMatchObject(UNTRUE);
  });

  test("how large it is what was shown is not taken from the row", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const { stores, run } = desk;
    await desk.tell(await desk.plan({ way: "graph-wins" }));
    const [row] = await stores.inbox.peek(run, "reconcile");
    const difference = row?.body["difference"] as {
      readonly digest: string;
      readonly size: number;
    };
    const lie = { ...difference, size: 7, mediaType: "text/html" };
    await stores.inbox.put({
      ...{ run, key: "first", kind: "reconcile" },
      body: { root: "site", difference: lie, by: { ...BY } },
    });
    await desk.settle();
    const events = (await desk.events()).filter(({ type }) => type === "drift.reconciled");
    expect(events).toHaveLength(1);
    expect(events[0]?.content).toMatchObject({
      difference: { ...difference, mediaType: "application/json" },
    });
  });
});

describe("content that is not what it was", () => {
  /** Stores in which one blob reads as something else. */
  const exchange = (stores: Stores, digest: string, bytes = bytesOf("{}")): Stores => {
    const { blobs } = stores;
    const read: typeof blobs.read = async (run, asked) =>
      asked === digest ? bytes : blobs.read(run, asked);
    return { ...stores, blobs: { ...blobs, read } };
  };
  const GONE = "the content that is needed for it is gone or is not what was stored";

  test("a word of which the recorded page was exchanged is refused", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const plan = await planned(desk, "graph-wins");
    await desk.tell(plan);
    await desk.settle(undefined, exchange(desk.stores, plan.plan.managed));
    expect(await said(desk)).toMatchObject({ kind: "refused", why: GONE });
    expect(await desk.site.texts()).toMatchObject({ page: "by hand\n" });
    expect(await desk.prove()).toMatchObject({ findings: [] });
  });

  test("and so is one that names content which nobody was shown", async () => {
    const desk = await openFileDesk();
    desk.site.put("page", "by hand\n");
    const plan = await planned(desk, "graph-wins");
    const digest = plan.plan.files[0]?.recorded.digest ?? "";
    const { stores, run } = desk;
    await stores.inbox.put({
      ...{ run, key: "word", kind: "reconcile" },
      body: { root: "site", difference: { digest, size: 1, mediaType: "x" }, by: { ...BY } },
    });
    await desk.settle();
    expect(await said(desk)).toMatchObject({ kind: "refused", why: "it cannot be read" });
  });

  test("a list of changes that cannot be read is not passed over for an older one", async () => {
    const desk = await openFileDesk();
    for (const text of ["x\n", SECOND]) {
      desk.site.put("page", text);
      await reconciled(desk, "files-win");
    }
    const last = (await desk.last())?.content as { artifacts: { changes: { digest: string } } };
    desk.site.put("page", FIRST.replace("1\n", "eins\n"));
    const { planReconciliation } = await import("../../drift/plan-reconciliation.ts");
    const stores = exchange(desk.stores, last.artifacts.changes.digest);
    const request = { root: "site", way: "merge" } as const;
    expect(
      await planReconciliation(await desk.state(), request, { ...desk.ports, stores }),
    ).toEqual({
      ...{ kind: "refused", problems: [{ path: "page", why: "erased" }] },
    });
  });
});

describe("files that are one where case does not count", () => {
  test("are not adopted by a word that names both", async () => {
    const desk = await openFileDesk();
    desk.site.put("theirs", "one\n");
    desk.site.put("THEIRS", "two\n");
    const [one, two] = [await desk.planOf("theirs"), await desk.planOf("THEIRS")];
    if (one.kind !== "planned" || two.kind !== "planned") throw new Error("there are plans");
    const files = [...two.plan.files, ...one.plan.files];
    const blobs = [...one.blobs, ...two.blobs];
    await desk.tellOf({ ...one, plan: { ...one.plan, files }, blobs });
    await desk.settle();
    const why = "one of the files is the same as another where case does not count";
    expect(await said(desk)).toMatchObject({ of: "adopt", why });
  });

  test("nor beside one that a tool has made since", async () => {
    const desk = await openFileDesk();
    desk.site.put("PAGE", "theirs\n");
    desk.site.put("theirs", "theirs\n");
    const plan = await desk.planOf("theirs");
    const read = await desk.site.root.read("PAGE");
    if (plan.kind !== "planned" || read.kind !== "read") throw new Error("there is a plan");
    const files = [{ path: "PAGE", ...read.state }];
    await desk.tellOf({ ...plan, plan: { ...plan.plan, files } });
    await desk.settle();
    const why = "one of the files is the same as another where case does not count";
    expect(await said(desk)).toMatchObject({ of: "adopt", why });
  });
});

describe("a word on files of a root that is not bound here", () => {
  test("wakes no run that waits, and is still there for who has the root", async () => {
    const desk = await openFileDesk();
    const { stores, run } = desk;
    const body = { root: "elsewhere", difference: null, by: { ...BY } };
    await stores.inbox.put({ run, key: "word", kind: "reconcile", body });
    const before = await desk.events();
    for (const _ of [1, 2]) expect(await desk.drive()).toBe("wait");
    expect(await desk.events()).toEqual(before);
    expect(await stores.inbox.has(run, "reconcile")).toBe(true);
  });

  test("resumes no turn that is open and waits for a person", async () => {
    const policy = policyOf({ id: "page", decision: "ask", tools: ["local.write"] });
    const rounds = [[["local.write", { page: "asked" }]]] as const;
    const desk = await openFileDesk({ policy, rounds });
    const { stores, run } = desk;
    const body = { root: "elsewhere", difference: null, by: { ...BY } };
    await stores.inbox.put({ run, key: "word", kind: "adopt", body });
    const before = await desk.events();
    expect(before.some(({ type }) => type === "approval.requested")).toBe(true);
    for (const _ of [1, 2]) expect(await desk.drive()).toBe("wait");
    expect(await desk.events()).toEqual(before);
  });
});
