import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { turnseal } from "turnseal";
import { createServer, localhostOnly, serve } from "turnseal/server";
import { agents } from "./agents.ts";
import { models } from "./loops/model.ts";

/** Conversations are stored in `.turnseal/runs.db`, a SQLite file, and continue after a restart. */
const host = await turnseal({ models });

const server = createServer({
  host,
  agents,
  // For development. In production, say here who your users are: apiKeys, oidc, or a function.
  authenticate: localhostOnly(),
  onFailure: (error, { run }) => console.error(run ?? "", error),
});

const app = new Hono();
app.all("/v1/*", (context) => server.fetch(context.req.raw, context.env as object));
app.use(serveStatic({ root: "page/dist" }));

const port = Number(process.env.PORT ?? 3000);
const served = serve({ fetch: app.fetch, close: server.close }, { port });
const { url, close } = await served.catch((error) => {
  console.error(`${error.message}; such as: PORT=${port + 1} npm start`);
  process.exit(1);
});
console.log(`The chat is at ${url.replace("127.0.0.1", "localhost")}`);

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void close().then(host.close));
