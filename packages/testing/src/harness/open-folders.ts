/**
 * The folders of a case: one for each root that its tools declare, with the files of its harness.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { folderRoots } from "@turnseal/adapters/fs";
import type { Roots } from "@turnseal/ports";
import type { Loop } from "@turnseal/protocol/authoring";
import type { Difference } from "./difference.ts";
import type { FilesByRoot } from "./harness.ts";

export interface CaseFolders {
  readonly roots: Roots;
  /** The files that are not as expected; null expects none. */
  compare(expected: FilesByRoot): readonly Difference[];
  remove(): void;
}

export function openFolders(loops: readonly Loop[], files: FilesByRoot = {}): CaseFolders {
  const declared = loops.flatMap(({ declared }) =>
    declared?.artifacts === undefined || declared.artifacts.inspect !== undefined
      ? []
      : [declared.artifacts.root],
  );
  const names = [...new Set([...declared, ...Object.keys(files)])];
  if (names.length === 0) return { roots: {}, compare: () => [], remove: () => {} };
  const place = mkdtempSync(join(tmpdir(), "turnseal-case-"));
  const folders = Object.fromEntries(names.map((name) => [name, join(place, name)]));
  for (const folder of Object.values(folders)) mkdirSync(folder);
  for (const [root, path, text] of listFiles(files)) {
    if (text === null) continue;
    const file = join(place, root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return {
    roots: folderRoots(folders),
    compare: (expected) =>
      listFiles(expected).flatMap(([root, path, text]) => {
        const actual = readText(join(place, root, path));
        const named = `/expect/files/${root}/${path.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        return actual === text ? [] : [{ path: named, expected: text, actual }];
      }),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

function listFiles(files: FilesByRoot) {
  return Object.entries(files).flatMap(([root, texts]) =>
    Object.entries(texts).map(([path, text]) => [root, path, text] as const),
  );
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
