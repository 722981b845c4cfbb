/** Reads the folder of a skill: its instructions, its documents, and the digest of all of them. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Digest, digestOf, sha256Hex } from "@turnseal/protocol";
import { decodeText } from "../files/read-file.ts";
import { parseFrontMatter } from "./parse-front-matter.ts";

/** Files of one skill. */
const FILES_MAX = 100;
/** Bytes of all files of one skill. */
const BYTES_MAX = 4 * 1024 * 1024;
/** UTF-16 units of a description: every request that may use the skill carries it. */
const DESCRIPTION_LENGTH_MAX = 1_024;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const NAME_LENGTH_MAX = 64;

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  /** The other files by path; null for a file that is no text in UTF-8. */
  readonly documents: ReadonlyMap<string, string | null>;
  /** Of every file, by path. */
  readonly digest: Digest;
}

export function readSkill(folder: string): Skill {
  if (!existsSync(folder)) throw new TypeError(`there is no folder ${folder}`);
  const root = realpathSync(folder);
  const files = readFiles(root);
  const main = files.get("SKILL.md");
  if (main === undefined) throw new TypeError(`${folder} has no file SKILL.md`);
  const text = decodeText(main);
  if (text === undefined) throw new TypeError(`${folder}/SKILL.md is not a text in UTF-8`);
  const { name, description, rest } = parseFrontMatter(text);
  if (!NAME.test(name) || name.length > NAME_LENGTH_MAX)
    throw new TypeError(
      `${name} is no name of a skill: at most ${NAME_LENGTH_MAX} of a-z, 0-9 and single dashes`,
    );
  if (description === "" || description.length > DESCRIPTION_LENGTH_MAX)
    throw new TypeError(
      `the description of ${name} has not 1 to ${DESCRIPTION_LENGTH_MAX} characters`,
    );
  const digests = [...files].map(([path, bytes]) => [path, sha256Hex(bytes)]);
  files.delete("SKILL.md");
  const documents = [...files].map(([path, bytes]) => [path, decodeText(bytes) ?? null] as const);
  return {
    ...{ name, description, instructions: rest },
    documents: new Map(documents),
    digest: digestOf(digests),
  };
}

/** All files in the order of their paths. A link is refused: its target is not of the skill. */
function readFiles(root: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  let left = BYTES_MAX;
  for (const path of listPaths(root, "")) {
    const { size } = statSync(join(root, path));
    left -= size;
    if (left < 0) throw new TypeError(`${root} has more than ${BYTES_MAX} bytes`);
    files.set(path, readFileSync(join(root, path)));
    if (files.size > FILES_MAX) throw new TypeError(`${root} has more than ${FILES_MAX} files`);
  }
  return files;
}

function* listPaths(root: string, below: string): Iterable<string> {
  const entries = readdirSync(join(root, below), { withFileTypes: true });
  const names = entries.filter(({ name }) => !name.startsWith("."));
  for (const entry of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listPaths(root, path);
    else if (entry.isFile()) yield path;
    else throw new TypeError(`${path} in ${root} is neither a file nor a folder`);
  }
}
