import { expect, test } from "vitest";
import { withoutSourceCondition } from "./without-source-condition.ts";

test("the source condition is left out of every export, the rest stays in order", () => {
  const manifest = {
    name: "a",
    exports: {
      ".": { "turnseal-source": "./src/index.ts", types: "./dist/index.d.ts", default: "./x.js" },
      "./b": { "turnseal-source": "./src/b.ts", default: "./b.js" },
    },
  };
  expect(JSON.stringify(withoutSourceCondition(manifest))).toBe(
    JSON.stringify({
      name: "a",
      exports: {
        ".": { types: "./dist/index.d.ts", default: "./x.js" },
        "./b": { default: "./b.js" },
      },
    }),
  );
});
