/**
 * Who may import what: the one table.
 *
 * The tidy test enforces it, the manifests are compared with it, and `print-documents.ts` writes it
 * into docs/map.md. An import that is not listed here is refused, also one of types only. The
 * imports between folders of a package are in `layers.ts`.
 */
import { LAYERS, type Layers } from "./layers.ts";

/** Node's own modules that a package may load: all, none, or those listed. */
export type NodeModules = "any" | readonly string[];

export interface Boundary {
  /** The folder, from the root of the repository. */
  readonly folder: string;
  readonly name: string;
  readonly workspace: readonly string[];
  readonly external: readonly string[];
  readonly node: NodeModules;
  /** Files that may load more of Node than the rest of their package, by the end of their path. */
  readonly nodeIn?: { readonly suffix: string; readonly modules: readonly string[] };
  /** Packages of the workspace that only tests may import. */
  readonly testWorkspace?: readonly string[];
  /**
   * The allowed imports between the folders of `src`. `index.ts`, which lists exports, looks into
   * every folder.
   */
  readonly layers?: Layers;
}

export const BOUNDARIES: readonly Boundary[] = [
  {
    folder: "packages/protocol",
    name: "@turnseal/protocol",
    workspace: [],
    external: [],
    node: [],
    layers: LAYERS["packages/protocol"],
  },
  {
    folder: "packages/ports",
    name: "@turnseal/ports",
    workspace: ["@turnseal/protocol"],
    external: [],
    node: [],
    nodeIn: { suffix: "-contract.ts", modules: ["node:assert"] },
    layers: LAYERS["packages/ports"],
  },
  {
    folder: "packages/folds",
    name: "@turnseal/folds",
    workspace: ["@turnseal/protocol"],
    external: [],
    node: [],
    testWorkspace: ["@turnseal/ports"],
    layers: LAYERS["packages/folds"],
  },
  {
    folder: "packages/views",
    name: "@turnseal/views",
    workspace: ["@turnseal/folds", "@turnseal/protocol"],
    external: [],
    node: [],
    testWorkspace: ["@turnseal/ports"],
    layers: LAYERS["packages/views"],
  },
  {
    folder: "packages/kernel",
    name: "@turnseal/kernel",
    workspace: ["@turnseal/folds", "@turnseal/ports", "@turnseal/protocol"],
    external: ["@eslint-community/regexpp", "@marcbachmann/cel-js", "tokenx"],
    node: [],
    layers: LAYERS["packages/kernel"],
  },
  {
    folder: "packages/host",
    name: "@turnseal/host",
    workspace: [
      "@turnseal/folds",
      "@turnseal/kernel",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/views",
    ],
    external: ["@restatedev/restate-sdk", "croner"],
    node: [],
    layers: LAYERS["packages/host"],
  },
  {
    folder: "packages/mplp",
    name: "@turnseal/mplp",
    workspace: ["@turnseal/folds", "@turnseal/host", "@turnseal/ports", "@turnseal/protocol"],
    external: [],
    node: [],
    nodeIn: { suffix: "-contract.ts", modules: ["node:assert"] },
    layers: LAYERS["packages/mplp"],
  },
  {
    folder: "packages/adapters",
    name: "@turnseal/adapters",
    workspace: ["@turnseal/documents", "@turnseal/ports", "@turnseal/protocol"],
    external: [
      "@ai-sdk/anthropic",
      "@ai-sdk/google",
      "@ai-sdk/openai",
      "@ai-sdk/openai-compatible",
      "@ai-sdk/provider",
      // The types of the provider interface need it, and do not bring it.
      "@types/json-schema",
      "pg",
      "redis",
    ],
    node: [
      // To ask whether the process that holds a lease still runs.
      "node:child_process",
      "node:crypto",
      "node:fs",
      "node:http",
      "node:https",
      "node:os",
      "node:path",
      "node:sqlite",
      "node:stream",
      "node:timers/promises",
      "node:zlib",
    ],
    testWorkspace: ["@turnseal/host", "@turnseal/kernel", "@turnseal/views"],
    layers: LAYERS["packages/adapters"],
  },
  {
    folder: "packages/documents",
    name: "@turnseal/documents",
    workspace: ["@turnseal/ports", "@turnseal/protocol"],
    external: ["jsonc-parser", "smol-toml"],
    node: ["node:fs", "node:http", "node:stream"],
    layers: LAYERS["packages/documents"],
  },
  {
    // Loaded when a workflow is read or defined.
    folder: "packages/workflow",
    name: "@turnseal/workflow",
    workspace: ["@turnseal/documents", "@turnseal/kernel", "@turnseal/ports", "@turnseal/protocol"],
    external: [],
    node: ["node:fs/promises", "node:path"],
    layers: LAYERS["packages/workflow"],
  },
  {
    folder: "packages/runtime",
    name: "@turnseal/runtime",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/documents",
      "@turnseal/folds",
      "@turnseal/host",
      "@turnseal/kernel",
      "@turnseal/ports",
      "@turnseal/protocol",
      // The tools of the servers that a project names.
      "@turnseal/mcp",
      // The verbs that workflow files have for the folder of a command.
      "@turnseal/tools",
      "@turnseal/views",
      "@turnseal/workflow",
    ],
    external: [
      // Only for runs under an engine; its server is started as a program.
      "@restatedev/restate-sdk",
      "@restatedev/restate-server",
      "pg",
      "redis",
    ],
    node: "any",
    layers: LAYERS["packages/runtime"],
  },
  {
    folder: "packages/tools",
    name: "@turnseal/tools",
    workspace: ["@turnseal/kernel", "@turnseal/protocol"],
    external: [],
    node: "any",
    testWorkspace: ["@turnseal/adapters", "@turnseal/host", "@turnseal/ports"],
    layers: LAYERS["packages/tools"],
  },
  {
    folder: "packages/operate",
    name: "@turnseal/operate",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/documents",
      "@turnseal/folds",
      "@turnseal/host",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/runtime",
      "@turnseal/views",
    ],
    external: ["pg"],
    node: "any",
    layers: LAYERS["packages/operate"],
  },
  {
    folder: "packages/mcp",
    name: "@turnseal/mcp",
    workspace: ["@turnseal/documents", "@turnseal/kernel", "@turnseal/protocol", "@turnseal/tools"],
    // Loaded at the first connection: who has no server needs no client.
    external: ["@modelcontextprotocol/client"],
    node: "any",
    testWorkspace: ["@turnseal/adapters", "@turnseal/host", "@turnseal/ports"],
    layers: LAYERS["packages/mcp"],
  },
  {
    folder: "packages/testing",
    name: "@turnseal/testing",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/documents",
      "@turnseal/folds",
      "@turnseal/host",
      "@turnseal/kernel",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/runtime",
      "@turnseal/views",
    ],
    external: [],
    node: "any",
    layers: LAYERS["packages/testing"],
  },
  {
    // What the command shows; a program that shows runs in a terminal may use it, too.
    folder: "packages/terminal",
    name: "@turnseal/terminal",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/documents",
      "@turnseal/folds",
      "@turnseal/host",
      "@turnseal/kernel",
      "@turnseal/mcp",
      "@turnseal/operate",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/runtime",
      "@turnseal/testing",
      "@turnseal/views",
    ],
    external: [],
    node: ["node:os", "node:tty", "node:util"],
    layers: LAYERS["packages/terminal"],
  },
  {
    folder: "packages/client",
    name: "@turnseal/client",
    workspace: ["@turnseal/protocol"],
    external: ["ai", "eventsource-parser", "react"],
    node: [],
    layers: LAYERS["packages/client"],
  },
  {
    folder: "packages/conformance",
    name: "@turnseal/conformance",
    workspace: ["@turnseal/protocol"],
    external: [],
    node: "any",
    layers: LAYERS["packages/conformance"],
  },
  {
    folder: "packages/verify",
    name: "@turnseal/verify",
    workspace: ["@turnseal/protocol"],
    external: [],
    node: [],
    layers: LAYERS["packages/verify"],
  },
  {
    folder: "packages/sessions",
    name: "@turnseal/sessions",
    workspace: [
      "@turnseal/folds",
      "@turnseal/host",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/views",
    ],
    external: [],
    node: ["node:crypto"],
    layers: LAYERS["packages/sessions"],
  },
  {
    folder: "apps/server",
    name: "@turnseal/server",
    workspace: [
      "@turnseal/folds",
      "@turnseal/host",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/sessions",
    ],
    external: ["@hono/node-server", "@hono/zod-openapi", "hono", "jose", "zod"],
    node: "any",
    testWorkspace: ["@turnseal/adapters", "@turnseal/client", "@turnseal/kernel"],
    layers: LAYERS["apps/server"],
  },
  {
    folder: "apps/cli",
    name: "turnseal",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/documents",
      "@turnseal/folds",
      "@turnseal/host",
      "@turnseal/kernel",
      "@turnseal/mcp",
      "@turnseal/operate",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/runtime",
      "@turnseal/server",
      "@turnseal/terminal",
      "@turnseal/testing",
      "@turnseal/tools",
      "@turnseal/views",
      "@turnseal/workflow",
    ],
    external: [
      "commander",
      // Only for servers of MCP.
      "@modelcontextprotocol/client",
      // Only for runs under an engine: the operator of the command installs them.
      "@restatedev/restate-sdk",
      "@restatedev/restate-server",
      "pg",
      "redis",
    ],
    node: "any",
    layers: LAYERS["apps/cli"],
  },
  {
    // A program of a few lines, for `npm create turnseal`.
    folder: "packages/create-turnseal",
    name: "create-turnseal",
    workspace: ["turnseal"],
    external: [],
    node: [],
  },
];

/**
 * Packages that tests may import beside those of their package; they may load any module of Node.
 */
export const TEST_EXTERNALS: readonly string[] = [
  "@ai-sdk/anthropic",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@ai-sdk/provider",
  "@copilotkit/aimock",
  "@sigstore/core",
  "ai",
  "ajv",
  "arktype",
  "canonicalize",
  "express",
  "fast-check",
  "gpt-tokenizer",
  "happy-dom",
  "json-p3",
  "react",
  "react-dom",
  "@ai-sdk/react",
  "rolldown",
  "vitest",
  "yaml",
  "zod",
];

/** The examples use what a user has: the public package and a schema library. */
export const EXAMPLES = {
  folder: "examples",
  imports: ["turnseal", "zod"],
  /** A page has the client, and something that makes one file of it. */
  chat: { folder: "examples/chat", imports: ["@turnseal/client", "rolldown"] },
  /** A page with the AI SDK has its hook or what is built on it, and what builds such pages. */
  useChat: {
    folder: "examples/use-chat",
    imports: [
      ...["@ai-sdk/react", "@assistant-ui/react", "@assistant-ui/react-ai-sdk"],
      ...["@turnseal/client", "ai", "react", "react-dom", "vite"],
    ],
  },
} as const;
