/** Changes by others to a folder, and the drifts they must give. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Drift } from "@turnseal/protocol/artifact";
import { putFile } from "./sample-root.test.data.ts";

/** The first content of the folder; all of it is recorded. */
export const FIRST_FILES: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\n",
  "b.txt": "other\n",
  "src/main.ts": "main();\n",
  "src/lib/deep.ts": "deep();\n",
  "src/lib/twin.ts": "deep();\n",
  "docs/page.md": "# Page\n",
  "empty.txt": "",
};

type Told = `${Drift["kind"]} ${string}`;
export interface ScriptedDrift {
  readonly name: string;
  /** Has the path of a name in the root, and of one beside the root. */
  readonly act: (at: (path: string) => string, outside: (path: string) => string) => void;
  /** Each as a word and its path; a rename has both ends. */
  readonly told: readonly Told[];
}

/** An editor's way to save: everything into a new file, which takes the place of the old. */
function saveAtomically(path: string, text: string): void {
  writeFileSync(`${path}.swp`, text);
  renameSync(`${path}.swp`, path);
}

const contents: readonly ScriptedDrift[] = [
  { name: "nothing", act: () => {}, told: [] },
  {
    name: "touched without a change",
    act: (at) => utimesSync(at("a.txt"), new Date(), new Date()),
    told: [],
  },
  {
    name: "written again with the same bytes",
    act: (at) => writeFileSync(at("a.txt"), "one\ntwo\n"),
    told: [],
  },
  {
    name: "saved by an editor without a change",
    act: (at) => saveAtomically(at("a.txt"), "one\ntwo\n"),
    told: [],
  },
  { name: "an empty folder is made", act: (at) => mkdirSync(at("new")), told: [] },
  {
    name: "a line is added",
    act: (at) => appendFileSync(at("a.txt"), "three\n"),
    told: ["modified a.txt"],
  },
  {
    name: "other bytes of the same length and time",
    act: (at) => {
      writeFileSync(at("a.txt"), "one\ntwa\n");
      utimesSync(at("a.txt"), 1_000_000_000, 1_000_000_000);
    },
    told: ["modified a.txt"],
  },
  { name: "emptied", act: (at) => writeFileSync(at("a.txt"), ""), told: ["modified a.txt"] },
  {
    name: "saved by an editor with a change",
    act: (at) => saveAtomically(at("src/main.ts"), "changed();\n"),
    told: ["modified src/main.ts"],
  },
  {
    name: "changed and changed back",
    act: (at) => {
      writeFileSync(at("a.txt"), "x");
      writeFileSync(at("a.txt"), "one\ntwo\n");
    },
    told: [],
  },
  {
    name: "two files are edited at the same time",
    act: (at) => {
      for (const path of ["a.txt", "src/lib/deep.ts"]) appendFileSync(at(path), "more");
    },
    told: ["modified a.txt", "modified src/lib/deep.ts"],
  },
  {
    name: "a file is put in the place of another, by a hard link",
    act: (at) => {
      unlinkSync(at("b.txt"));
      linkSync(at("a.txt"), at("b.txt"));
    },
    told: ["modified b.txt"],
  },
];

