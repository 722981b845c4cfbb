/** A root in memory under the key of the run that opens it, and another author's access to it. */
import { type Digester, type FileRoot, memoryRoot, type Roots } from "@turnseal/ports";
import { hmacSha256Hex } from "@turnseal/protocol";

export interface KeyedRoot {
  readonly roots: Roots;
  readonly root: FileRoot;
  put(path: string, text: string, mode?: number): void;
  link(path: string): void;
  remove(path: string): void;
  /** The texts that are there, by path. */
  texts(): Promise<Readonly<Record<string, string>>>;
}

export function openKeyedRoot(name: string): KeyedRoot {
  let key = new Uint8Array();
  const { root, files } = memoryRoot(() => createDigester(key));
  return {
    root,
    roots: {
      [name]: (ofRun) => {
        key = new Uint8Array(ofRun);
        return root;
      },
    },
    put: (path, text, mode) => files.put(path, new TextEncoder().encode(text), mode),
    link: (path) => files.link(path),
    remove: (path) => files.remove(path),
    texts: async () => {
      const scan = await root.scan({ folders: [""] });
      const texts: Record<string, string> = {};
      for (const { path } of scan.kind === "scanned" ? scan.entries : []) {
        const read = await root.read(path);
        texts[path] = read.kind === "read" ? new TextDecoder().decode(read.bytes) : read.reason;
      }
      return texts;
    },
  };
}

function createDigester(key: Uint8Array): Digester {
  const parts: number[] = [];
  return {
    update: (part) => parts.push(...part),
    digest: () => `hmac-sha256:${hmacSha256Hex(key, Uint8Array.from(parts))}`,
  };
}
