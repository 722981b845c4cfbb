import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type FileHint,
  type FileRoot,
  findDrift,
  HINT_PATHS_MAX,
  type ManagedFiles,
  SCAN_ENTRIES_MAX,
} from "@turnseal/ports";
import { fileRootContract } from "@turnseal/ports/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { folderRoot } from "./folder-root.ts";
import { createDigester, createFolders, putFile } from "./sample-root.test.data.ts";
import { FIRST_FILES, SCRIPTED_DRIFTS, tellDrift } from "./scripted-drifts.test.data.ts";
import { UNSURE_EVERY_MS, WATCHED_FOLDERS_MAX, watchRoot } from "./watch-root.ts";

let folder: string;
let outside: string;
beforeEach(() => {
  ({ folder, outside } = createFolders());
});
afterEach(() => rmSync(dirname(folder), { recursive: true }));

const open = () => folderRoot({ folder, createDigester });
const at = (path: string) => join(folder, path);
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Records all that is there; a scan has no order. */
async function record(root: FileRoot): Promise<ManagedFiles> {
  const scan = await root.scan({ folders: [""] });
  const entries = scan.kind === "scanned" ? scan.entries : [];
  const files = entries.filter((entry) => entry.kind === "file");
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), folders: [""] };
}

async function look(root: FileRoot, managed: ManagedFiles, hint?: FileHint): Promise<string[]> {
  const answer = await findDrift(root, managed, hint);
  return answer.kind === "looked" ? answer.drifts.map(tellDrift).sort() : [answer.reason];
}

/** Merges all hints while it is watched into one. */
async function gather(root: FileRoot) {
  const paths = new Set<string>();
  let isUnsure = false;
  const stop = await root.watch((hint) => {
    if (hint.kind === "unsure") isUnsure = true;
    else for (const path of hint.paths) paths.add(path);
  });
  return {
    stop,
    hint: (): FileHint => (isUnsure ? { kind: "unsure" } : { kind: "touched", paths: [...paths] }),
  };
}

test("a list has no passed name, no draft and nothing of another folder", async () => {
  for (const path of [".git/config", "d/.turnseal-draft-1", "d/a", "d/\ufffd"])
    putFile(at(path), "x");
  putFile(join(outside, "secret"), "x");
  symlinkSync(outside, at("way"));
  const root = open();
  expect(await root.list("", { isDeep: true })).toEqual({
    kind: "listed",
    entries: expect.arrayContaining([
      { kind: "folder", path: "d" },
      { kind: "link", path: "way" },
      { kind: "file", path: "d/a" },
    ]),
    unnamed: 1,
  });
  expect(await root.list("way/x")).toEqual({ kind: "refused", reason: "link" });
  expect(await root.list(".git")).toEqual({ kind: "refused", reason: "denied" });
  renameSync(at("d"), at("moved"));
  symlinkSync(outside, at("d"));
  expect(await root.list("d")).toEqual({ kind: "refused", reason: "link" });
});

describe("a folder keeps the contract of a root", () => {
  const create = () => ({
    root: open(),
    files: {
      put: (path: string, bytes: Uint8Array, mode?: number) => putFile(at(path), bytes, mode),
      link: (path: string) => symlinkSync(outside, at(path)),
      remove: (path: string) => rmSync(at(path)),
    },
    hintMs: 5_000,
    wait: (ms: number) => setTimeout(ms),
  });
  for (const { name, run } of fileRootContract({ create })) test(name, run, 20_000);
});

describe("what others do is called by its name, when it is looked for and when it is told", () => {
  test("there are at least 30", () => expect(SCRIPTED_DRIFTS.length).toBeGreaterThanOrEqual(30));
  for (const { name, act, told } of SCRIPTED_DRIFTS)
    test(name, async () => {
      for (const [path, text] of Object.entries(FIRST_FILES)) putFile(at(path), text);
      const root = open();
      const managed = await record(root);
      const { hint, stop } = await gather(root);
      act(at, (path) => join(outside, path));
      const wanted = [...told].sort();
      expect(await look(root, managed)).toEqual(wanted);
      // A hint takes its time; where none is due, this is how long it would have had.
      await setTimeout(150);
      for (let tries = 0; tries < 100; tries++) {
        if ((await look(root, managed, hint())).join() === wanted.join()) break;
        await setTimeout(50);
      }
      stop();
      expect(await look(root, managed, hint())).toEqual(wanted);
      // A later scan without any memory finds the same.
      expect(await look(open(), managed)).toEqual(wanted);
    }, 20_000);
});