const names: readonly ScriptedDrift[] = [
  { name: "deleted", act: (at) => unlinkSync(at("a.txt")), told: ["deleted a.txt"] },
  {
    name: "a folder is deleted",
    act: (at) => rmSync(at("src"), { recursive: true }),
    told: ["deleted src/lib/deep.ts", "deleted src/lib/twin.ts", "deleted src/main.ts"],
  },
  {
    name: "deleted and made again",
    act: (at) => {
      unlinkSync(at("a.txt"));
      putFile(at("a.txt"), "one\ntwo\n");
    },
    told: [],
  },
  {
    name: "created",
    act: (at) => writeFileSync(at("c.txt"), "new\n"),
    told: ["created c.txt"],
  },
  {
    name: "created in a new folder",
    act: (at) => putFile(at("new/deep/c.txt"), "new\n"),
    told: ["created new/deep/c.txt"],
  },
  {
    name: "renamed",
    act: (at) => renameSync(at("a.txt"), at("c.txt")),
    told: ["renamed a.txt → c.txt"],
  },
  {
    name: "moved into another folder",
    act: (at) => renameSync(at("a.txt"), at("docs/a.txt")),
    told: ["renamed a.txt → docs/a.txt"],
  },
  {
    name: "a folder is renamed",
    act: (at) => renameSync(at("docs"), at("pages")),
    told: ["renamed docs/page.md → pages/page.md"],
  },
  {
    name: "two files with the same bytes are renamed, and nobody can say which is which",
    act: (at) => renameSync(at("src/lib"), at("src/library")),
    told: [
      "deleted src/lib/deep.ts",
      "deleted src/lib/twin.ts",
      "created src/library/deep.ts",
      "created src/library/twin.ts",
    ],
  },
  {
    name: "renamed and edited",
    act: (at) => {
      renameSync(at("a.txt"), at("c.txt"));
      appendFileSync(at("c.txt"), "more");
    },
    told: ["deleted a.txt", "created c.txt"],
  },
  {
    name: "an empty file is renamed",
    act: (at) => renameSync(at("empty.txt"), at("void.txt")),
    told: ["deleted empty.txt", "created void.txt"],
  },
  {
    name: "two files change places",
    act: (at) => {
      renameSync(at("a.txt"), at("x"));
      renameSync(at("b.txt"), at("a.txt"));
      renameSync(at("x"), at("b.txt"));
    },
    told: ["modified a.txt", "modified b.txt"],
  },
  {
    name: "copied",
    act: (at) => copyFileSync(at("a.txt"), at("copy.txt")),
    told: ["created copy.txt"],
  },
  {
    name: "a twin that differs in case alone",
    act: (at) => writeFileSync(at("A.txt"), "twin\n"),
    told: ["created A.txt (a twin of a.txt)"],
  },
  {
    name: "moved out of the root",
    act: (at, outside) => renameSync(at("a.txt"), outside("a.txt")),
    told: ["deleted a.txt"],
  },
  {
    name: "a file beside the root",
    act: (_, outside) => writeFileSync(outside("a.txt"), "outside\n"),
    told: [],
  },
  {
    name: "what is kept for git",
    act: (at) => putFile(at(".git/index"), "git\n"),
    told: [],
  },
];

const kinds: readonly ScriptedDrift[] = [
  {
    name: "made executable",
    act: (at) => chmodSync(at("a.txt"), 0o755),
    told: ["mode-changed a.txt"],
  },
  {
    name: "edited and made executable",
    act: (at) => putFile(at("a.txt"), "other", 0o755),
    told: ["modified a.txt"],
  },
  {
    name: "made executable and back",
    act: (at) => {
      chmodSync(at("a.txt"), 0o755);
      chmodSync(at("a.txt"), 0o644);
    },
    told: [],
  },
  {
    name: "replaced by a link to a copy of itself",
    act: (at, outside) => {
      renameSync(at("a.txt"), outside("a.txt"));
      symlinkSync(outside("a.txt"), at("a.txt"));
    },
    told: ["replaced a.txt by link"],
  },
  {
    name: "its folder is replaced by a link to a copy",
    act: (at, outside) => {
      renameSync(at("docs"), outside("docs"));
      symlinkSync(outside("docs"), at("docs"));
    },
    told: ["created docs", "replaced docs/page.md by link"],
  },
  {
    name: "a link that leads nowhere is made",
    act: (at) => symlinkSync("/nowhere", at("way")),
    told: ["created way"],
  },
  {
    name: "replaced by a folder",
    act: (at) => {
      const bytes = readFileSync(at("a.txt"));
      unlinkSync(at("a.txt"));
      putFile(join(at("a.txt"), "inside"), bytes);
    },
    told: ["replaced a.txt by folder", "created a.txt/inside"],
  },
];

export const SCRIPTED_DRIFTS: readonly ScriptedDrift[] = [...contents, ...names, ...kinds];

/** As a drift is written in a script. */
export function tellDrift(drift: Drift): string {
  const text = `${drift.kind} ${drift.path}`;
  if (drift.kind === "renamed") return `${text} → ${drift.to}`;
  if (drift.kind === "replaced") return `${text} by ${drift.by}`;
  const isTwin = drift.kind === "created" && drift.twinOf !== undefined;
  return isTwin ? `${text} (a twin of ${drift.twinOf})` : text;
}
