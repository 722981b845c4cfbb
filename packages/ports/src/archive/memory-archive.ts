import { ARCHIVE_LIST_MAX, type Archive, checkArchiveName } from "./archive.ts";

/** An archive of one process. */
export function memoryArchive(): Archive {
  const kept = new Map<string, Uint8Array>();
  return {
    place: "memory",
    put: async (name, bytes) => void kept.set(checkArchiveName(name), Uint8Array.from(bytes)),
    get: async (name) => {
      const bytes = kept.get(checkArchiveName(name));
      return bytes && Uint8Array.from(bytes);
    },
    list: async (prefix, after = "") =>
      [...kept.keys()]
        .filter((name) => name.startsWith(prefix) && name > after)
        .sort()
        .slice(0, ARCHIVE_LIST_MAX),
    remove: async (name) => void kept.delete(checkArchiveName(name)),
    removeUnfinished: async () => {},
  };
}
