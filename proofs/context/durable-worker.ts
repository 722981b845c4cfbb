/** A worker of the durable host, which serves chats until it is killed: `<settings as JSON>`. */
import { startWorker } from "@turnseal/operate/worker";
import type { DurableSettings } from "./durable-chats.ts";
import { bindTalk } from "./talking-host.ts";

const settings = JSON.parse(process.argv[2] ?? "{}") as DurableSettings;
const { databaseUrl, tenant, identityKeys, port, ...talker } = settings;
const { agent: _, ...host } = bindTalk(talker);

await startWorker({
  ...{ host, postgres: databaseUrl, tenants: [tenant] },
  ...{ identityKeys, port, connectionsMax: 4 },
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
