/**
 * The files of a new project: those of a template or an example as they are shipped, and beside
 * them what npm, TypeScript and git need.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const PURPOSES = ["task", "chat", "workflow"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Who answers: a script that needs no key, or a provider. */
export const KEYS = ["none", "openai", "anthropic", "google"] as const;
export type Key = (typeof KEYS)[number];

export interface ProjectRequest {
  readonly name: string;
  /** The version of `turnseal` that it is made for. */
  readonly version: string;
  readonly content:
    | { readonly kind: "template"; readonly purpose: Purpose; readonly key: Key }
    | { readonly kind: "example"; readonly example: string };
}

/** The text of each file, by its path in the project. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** Versions that a new project begins with. */
const ZOD = "^4.6.7";
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: "^4.0.114",
  anthropic: "^4.0.102",
  google: "^4.0.117",
};

/** Reads them from the folder that holds the template or the example. */
export async function readProjectFiles(
  request: ProjectRequest,
  folder: string,
): Promise<ProjectFiles> {
  const { content } = request;
  const files = await readFolder(folder);
  const shipped =
    content.kind === "template" ? withKey(files, content.key) : pickExample(files, content.example);
  return new Map([
    ["package.json", renderManifest(request)],
    ["tsconfig.json", TSCONFIG],
    [".gitignore", "node_modules/\n.turnseal/\n"],
    ...shipped,
  ]);
}

async function readFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [
        path.slice(folder.length).replaceAll("\\", "/"),
        await readFile(path, "utf8"),
      ] as const;
    }),
  );
  return new Map(read.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** With a key a provider answers, and there is no script. */
function withKey(files: ReadonlyMap<string, string>, key: Key): ProjectFiles {
  if (key === "none") return files;
  const kept = [...files].filter(([path]) => path !== "loops/script.ts");
  return new Map(
    kept.map(([path, text]) => [
      path,
      text
        .replace('backend: { id: "script" }', `backend: { id: "${key}" }`)
        .replace('provider = "script"', `provider = "${key}"`),
    ]),
  );
}

/** Its documents say the same as its module, and its page is about this repository. */
function pickExample(files: ReadonlyMap<string, string>, example: string): ProjectFiles {
  const kept = [...files].filter(
    ([path]) => !/^loops\/|^README\.md$|^expected-output\.txt$|\.test\.ts$/.test(path),
  );
  return new Map([...kept, ["README.md", renderExamplePage(example)]]);
}

function renderExamplePage(example: string): string {
  return [
    `# The example ${example}`,
    "",
    "`loops.ts` has the loops, and `main.ts` is a program that uses them. It needs no key:",
    "",
    "    npm install",
    "    node main.ts",
    "",
    "`npx turnseal loops --from loops.ts` lists the loops, and `npx turnseal --help` the commands.",
    "",
  ].join("\n");
}

function renderManifest({ name, version, content }: ProjectRequest): string {
  const key = content.kind === "template" ? content.key : "none";
  const isTested = content.kind === "template";
  const manifest = {
    ...{ name, private: true, type: "module" },
    scripts: isTested ? { test: "turnseal test tests" } : { start: "node main.ts" },
    dependencies: {
      ...(key === "none" ? {} : { [`@ai-sdk/${key}`]: PROVIDERS[key] }),
      turnseal: version,
      zod: ZOD,
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      ...{ target: "es2024", module: "nodenext", strict: true, noEmit: true, skipLibCheck: true },
      allowImportingTsExtensions: true,
    },
  },
  null,
  2,
)}\n`;
