// The server inside of programs that people have: Express, Hono, and handlers of web requests.

import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KEYS, openSampleServer, type SampleServer } from "./sample-server.test.data.ts";
import { nodeHandler } from "./serve.ts";

let sample: SampleServer;
const opened: { close(callback: () => void): unknown }[] = [];
beforeAll(async () => {
  sample = await openSampleServer();
});
afterAll(async () => {
  await sample.close();
  for (const one of opened) await new Promise<void>((resolve) => one.close(() => resolve()));
});

async function hold(url: string): Promise<string> {
  const headers = {
    authorization: `Bearer ${KEYS.ada}`,
    "content-type": "application/json",
  };
  const message = { id: "one", role: "user", parts: [{ type: "text", text: "hello" }] };
  const response = await fetch(`${url}/v1/chats/chat`, {
    ...{ method: "POST", headers },
    body: JSON.stringify({ id: `at ${url}`, messages: [message], trigger: "submit-message" }),
  });
  return response.text();
}

async function urlOf(http: HttpServer): Promise<string> {
  opened.push(http);
  if (!http.listening) await new Promise((resolve) => http.once("listening", resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

test("Express serves it beside routes of its own, and streams", async () => {
  const app = express();
  app.all("/v1/*path", nodeHandler(sample.server));
  app.use(express.json());
  app.get("/own", (_, response) => void response.send("mine"));
  const url = await urlOf(app.listen(0, "127.0.0.1"));
  expect(await (await fetch(`${url}/own`)).text()).toBe("mine");
  expect(await hold(url)).toContain('"delta":"Here "');
  expect((await fetch(`${url}/v1/agents`)).status).toBe(401);
});

test("Hono serves it beside routes of its own, and streams", async () => {
  const app = new Hono();
  app.all("/v1/*", (context) => sample.server.fetch(context.req.raw, context.env as object));
  app.get("/own", (context) => context.text("mine"));
  const url = await urlOf(serveHono({ fetch: app.fetch, port: 0 }) as HttpServer);
  expect(await (await fetch(`${url}/own`)).text()).toBe("mine");
  expect(await hold(url)).toContain('"delta":"Here "');
});

test("a route handler takes a web request, and gives a response that streams", async () => {
  const GET = (request: Request) => sample.server.fetch(request);
  const POST = GET;
  const headers = { authorization: `Bearer ${KEYS.ada}`, "content-type": "application/json" };
  const agents = await GET(new Request("http://shop.example/v1/agents", { headers }));
  expect(await agents.json()).toMatchObject({ agents: [{ name: "desk" }, {}, {}, {}] });
  const message = { id: "one", role: "user", parts: [{ type: "text", text: "hello" }] };
  const body = JSON.stringify({ id: "web", messages: [message], trigger: "submit-message" });
  const request = new Request("http://shop.example/v1/chats/chat", {
    ...{ method: "POST", headers, body },
  });
  expect(await (await POST(request)).text()).toContain('"delta":"Here "');
});
