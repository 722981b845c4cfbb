import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests run from source: the condition picks the `turnseal-source` entry of every exports map.
// Vite adds `import` and `require` itself, each where it applies.
const conditions = ["turnseal-source", "node", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "packages/**/*.test.ts",
      "apps/**/*.test.ts",
      "tools/**/*.test.ts",
      "proofs/**/*.test.ts",
      "examples/**/*.test.ts",
      "bench/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    maxWorkers: 2,
    // Tests start hundreds of processes from source, and most of a start is reading the same files:
    // what was compiled is kept. A file with other content has another key.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)),
    },
    // Files share the modules of their worker: our modules keep no state that a test could leave
    // behind.
    isolate: false,
    // For a machine that does much else: what hangs is found all the same.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
