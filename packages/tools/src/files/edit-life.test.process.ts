/** A process that edits one file again and again in a run, until it is killed or done. */
import { writeSync } from "node:fs";
import { folderRoots } from "@turnseal/adapters/fs";
import { fileKeys } from "@turnseal/adapters/keys";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost } from "@turnseal/host";
import { type Model, type ScriptedReply, scriptedModel } from "@turnseal/ports";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import { grantTerms } from "../terms/grant-terms.ts";
import { fileTools } from "./file-tools.ts";

const [place = "", edits = "0"] = process.argv.slice(2);
const files = fileTools("site");
/** Its next call follows from the results in the request alone, whichever process asks. */
const model: Model = {
  defaultModel: "scripted",
  generate: (request) => {
    const told = request.messages.flatMap((item) => (item.role === "tool" ? [item.result] : []));
    const { version } = (told.at(-1) ?? {}) as { readonly version?: string };
    writeSync(1, "round\n");
    const change = { path: "a.txt", version, edits: [{ from: "end", to: "x end" }] };
    let reply: ScriptedReply = { toolCalls: [{ tool: "fs__edit", input: change }] };
    if (told.length === 0) reply = { toolCalls: [{ tool: "fs__read", input: { path: "a.txt" } }] };
    else if (told.length > Number(edits)) reply = "done";
    return scriptedModel([reply]).generate(request);
  },
};
const agent = definePrompt({
  ...{ id: "agent", version: "1.0.0", template: "work", tools: [files.read, files.edit] },
  input: jsonSchema<object>({ type: "object" }),
  output: jsonSchema<{ text: string }>({ type: "object", required: ["text"] }),
  maxRounds: 32,
});
const host = createLocalHost({
  ...{ loops: [agent], models: { scripted: model } },
  stores: sqliteStores({ file: `${place}/runs.db` }),
  signer: await fileKeys({ folder: `${place}/keys` }).openSigner(),
  roots: folderRoots({ site: `${place}/root` }),
});
const terms = [grantTerms.files("site", { verbs: ["read", "write"] })];
const budget = { toolCalls: 99, modelCalls: 99 };
const grant = { grantor: "ada", tools: ["fs.read", "fs.edit"], terms, budget };
const run = await host.start(agent, {}, { grant, key: "run", by: "ada" });
const { projection } = await host.drive(run);
writeSync(1, `${projection?.stopped}\n`);
