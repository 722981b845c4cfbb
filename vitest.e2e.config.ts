import { defineConfig } from "vitest/config";

const conditions = ["turnseal-source", "node", "module", "default"];

/** Real engines and databases, started by the tests. They wait more than they compute. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["e2e/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