test("10,000 files that come at once are a scan, and each is told", async () => {
  const root = open();
  const managed = await record(root);
  const { hint, stop } = await gather(root);
  for (let index = 0; index < 10_000; index++) {
    if (index % 100 === 0) mkdirSync(at(`d${index / 100}`));
    writeFileSync(at(`d${Math.floor(index / 100)}/f${index}`), `${index}`);
  }
  for (let tries = 0; hint().kind !== "unsure" && tries < 200; tries++) await setTimeout(50);
  stop();
  expect(hint()).toEqual({ kind: "unsure" });
  const drifts = await look(root, managed, hint());
  expect(drifts).toHaveLength(10_000);
  expect(drifts.every((drift) => drift.startsWith("created"))).toBe(true);
  // A scan without hints finds the same drifts.
  expect(await look(open(), managed)).toEqual(drifts);
}, 120_000);

test("more than HINT_PATHS_MAX changes soon after each other are unsure", async () => {
  const { hint, stop } = await gather(open());
  for (let index = 0; index <= HINT_PATHS_MAX; index++) writeFileSync(at(`f${index}`), "x");
  for (let tries = 0; hint().kind !== "unsure" && tries < 200; tries++) await setTimeout(50);
  stop();
  expect(hint()).toEqual({ kind: "unsure" });
}, 60_000);

test("a scan that finds nothing changed opens no file", async () => {
  let opened = 0;
  const root = folderRoot({
    folder,
    createDigester: () => {
      opened += 1;
      return createDigester();
    },
  });
  for (let index = 0; index < 50; index++) putFile(at(`f${index}`), `${index}`);
  const first = await record(root);
  // A recent change may be followed by another in the same moment, so the file does not count as
  // known.
  await setTimeout(2_100);
  await record(root);
  opened = 0;
  expect(await record(root)).toEqual(first);
  expect(opened).toBe(0);
  writeFileSync(at("f7"), "seven");
  expect(await look(root, first)).toEqual(["modified f7"]);
  expect(opened).toBe(1);
}, 20_000);

test("scans at the same time note each file once, whether it is known or not", async () => {
  for (let index = 0; index < 1_200; index++) putFile(at(`d${index % 3}/f${index}`), `${index}`);
  const root = open();
  await setTimeout(2_100);
  const { files } = await record(root);
  const request = { paths: files.map(({ path }) => path), folders: [""] };
  for (const known of [1, 2]) {
    putFile(at(`d0/new${known}`), "new");
    const scans = await Promise.all([1, 2, 3].map(() => root.scan(request)));
    for (const scan of scans) {
      const paths = scan.kind === "scanned" ? scan.entries.map(({ path }) => path) : [];
      expect(paths).toHaveLength(1_200 + known);
      expect(new Set(paths).size).toBe(1_200 + known);
    }
  }
}, 20_000);

test("names that are passed over are, in whatever case, by path and by folder", async () => {
  for (const path of [".GIT/config", "a/.Turnseal/config", "a/b"]) putFile(at(path), "one");
  const root = open();
  const paths = [".GIT/config", "a/.Turnseal/config"];
  await setTimeout(2_100);
  for (let times = 0; times < 2; times++) {
    const whole = await root.scan({ folders: [""] });
    expect(whole).toMatchObject({ kind: "scanned", entries: [{ path: "a/b" }] });
    const asked = await root.scan({ paths });
    expect(asked).toMatchObject({ entries: [{ kind: "unread" }, { kind: "unread" }] });
    const [path = ""] = paths;
    const folders = await root.scan({ folders: [path.slice(0, 4), "a"] });
    expect(folders).toMatchObject({ entries: [{ path: "a/b" }, { kind: "unread", path: ".GIT" }] });
  }
}, 20_000);

test("a folder in the place of a known file, and the file again", async () => {
  putFile(at("d/a"), "one");
  const root = open();
  await setTimeout(2_100);
  const managed = await record(root);
  await record(root);
  rmSync(at("d/a"));
  putFile(at("d/a/b"), "two");
  expect(await look(root, managed)).toEqual(["created d/a/b", "replaced d/a by folder"]);
  rmSync(at("d/a"), { recursive: true });
  putFile(at("d/a"), "one");
  expect(await look(root, managed)).toEqual([]);
}, 20_000);

