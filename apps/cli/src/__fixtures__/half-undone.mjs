// The loops of a worker that lacks what takes back: the tool acts, and declares nothing.
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";

export { fail, lose, mail } from "./undone.mjs";

export const put = defineTool({
  ...{ id: "put", version: "1.0.0", effect: "idempotent", build: "test" },
  input: jsonSchema({ type: "object" }),
  output: jsonSchema({ type: "object" }),
  run: ({ what }) => ({ what }),
});
