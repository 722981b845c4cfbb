// A tool that changes files of the root `site`.
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";

export const write = defineTool({
  id: "write",
  version: "1.0.0",
  effect: "idempotent",
  artifacts: { root: "site" },
  input: jsonSchema(true),
  output: jsonSchema(true),
  run: async (files, { artifacts }) => {
    for (const [path, text] of Object.entries(files)) {
      const change = await artifacts.write(path, new TextEncoder().encode(text));
      if (change.kind !== "done") throw new Error(`${path}: ${change.kind}`);
    }
    return { done: true };
  },
});
