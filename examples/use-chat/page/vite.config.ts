import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The pages as files, for any server; where the agents are is said when it is built. */
export default defineConfig({
  base: "./",
  define: {
    SERVER_URL: JSON.stringify(process.env["CHAT_SERVER_URL"] ?? "http://127.0.0.1:8787"),
  },
  // Of this repository the sources are taken; a project of yours needs no such line.
  resolve: { conditions: ["turnseal-source", "import", "browser", "module", "default"] },
  build: {
    ...{ outDir: "dist", emptyOutDir: true, target: "esnext" },
    rollupOptions: {
      input: [pathOf("./index.html"), pathOf("./assistant.html")],
      // "use client" is for servers that render, and there is none.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
