import { fileURLToPath } from "node:url";
import { build } from "rolldown";

/**
 * `@turnseal/protocol/receipts` as one script for a browser, which sets the variable `receipts`.
 */
export async function bundleReceipts(): Promise<string> {
  const { output } = await build({
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    input: "@turnseal/protocol/receipts",
    platform: "browser",
    resolve: { conditionNames: ["turnseal-source", "import", "default"] },
    // An unresolved import would become an external one: it must fail instead.
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
    output: { format: "iife", name: "receipts" },
    write: false,
  });
  return output[0].code;
}
