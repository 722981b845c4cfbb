import { afterAll, beforeAll, expect, test } from "vitest";
import { LIST_PAGE_DEFAULT, LIST_PAGE_MAX } from "../limits.ts";
import { openSampleServer, type SampleServer } from "../sample-server.test.data.ts";

let sample: SampleServer;
// biome-ignore lint/suspicious/noExplicitAny: the document is looked at field by field.
let document: any;
beforeAll(async () => {
  sample = await openSampleServer();
  ({ json: document } = await sample.ask("ada", "/v1/openapi.json"));
});
afterAll(async () => {
  await sample.close();
});

test("the document is OpenAPI 3.1, and names every route and what streams carry", () => {
  expect(document.openapi).toBe("3.1.0");
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  );
  expect(routes.toSorted()).toEqual([
    "get /v1/agents",
    "get /v1/chats/{agent}/{id}",
    "get /v1/chats/{agent}/{id}/messages",
    "get /v1/chats/{agent}/{id}/stream",
    "get /v1/health",
    "get /v1/inbox",
    "get /v1/loops",
    "get /v1/runs",
    "get /v1/runs/{run}",
    "get /v1/runs/{run}/context",
    "get /v1/runs/{run}/cost",
    "get /v1/runs/{run}/events",
    "get /v1/runs/{run}/files/{file}",
    "get /v1/runs/{run}/receipts",
    "get /v1/runs/{run}/standing",
    "get /v1/runs/{run}/stream",
    "get /v1/runs/{run}/transcript",
    "get /v1/starts/{key}",
    "post /v1/chats/{agent}",
    "post /v1/chats/{agent}/{id}/files",
    "post /v1/chats/{agent}/{id}/stop",
    "post /v1/runs",
    "post /v1/runs/{run}/abort",
    "post /v1/runs/{run}/answers",
    "post /v1/runs/{run}/cancel",
    "post /v1/runs/{run}/decisions",
    "post /v1/runs/{run}/files",
    "post /v1/runs/{run}/messages",
    "post /v1/runs/{run}/resolutions",
    "post /v1/runs/{run}/retry",
    "post /v1/runs/{run}/revocations",
    "post /v1/runs/{run}/signals",
    "post /v1/starts/{key}/files",
  ]);
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(expect.arrayContaining(["Delta", "RunState", "EventEnvelope", "Error"]));
});

test("every route of the document is one of the server", async () => {
  const run = await sample.start("ada", "chat", { text: "hi" });
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of Object.keys(methods as object)) {
      const to = path.replace("{run}", run).replace("/stream", "/stream?after=none");
      const answer = await sample.ask("ada", to, method === "post" ? {} : undefined);
      expect(answer.json?.error?.code, `${method} ${path}`).not.toBe("ROUTE_UNKNOWN");
      expect(Object.keys(document.paths[path][method].responses)).toContain(String(answer.status));
    }
  }
});

test("a body that it describes has no field beside", () => {
  for (const name of ["Start", "Message", "Decision", "Answer", "Signal", "Abort"])
    expect(document.components.schemas[name].additionalProperties, name).toBe(false);
});

test("a list has LIST_PAGE_DEFAULT rows a page, and at most LIST_PAGE_MAX", () => {
  const { parameters } = document.paths["/v1/runs"].get;
  const limit = parameters.find(({ name }: { name: string }) => name === "limit");
  expect(limit.schema).toMatchObject({ default: LIST_PAGE_DEFAULT, maximum: LIST_PAGE_MAX });
});
