/**
 * The files of a new project: those of a template or an example as they are shipped, and beside
 * them what npm, TypeScript and git need.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The purposes of a project, each with one line for the help. */
export const PURPOSES = {
  chat: "a chat page with useChat, a server, and approvals in the page",
  code: "a coding agent with files, tests in a sandbox, approvals and undo",
  money: "payments that a person approves, with a budget, an inbox and undo",
  pipeline: "a fan-out over many items that delivers the rest if some fail",
} as const;
export type Purpose = keyof typeof PURPOSES;

export interface ProjectRequest {
  readonly name: string;
  /** The version of `turnseal` that it is made for. */
  readonly version: string;
  readonly content:
    | { readonly kind: "template"; readonly purpose: Purpose }
    | { readonly kind: "example"; readonly example: string };
}

/** The text of each file, by its path in the project. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** Versions that a new project begins with. */
const ZOD = { zod: "^4.6.7" };
/** A key in the environment is all that a provider needs. */
const PROVIDERS = {
  "@ai-sdk/anthropic": "^4.0.102",
  "@ai-sdk/google": "^4.0.117",
  "@ai-sdk/openai": "^4.0.114",
};
const PAGE = {
  "@ai-sdk/react": "^4.0.167",
  "@hono/node-server": "^2.1.6",
  ai: "^7.0.169",
  hono: "^4.13.17",
  react: "^19.3.1",
  "react-dom": "^19.3.1",
  vite: "^8.3.8",
};
const TYPES = { "@types/node": "^24.19.2" };
const PAGE_TYPES = { "@types/react": "^19.3.0", "@types/react-dom": "^19.3.0" };

/** The command behind `npm start`. */
const STARTS: Readonly<Record<Purpose, string>> = {
  chat: "vite build page --logLevel error && node server.ts",
  code: commandOf("fix --input-file task.json --policy policy.toml"),
  money: commandOf("refund --input-file order.json --policy policy.toml --key A-17"),
  pipeline: commandOf("research --input-file topics.json"),
};

function commandOf(run: string): string {
  return `turnseal run ${run} --grant grant.json`;
}

/** Reads them from the folder that holds the template or the example. */
export async function readProjectFiles(
  request: ProjectRequest,
  folder: string,
): Promise<ProjectFiles> {
  const { content } = request;
  const files = await readFolder(folder);
  const shipped = content.kind === "template" ? files : pickExample(files, content.example);
  return new Map([
    ["package.json", renderManifest(request)],
    ["tsconfig.json", renderTsconfig(content)],
    [".gitignore", "node_modules/\n.turnseal/\ndist/\n"],
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
  const common = { name, private: true, type: "module" };
  const manifest =
    content.kind === "template"
      ? { ...common, ...describeTemplate(content.purpose, version) }
      : {
          ...common,
          scripts: { start: "node main.ts" },
          dependencies: { turnseal: version, ...ZOD },
        };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function describeTemplate(purpose: Purpose, version: string) {
  const isPage = purpose === "chat";
  const ours = isPage ? ["@turnseal/client", "turnseal"] : ["turnseal"];
  const own = Object.fromEntries(ours.map((name) => [name, version]));
  return {
    scripts: { start: STARTS[purpose], test: "turnseal test tests" },
    dependencies: { ...PROVIDERS, ...(isPage ? PAGE : {}), ...own, ...ZOD },
    devDependencies: { ...TYPES, ...(isPage ? PAGE_TYPES : {}) },
  };
}

function renderTsconfig(content: ProjectRequest["content"]): string {
  const isPage = content.kind === "template" && content.purpose === "chat";
  const compilerOptions = {
    ...{ target: "es2024", module: "nodenext", strict: true, noEmit: true, skipLibCheck: true },
    allowImportingTsExtensions: true,
    ...(content.kind === "template" ? { types: ["node"] } : {}),
    ...(isPage ? { jsx: "react-jsx", lib: ["ES2024", "DOM", "DOM.Iterable"] } : {}),
  };
  return `${JSON.stringify({ compilerOptions }, null, 2)}\n`;
}
