import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import type { FileHint, FileRoot, FileScan, SearchedTexts } from "./file-root.ts";

/** A root, empty at first, and another process that changes its files. */
export interface FileRootSubject {
  readonly root: FileRoot;
  readonly files: {
    put(path: string, bytes: Uint8Array, mode?: number): Promise<void> | void;
    /** Makes a link there, to wherever it likes. */
    link(path: string): Promise<void> | void;
    remove(path: string): Promise<void> | void;
  };
  /** How long a hint may take. */
  readonly hintMs: number;
  readonly wait: (ms: number) => Promise<void>;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const NO_DIGEST = `sha256:${"0".repeat(64)}` as const;

function entriesOf(scan: FileScan) {
  assert.equal(scan.kind, "scanned");
  const entries = scan.kind === "scanned" ? scan.entries : [];
  return entries.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

async function digestAt(root: FileRoot, path: string) {
  const read = await root.read(path);
  return read.kind === "read" ? read.state.digest : NO_DIGEST;
}

async function listAt(root: FileRoot, folder: string, isDeep = false): Promise<string[]> {
  const listing = await root.list(folder, { isDeep });
  const entries = listing.kind === "listed" ? listing.entries : [];
  return entries.map(({ kind, path }) => `${kind} ${path}`).toSorted();
}

type Sentences = Readonly<Record<string, (subject: FileRootSubject) => Promise<void>>>;

const looking: Sentences = {
  "a scan has what was asked for, once, and nothing else": async ({ root, files }) => {
    for (const path of ["a.txt", "d/b.txt", "d/e/c.txt", "d2/x", "f"])
      await files.put(path, bytesOf(path), 0o640);
    const entries = entriesOf(
      await root.scan({ paths: ["a.txt", "d/b.txt", "no", "d2"], folders: ["d"] }),
    );
    assert.deepEqual(
      entries.filter(({ kind }) => kind === "file").map(({ path }) => path),
      ["a.txt", "d/b.txt", "d/e/c.txt"],
    );
    assert.equal(entries.find(({ path }) => path === "d2")?.kind, "folder");
    assert.ok(!entries.some(({ path }) => path === "no" || path === "f"));
  },
  "a file is scanned as it is read: the same bytes, the same state": async ({ root, files }) => {
    await files.put("a", bytesOf("one"), 0o600);
    const read = await root.read("a");
    assert.ok(read.kind === "read");
    assert.deepEqual([...read.bytes], [...bytesOf("one")]);
    assert.deepEqual(read.state.bytes, 3);
    const [entry] = entriesOf(await root.scan({ folders: [""] }));
    assert.deepEqual(entry, { kind: "file", path: "a", ...read.state });
    await files.put("a", bytesOf("two"), 0o600);
    const [after] = entriesOf(await root.scan({ paths: ["a"] }));
    assert.ok(after?.kind === "file" && after.digest !== read.state.digest);
    await files.put("a", bytesOf("one"), 0o600);
    assert.deepEqual(entriesOf(await root.scan({ paths: ["a"] })), [entry]);
  },
  "a link is said to be one, also on the way, and is never followed": async ({ root, files }) => {
    await files.put("real/a", bytesOf("real"));
    await files.link("way");
    const entries = entriesOf(await root.scan({ paths: ["way", "way/a"], folders: [""] }));
    assert.deepEqual(
      entries.filter(({ path }) => path.startsWith("way")),
      [
        { kind: "link", path: "way" },
        { kind: "link", path: "way/a" },
      ],
    );
    for (const path of ["way", "way/a"])
      assert.deepEqual(await root.read(path), { kind: "refused", reason: "link" });
  },
  "a folder is listed, itself or at every depth": async ({ root, files }) => {
    for (const path of ["d/a", "d/e/b", "d/e/f/c", "z"]) await files.put(path, bytesOf(path));
    await files.link("d/way");
    assert.deepEqual(await listAt(root, "d"), ["file d/a", "folder d/e", "link d/way"]);
    assert.deepEqual(await listAt(root, "d", true), [
      ...["file d/a", "file d/e/b", "file d/e/f/c"],
      ...["folder d/e", "folder d/e/f", "link d/way"],
    ]);
    assert.deepEqual(await listAt(root, ""), ["file z", "folder d"]);
    assert.deepEqual(await root.list("no"), { kind: "refused", reason: "absent" });
    for (const isDeep of [false, true])
      assert.deepEqual(await root.list("d/way", { isDeep }), { kind: "refused", reason: "link" });
  },
  "a search leaves out no file in which a text stands": async ({ root, files }) => {
    for (const [path, text] of [
      ["a", "one needle"],
      ["d/.b", "NEEDLE\n"],
      ["d/e/c", "\xff\0needle"],
    ] as const)
      await files.put(path, new TextEncoder().encode(text));
    const pathsOf = async (holding: SearchedTexts) => {
      const listing = await root.list("", { isDeep: true, holding });
      return listing.kind === "listed" ? listing.entries.map(({ path }) => path) : [];
    };
    const exact = await pathsOf({ texts: ["needle", "other"] });
    for (const path of ["a", "d/e/c"]) assert.ok(exact.includes(path));
    const lowered = await pathsOf({ texts: ["needle"], isLowered: true });
    for (const path of ["a", "d/.b", "d/e/c"]) assert.ok(lowered.includes(path));
  },
  "a path that leads elsewhere is refused": async ({ root }) => {
    for (const path of ["", "/etc/x", "../x", "a/../x", "a//x", "a\\b", "a\0", "a/"]) {
      await assert.rejects(async () => root.read(path), RangeError);
      await assert.rejects(async () => root.scan({ paths: [path] }), RangeError);
      await assert.rejects(async () => root.remove(path, NO_DIGEST), RangeError);
      const write = async () => root.write(path, { bytes: bytesOf("x") }, "absent");
      await assert.rejects(write, RangeError);
    }
    await assert.rejects(async () => root.scan({ folders: ["../x"] }), RangeError);
    await assert.rejects(async () => root.list("../x"), RangeError);
  },
};

const changing: Sentences = {
  "what was written is there, with the state that was answered": async ({ root }) => {
    const file = { bytes: bytesOf("new"), mode: 0o755 };
    const change = await root.write("d/e/a", file, "absent");
    assert.ok(change.kind === "done" && change.state !== undefined);
    assert.deepEqual(entriesOf(await root.scan({ paths: ["d/e/a"] })), [
      { kind: "file", path: "d/e/a", ...change.state },
    ]);
    const again = await root.write("d/e/a", { bytes: bytesOf("newer") }, change.state.digest);
    assert.ok(again.kind === "done" && again.state?.mode === change.state.mode);
    const names = entriesOf(await root.scan({ folders: [""] })).map(({ path }) => path);
    assert.deepEqual(names, ["d/e/a"]);
  },
  "a write changes nothing where something else is than expected": async ({ root, files }) => {
    await files.put("a", bytesOf("theirs"));
    for (const expected of ["absent", NO_DIGEST] as const)
      assert.deepEqual(await root.write("a", { bytes: bytesOf("ours") }, expected), {
        kind: "changed",
      });
    assert.deepEqual(await root.write("b", { bytes: bytesOf("ours") }, NO_DIGEST), {
      kind: "changed",
    });
    const read = await root.read("a");
    assert.ok(read.kind === "read" && read.bytes.length === bytesOf("theirs").length);
    assert.deepEqual(await root.read("b"), { kind: "refused", reason: "absent" });
  },
  "what is expected is removed, and nothing else is": async ({ root, files }) => {
    await files.put("a", bytesOf("a"));
    await files.put("b", bytesOf("b"));
    const digest = await digestAt(root, "a");
    assert.deepEqual(await root.remove("b", digest), { kind: "changed" });
    assert.deepEqual(await root.remove("c", digest), { kind: "changed" });
    assert.equal((await root.remove("a", digest)).kind, "done");
    const names = entriesOf(await root.scan({ folders: [""] })).map(({ path }) => path);
    assert.deepEqual(names, ["b"]);
  },
  "nothing is written or removed through a link": async ({ root, files }) => {
    await files.link("way");
    const refused = { kind: "refused", reason: "link" };
    for (const path of ["way", "way/a"]) {
      for (const expected of ["absent", NO_DIGEST] as const)
        assert.deepEqual(await root.write(path, { bytes: bytesOf("x") }, expected), refused);
      assert.deepEqual(await root.remove(path, NO_DIGEST), refused);
    }
  },
};

/** Paths of hints until the last of these is among them; all of them where one is unsure. */
async function collectHints(
  { root, hintMs, wait }: FileRootSubject,
  { paths, act }: { readonly paths: readonly string[]; readonly act: () => Promise<void> },
): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  const stop = await root.watch((hint: FileHint) => {
    for (const path of hint.kind === "unsure" ? ["unsure"] : hint.paths) told.add(path);
  });
  await act();
  const isTold = () => told.has("unsure") || paths.every((path) => told.has(path));
  for (let waited = 0; !isTold() && waited < hintMs; waited += 10) await wait(10);
  stop();
  return told;
}

const watching: Sentences = {
  "a watcher hears of changes by others, until it stops": async (subject) => {
    const { root, files, wait } = subject;
    await files.put("a", bytesOf("a"));
    await files.put("b", bytesOf("b"));
    const told = await collectHints(subject, {
      paths: ["a", "b", "c"],
      act: async () => {
        await files.put("a", bytesOf("other"));
        await files.remove("b");
        await files.put("c", bytesOf("c"));
      },
    });
    assert.ok(told.has("unsure") || ["a", "b", "c"].every((path) => told.has(path)));
    let isTold = false;
    const stop = await root.watch(() => {
      isTold = true;
    });
    stop();
    await files.put("a", bytesOf("more"));
    await wait(100);
    assert.equal(isTold, false);
  },
  "nobody is told of what the root does itself": async (subject) => {
    const { root, files } = subject;
    await files.put("gone", bytesOf("gone"));
    const digest = await digestAt(root, "gone");
    const told = await collectHints(subject, {
      paths: ["last"],
      act: async () => {
        await root.write("own", { bytes: bytesOf("own") }, "absent");
        await root.remove("gone", digest);
        await files.put("last", bytesOf("by somebody else"));
      },
    });
    assert.deepEqual([...told], ["last"]);
  },
};

/** The contract of every root of files. A subject is empty at first. */
export function fileRootContract(options: ContractOptions<FileRootSubject>): ContractCase[] {
  return bindContract({ ...looking, ...changing, ...watching }, options);
}