test("other bytes with the old time and length are found, however known the file is", async () => {
  const past = new Date(1_000_000_000_000);
  putFile(at("a"), "one");
  utimesSync(at("a"), past, past);
  const root = open();
  await setTimeout(2_100);
  const managed = await record(root);
  await record(root);
  writeFileSync(at("a"), "two");
  utimesSync(at("a"), past, past);
  expect(await look(root, managed)).toEqual(["modified a"]);
}, 20_000);

test("what is written through a root is no drift of it, whoever looks", async () => {
  const root = open();
  const { hint, stop } = await gather(root);
  const change = await root.write("src/a", { bytes: bytesOf("ours"), mode: 0o640 }, "absent");
  const state = change.kind === "done" ? change.state : undefined;
  if (state === undefined) throw new Error("nothing was written");
  const managed = { files: [{ path: "src/a", ...state }], folders: [""] };
  await setTimeout(300);
  stop();
  expect(await look(root, managed, hint())).toEqual([]);
  expect(await look(root, managed)).toEqual([]);
  expect(await look(open(), managed)).toEqual([]);
});

test("a file that never stands still is said to be changing", async () => {
  putFile(at("a"), "x".repeat(1_000));
  let grown = 0;
  const root = folderRoot({
    folder,
    createDigester: () => {
      const digester = createDigester();
      return {
        ...digester,
        update: (part) => {
          digester.update(part);
          // Somebody edits it while it is read, each time.
          writeFileSync(at("a"), "x".repeat(1_000 + ++grown));
        },
      };
    },
  });
  expect(await root.scan({ paths: ["a"] })).toEqual({
    kind: "scanned",
    entries: [{ kind: "unread", path: "a", reason: "changing" }],
    unnamed: 0,
  });
});

/** False where a write has made the folder that it needs in the meantime. */
function isAlone(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(EEXIST|ENOTEMPTY)$/) });
    return false;
  }
}

describe("nothing outside of the root is reached", () => {
  test("a folder that becomes a link between the look and the opening is refused", async () => {
    putFile(at("d/a"), "inside");
    putFile(join(outside, "a"), "secret");
    const root = open();
    let isSwapped = false;
    const racing = folderRoot({
      folder,
      createDigester: () => {
        if (!isSwapped) {
          isSwapped = true;
          renameSync(at("d"), at("moved"));
          symlinkSync(outside, at("d"));
        }
        return createDigester();
      },
    });
    const read = await racing.read("d/a");
    expect(read.kind === "read" ? new TextDecoder().decode(read.bytes) : read.reason).toBe(
      "inside",
    );
    expect(await racing.read("d/a")).toEqual({ kind: "refused", reason: "link" });
    expect(await root.read("d/a")).toEqual({ kind: "refused", reason: "link" });
    expect(await root.write("d/b", { bytes: bytesOf("x") }, "absent")).toEqual({
      kind: "refused",
      reason: "link",
    });
    expect(readdirSync(outside)).toEqual(["a"]);
  });

  test("a thousand swaps of a folder and a link never show a byte of the other side", async () => {
    putFile(at("d/a"), "inside");
    putFile(join(outside, "a"), "secret");
    const root = open();
    let isOver = false;
    const swapping = (async () => {
      for (let count = 0; count < 1_000 && !isOver; count++) {
        renameSync(at("d"), at("kept"));
        isAlone(() => symlinkSync(outside, at("d")));
        if (count % 3 === 0) await setTimeout(0);
        const bringBack = () => {
          rmSync(at("d"), { recursive: true, force: true });
          renameSync(at("kept"), at("d"));
        };
        while (!isAlone(bringBack)) await setTimeout(0);
        if (count % 5 === 0) await setTimeout(0);
      }
    })();
    for (let count = 0; count < 300; count++) {
      const read = await root.read("d/a");
      if (read.kind === "read") expect(new TextDecoder().decode(read.bytes)).toBe("inside");
      await root.write(`d/new${count}`, { bytes: bytesOf("x") }, "absent");
    }
    isOver = true;
    await swapping;
    expect(readdirSync(outside)).toEqual(["a"]);
    expect(readFileSync(join(outside, "a"), "utf8")).toBe("secret");
  }, 60_000);

  test("a socket in the place of a file is no file", async () => {
    const server = createServer().listen(at("socket"));
    await once(server, "listening");
    expect(await open().read("socket")).toEqual({ kind: "refused", reason: "no-file" });
    expect(await open().scan({ folders: [""] })).toMatchObject({
      entries: [{ kind: "special", path: "socket" }],
    });
    server.close();
    await once(server, "close");
  });
});

