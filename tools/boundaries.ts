/**
 * Who may import what: the one table.
 *
 * The tidy test enforces it, the manifests are compared with it, and `print-boundaries.ts` writes
 * it into ARCHITECTURE.md. An import that is not listed here is refused, also one of types only.
 */

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
   * What each folder of `src` may import of the others, and under `.` what the files beside the
   * folders may. Those files may be imported by all, and only `index.ts`, which lists exports,
   * looks into every folder.
   */
  readonly layers?: Readonly<Record<string, readonly string[]>>;
}

export const BOUNDARIES: readonly Boundary[] = [
  {
    folder: "packages/protocol",
    name: "@turnseal/protocol",
    workspace: [],
    external: [],
    node: [],
    layers: {
      ".": ["budget", "policy", "trace"],
      log: [],
      loop: [],
      session: [],
      streaming: [],
      guidance: [],
      budget: [],
      policy: ["budget"],
      grant: ["budget", "policy"],
      approval: ["log", "policy"],
      run: ["grant", "guidance", "log", "loop"],
      receipt: ["budget", "grant", "log", "policy", "run"],
      events: ["approval", "budget", "grant", "log", "policy", "receipt", "run"],
      trace: ["events"],
      authoring: ["approval", "events", "grant", "loop"],
      verify: ["approval", "budget", "events", "grant", "log", "receipt", "run"],
    },
  },
  {
    folder: "packages/ports",
    name: "@turnseal/ports",
    workspace: ["@turnseal/protocol"],
    external: [],
    node: [],
    nodeIn: { suffix: "-contract.ts", modules: ["node:assert"] },
  },
  {
    folder: "packages/kernel",
    name: "@turnseal/kernel",
    workspace: ["@turnseal/ports", "@turnseal/protocol"],
    external: ["@eslint-community/regexpp", "@marcbachmann/cel-js", "tokenx"],
    node: [],
    layers: {
      ".": ["registry", "step"],
      bounded: [],
      definition: ["bounded"],
      registry: ["definition"],
      policy: ["bounded"],
      context: ["bounded", "definition"],
      log: [],
      resume: ["log"],
      step: ["log", "resume"],
      gate: ["log", "resume", "step"],
      journal: ["gate", "log", "resume", "step"],
      actions: ["bounded", "context", "definition", "journal", "resume", "step"],
      flow: ["actions", "context", "definition", "resume"],
      call: ["actions", "definition", "flow", "journal", "registry", "resume"],
      admission: ["definition", "registry"],
      receipt: ["log"],
      turn: [
        "admission",
        "call",
        "gate",
        "journal",
        "log",
        "policy",
        "receipt",
        "registry",
        "resume",
        "step",
      ],
    },
  },
  {
    folder: "packages/host",
    name: "@turnseal/host",
    workspace: ["@turnseal/kernel", "@turnseal/ports", "@turnseal/protocol"],
    external: ["@restatedev/restate-sdk", "croner"],
    node: [],
    layers: {
      ".": ["decide", "deliver", "inbox", "projection", "schedule", "turn"],
      projection: [],
      inbox: ["projection"],
      schedule: ["projection"],
      decide: ["projection", "schedule"],
      turn: ["decide", "inbox", "projection"],
      deliver: ["projection"],
      messages: ["inbox", "projection", "schedule"],
      replay: ["projection", "turn"],
      local: ["decide", "deliver", "messages", "projection", "replay"],
      restate: ["decide", "deliver", "projection"],
      views: ["projection"],
    },
  },
  {
    folder: "packages/adapters",
    name: "@turnseal/adapters",
    workspace: ["@turnseal/ports", "@turnseal/protocol"],
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
      "node:crypto",
      "node:fs",
      "node:path",
      "node:sqlite",
      "node:timers/promises",
      "node:zlib",
    ],
    testWorkspace: ["@turnseal/host", "@turnseal/kernel"],
  },
  {
    folder: "packages/runtime",
    name: "@turnseal/runtime",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/host",
      "@turnseal/kernel",
      "@turnseal/ports",
      "@turnseal/protocol",
    ],
    external: [
      "jsonc-parser",
      "smol-toml",
      // Only for runs under an engine; its server is started as a program.
      "@restatedev/restate-sdk",
      "@restatedev/restate-server",
      "pg",
      "redis",
    ],
    node: "any",
    layers: {
      ".": [],
      project: [],
      folder: [],
      engine: ["folder"],
      worker: ["engine", "folder"],
      runs: ["engine", "folder", "project"],
    },
  },
  {
    folder: "packages/testing",
    name: "@turnseal/testing",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/host",
      "@turnseal/kernel",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/runtime",
    ],
    external: [],
    node: "any",
    layers: { ".": ["harness"], world: [], harness: ["world"] },
  },
  {
    folder: "packages/client",
    name: "@turnseal/client",
    workspace: ["@turnseal/protocol"],
    external: ["eventsource-parser", "react"],
    node: [],
    layers: { ".": ["session", "wire"], session: [], wire: ["session"], react: [] },
  },
  {
    folder: "packages/conformance",
    name: "@turnseal/conformance",
    workspace: ["@turnseal/protocol"],
    external: [],
    node: "any",
  },
  {
    folder: "apps/server",
    name: "@turnseal/server",
    workspace: ["@turnseal/host", "@turnseal/ports", "@turnseal/protocol"],
    external: ["@hono/node-server", "@hono/zod-openapi", "hono", "jose", "zod"],
    node: "any",
    testWorkspace: ["@turnseal/adapters", "@turnseal/kernel"],
  },
  {
    folder: "apps/cli",
    name: "turnseal",
    workspace: [
      "@turnseal/adapters",
      "@turnseal/conformance",
      "@turnseal/host",
      "@turnseal/kernel",
      "@turnseal/ports",
      "@turnseal/protocol",
      "@turnseal/runtime",
      "@turnseal/server",
      "@turnseal/testing",
    ],
    external: [
      "commander",
      // Only for runs under an engine: whoever installs the command brings them along.
      "@restatedev/restate-sdk",
      "@restatedev/restate-server",
      "pg",
      "redis",
    ],
    node: "any",
  },
];

/** What tests may import beside what their package may; they may load any module of Node. */
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
  "fast-check",
  "happy-dom",
  "json-p3",
  "react",
  "react-dom",
  "rolldown",
  "vitest",
  "zod",
];

/** The examples use what a user has: the public package and a schema library. */
export const EXAMPLES = {
  folder: "examples",
  imports: ["turnseal", "zod"],
  /** Whoever brings a host of their own builds on the kernel, and on nothing of ours above it. */
  ownHost: {
    folder: "examples/own-host",
    imports: ["@turnseal/kernel", "@turnseal/ports", "@turnseal/protocol"],
  },
  /** A page has the client, and something that makes one file of it. */
  chat: { folder: "examples/chat", imports: ["@turnseal/client", "rolldown"] },
  /** Whoever tests an agent installs what tests it, too. */
  agentTest: { folder: "examples/agent-test", imports: ["@turnseal/testing"] },
} as const;
