import { join } from "node:path";
import { PUBLISHED_FOLDERS } from "../packages/package-folders.ts";
import { readManifest } from "../packages/read-manifest.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { type DescribedEntry, describeEntries, type PublicName } from "./list-names.ts";

export interface ReferencePage {
  readonly path: string;
  readonly text: string;
  readonly entries: readonly DescribedEntry[];
}

/** One page for each published package that has names to import. */
export function renderReference(): ReferencePage[] {
  return PUBLISHED_FOLDERS.flatMap((folder) => {
    const manifest = readManifest(folder);
    const entries = describeEntries(manifest, join(repositoryRoot, folder));
    if (entries.length === 0) return [];
    const name = manifest.name.replace(/^@turnseal\//, "");
    const text = renderPage(manifest.name, entries);
    return [{ path: `docs/reference/${name}.md`, text, entries }];
  });
}

const PRINTED = "Printed by `npm run fix` from the declarations. A changed page is a changed API.";

function renderPage(name: string, entries: readonly DescribedEntry[]): string {
  const head = `# Names of ${name}\n\n${PRINTED}\n`;
  return [head, ...entries.map(renderEntry)].join("\n");
}

function renderEntry({ specifier, names }: DescribedEntry): string {
  return [`## ${specifier}\n`, ...names.map(renderName)].join("\n");
}

function renderName({ name, comment, text }: PublicName): string {
  const said = comment === "" ? "" : `${comment}\n\n`;
  return `### ${name}\n\n${said}\`\`\`ts\n${text}\n\`\`\`\n`;
}
