import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { findMissed } from "../find-missed.test.data.ts";
import type { Digester, FileRoot } from "./file-root.ts";
import { ROOT_FILE_BYTES_MAX } from "./file-root.ts";
import { type FileRootSubject, fileRootContract } from "./file-root-contract.ts";
import { memoryRoot } from "./memory-root.ts";

const digester = (): Digester => {
  const hash = createHash("sha256");
  return {
    update: (part) => hash.update(part),
    digest: () => `sha256:${hash.digest("hex")}`,
  };
};
const create = (): FileRootSubject => ({
  ...memoryRoot(digester),
  hintMs: 50,
  wait: (ms) => setTimeout(ms),
});
const changed = (change: (root: FileRoot) => Partial<FileRoot>): FileRootSubject => {
  const subject = create();
  return { ...subject, root: { ...subject.root, ...change(subject.root) } };
};

describe("a root in memory keeps the contract", () => {
  for (const { name, run } of fileRootContract({ create })) test(name, run);
});

test("the contract finds roots that do not keep it", async () => {
  const broken: Readonly<Record<string, () => FileRootSubject>> = {
    "a scan has what was asked for, once, and nothing else": () =>
      changed(({ scan }) => ({ scan: () => scan({ folders: [""] }) })),
    "a file is scanned as it is read: the same bytes, the same state": () =>
      changed(({ scan }) => {
        let first: ReturnType<typeof scan> | undefined;
        return { scan: (request) => (first ??= scan(request)) };
      }),
    "a link is said to be one, also on the way, and is never followed": () =>
      changed(({ read }) => ({ read: (path) => read(path.replace("way/", "real/")) })),
    "a folder is listed, itself or at every depth": () =>
      changed(({ list }) => ({ list: (folder) => list(folder, { isDeep: true }) })),
    "a search leaves out no file in which a text stands": () =>
      changed(({ list }) => ({
        list: (folder, options = {}) => list(folder, { ...options, isDeep: !options.holding }),
      })),
    "a path that leads elsewhere is refused": () =>
      changed(() => ({ read: async () => ({ kind: "refused", reason: "absent" }) })),
    "what was written is there, with the state that was answered": () =>
      changed(({ write }) => ({
        write: (path, { bytes }, expected) => write(path, { bytes: bytes.slice(1) }, expected),
        scan: async () => ({ kind: "scanned", entries: [], unnamed: 0 }),
      })),
    "a write changes nothing where something else is than expected": () =>
      changed(({ read, write }) => ({
        write: async (path, file, expected) => {
          const now = await read(path);
          return write(path, file, now.kind === "read" ? now.state.digest : expected);
        },
      })),
    "what is expected is removed, and nothing else is": () =>
      changed(({ read, remove }) => ({
        remove: async (path, expected) => {
          const now = await read(path);
          return remove(path, now.kind === "read" ? now.state.digest : expected);
        },
      })),
    "nothing is written or removed through a link": () =>
      changed(({ write }) => ({
        write: (path, file, expected) => write(path.replace("way/", "real/"), file, expected),
      })),
    "a watcher hears of changes by others, until it stops": () =>
      changed(({ watch }) => ({
        watch: async (listener) => {
          await watch(listener);
          return () => {};
        },
      })),
    "nobody is told of what the root does itself": () => {
      const subject = create();
      const { root, files } = subject;
      const write: FileRoot["write"] = async (path, { bytes }) => {
        await files.put(path, bytes);
        return { kind: "done" };
      };
      return { ...subject, root: { ...root, write } };
    },
  };
  expect(await findMissed(fileRootContract, broken)).toEqual([]);
});

test("a file of ROOT_FILE_BYTES_MAX is read, and a larger one is refused", async () => {
  const { root, files } = create();
  await files.put("fits", new Uint8Array(ROOT_FILE_BYTES_MAX));
  await files.put("large", new Uint8Array(ROOT_FILE_BYTES_MAX + 1));
  expect((await root.read("fits")).kind).toBe("read");
  expect(await root.read("large")).toEqual({ kind: "refused", reason: "too-large" });
});
