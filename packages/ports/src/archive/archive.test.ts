import { describe, expect, test } from "vitest";
import { findMissed } from "../find-missed.test.data.ts";
import { ARCHIVE_NAME_LENGTH_MAX, type Archive, isArchiveName } from "./archive.ts";
import { archiveContract } from "./archive-contract.ts";
import { memoryArchive } from "./memory-archive.ts";

const changed = (change: (archive: Archive) => Partial<Archive>): Archive => {
  const archive = memoryArchive();
  return { ...archive, ...change(archive) };
};

describe("an archive in memory keeps the contract", () => {
  for (const { name, run } of archiveContract({ create: memoryArchive })) test(name, run);
});

test("the contract finds archives that do not keep it", async () => {
  const broken: Readonly<Record<string, () => Archive>> = {
    "what was put is there, to the byte, and nothing else": () =>
      changed(({ put }) => ({ put: (name, bytes) => put(name, bytes.slice(0, 65_536)) })),
    "a second put takes the place of the first, whole": () =>
      changed(({ put, get }) => ({
        put: async (name, bytes) => {
          const before = (await get(name)) ?? new Uint8Array();
          await put(name, Uint8Array.from([...bytes, ...before.slice(bytes.length)]));
        },
      })),
    "of two puts at once one is there, whole": () =>
      changed(({ put }) => {
        let first: Uint8Array | undefined;
        return {
          put: (name, bytes) => {
            first ??= bytes;
            return put(name, Uint8Array.from([...first.slice(0, 5_000), ...bytes.slice(5_000)]));
          },
        };
      }),
    "names are listed in order, by their beginning, after one": () =>
      changed(({ list }) => ({ list: async (prefix) => list(prefix) })),
    "a list has at most ARCHIVE_LIST_MAX names, and the next goes on after them": () =>
      changed(({ list }) => ({
        list: async (prefix, after) => [
          ...(await list(prefix, after)),
          ...(after === undefined ? ["ada/9/more"] : []),
        ],
      })),
    "what is removed is gone, also when it was not there": () =>
      changed(({ put }) => ({ remove: (name) => put(name, new Uint8Array()) })),
    "puts go on beside somebody who takes away what is unfinished": () =>
      changed(({ list, remove }) => ({
        removeUnfinished: async (prefix) => {
          for (const name of await list(prefix)) await remove(name);
        },
      })),
    "a name of ARCHIVE_NAME_LENGTH_MAX characters is kept": () =>
      changed(({ put }) => ({ put: (name, bytes) => put(name.slice(0, 199), bytes) })),
    "a name that leads elsewhere is refused": () =>
      changed(({ get }) => ({ get: async (name) => (name === "a/" ? undefined : get(name)) })),
  };
  expect(await findMissed(archiveContract, broken)).toEqual([]);
});

test("a name of ARCHIVE_NAME_LENGTH_MAX characters is one, and a longer one is not", () => {
  expect(isArchiveName("a".repeat(ARCHIVE_NAME_LENGTH_MAX))).toBe(true);
  expect(isArchiveName("a".repeat(ARCHIVE_NAME_LENGTH_MAX + 1))).toBe(false);
});
