// A tool that changes records of a service, and says what they are now.
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";

const place = (thing) => `${process.env.TURNSEAL_TEST_DESK}/${thing}`;

export const file = defineTool({
  id: "file",
  version: "1.0.0",
  effect: "idempotent",
  secrets: ["DESK_TOKEN"],
  artifacts: {
    root: "desk",
    inspect: async (thing, { secrets, signal }) => {
      const headers = { authorization: secrets.DESK_TOKEN };
      const answer = await fetch(place(thing), { headers, signal });
      if (answer.status === 404) return null;
      if (!answer.ok) throw new Error(`the desk answered ${answer.status}`);
      return answer.text();
    },
  },
  input: jsonSchema(true),
  output: jsonSchema(true),
  run: async (records, { artifacts, secrets }) => {
    const said = {};
    for (const [thing, body] of Object.entries(records)) {
      const headers = { authorization: secrets.DESK_TOKEN };
      await fetch(place(thing), { method: "PUT", headers, body });
      const change = await artifacts.write(thing, new TextEncoder().encode(body));
      said[thing] = change.kind;
    }
    return said;
  },
});