test("a write leaves nothing behind where it is refused", async () => {
  putFile(at("a"), "theirs");
  await open().write("a", { bytes: bytesOf("ours") }, "absent");
  expect(readdirSync(folder)).toEqual(["a"]);
  mkdirSync(at("d"));
  expect(await open().write("d", { bytes: bytesOf("ours") }, "absent")).toEqual({
    kind: "refused",
    reason: "no-file",
  });
  expect(readdirSync(at("d"))).toEqual([]);
});

test("of two who write at once where nothing was, one is done and the other is told", async () => {
  const texts = ["one", "two", "three", "four"];
  const changes = await Promise.all(
    texts.map((text) => open().write("a", { bytes: bytesOf(text) }, "absent")),
  );
  expect(changes.filter(({ kind }) => kind === "done")).toHaveLength(1);
  expect(changes.filter(({ kind }) => kind === "changed")).toHaveLength(3);
  expect(texts).toContain(readFileSync(at("a"), "utf8"));
});

test("names that no artifact can have are counted, and a root can be gone", async () => {
  putFile(at("a\\b"), "x");
  putFile(at("line\nbreak"), "x");
  putFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]).toString("latin1"), "x");
  const root = open();
  expect(await root.scan({ folders: [""] })).toMatchObject({ kind: "scanned", unnamed: 2 });
  rmSync(folder, { recursive: true });
  expect(await root.scan({ folders: [""] })).toEqual({ kind: "refused", reason: "absent" });
  mkdirSync(folder);
});

test("paths beyond SCAN_ENTRIES_MAX are too many", async () => {
  const paths = Array.from({ length: SCAN_ENTRIES_MAX + 1 }, (_, index) => `f${index}`);
  expect(await open().scan({ paths })).toEqual({ kind: "refused", reason: "too-many" });
}, 60_000);

test("where more folders than WATCHED_FOLDERS_MAX would be watched it is unsure", async () => {
  expect(WATCHED_FOLDERS_MAX).toBeGreaterThan(1_000);
  expect(UNSURE_EVERY_MS).toBeLessThan(60_000);
  for (const name of ["d", "e", "f"]) mkdirSync(at(name));
  const hints: FileHint[] = [];
  const root = { folder, passed: new Set<string>(), isOwn: () => false, foldersMax: 3 };
  const stop = await watchRoot(root, (hint) => hints.push(hint));
  for (let tries = 0; hints.length === 0 && tries < 100; tries++) await setTimeout(20);
  stop();
  expect(hints).toEqual([{ kind: "unsure" }]);
});

test.each([".git/config", "d/.git/hooks/x", ".GIT/config", ".turnseal/key", ".turnseal-draft-1"])(
  "%s is nobody's to read or change",
  async (path) => {
    putFile(at(path), "theirs");
    const root = open();
    const refused = { kind: "refused", reason: "denied" };
    expect(await root.read(path)).toEqual(refused);
    expect(await root.write(path, { bytes: bytesOf("ours") }, "absent")).toEqual(refused);
    expect(await root.remove(path, `sha256:${"0".repeat(64)}`)).toEqual(refused);
    expect(await root.scan({ paths: [path] })).toEqual({
      ...{ kind: "scanned", entries: [{ kind: "unread", path, reason: "denied" }], unnamed: 0 },
    });
    expect(readFileSync(at(path), "utf8")).toBe("theirs");
  },
);

test("what is written runs as nobody else, whatever is said or was there", async () => {
  const root = open();
  const first = await root.write("a", { bytes: bytesOf("one"), mode: 0o6755 }, "absent");
  expect(first).toMatchObject({ kind: "done", state: { mode: 0o755 } });
  chmodSync(at("a"), 0o4755);
  const { digest = "absent" } = first.kind === "done" ? (first.state ?? {}) : {};
  expect(await root.write("a", { bytes: bytesOf("two") }, digest)).toMatchObject({
    state: { mode: 0o755 },
  });
});

test("a file that may not be read is never taken for unchanged", async () => {
  // Root may read everything, so there is nothing to test.
  const isAllowed = process.getuid?.() === 0;
  putFile(at("a"), "a");
  const managed = await record(open());
  chmodSync(at("a"), 0o000);
  expect(await look(open(), managed)).toEqual([isAllowed ? "mode-changed a" : "unread a"]);
  expect(existsSync(at("a"))).toBe(true);
});
