import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../tidy/tree.ts";

type Versions = Readonly<Record<string, string>>;

export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(repositoryRoot, folder, "package.json"), "utf8"));
}
