import { connect } from "node:http2";
import { KEEP_ALIVE_MS } from "@turnseal/runtime/engine";
import { expect, test } from "vitest";
import { serveRuns } from "./serve-runs.ts";

async function serve(answerMs: number) {
  let begin = (): void => {};
  const begun = new Promise<void>((resume) => {
    begin = resume;
  });
  const handler = (_: unknown, response: { end(text: string): void }): void => {
    begin();
    setTimeout(() => response.end("done"), answerMs);
  };
  const server = await serveRuns(handler as never, { bind: "127.0.0.1", port: 0 });
  const session = connect(`http://127.0.0.1:${server.port}`);
  session.on("error", () => {});
  const request = session.request({ ":path": "/" });
  const answered = new Promise<string>((resume) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => resume(text));
    request.on("error", () => resume("broken"));
  });
  await begun;
  return { server, answered };
}

test("what was begun is ended before the server is gone, and nothing new is taken", async () => {
  const { server, answered } = await serve(300);
  const drained = server.drain(5_000);
  const late = connect(`http://127.0.0.1:${server.port}`);
  const refused = new Promise((resume) => late.on("error", () => resume("refused")));
  expect(await refused).toBe("refused");
  expect(await drained).toBe(true);
  expect(await answered).toBe("done");
});

test("what does not end in time is broken off", async () => {
  const { server, answered } = await serve(60_000);
  expect(await server.drain(200)).toBe(false);
  expect(await answered).not.toBe("done");
});

test("an engine that is gone is noticed within ten seconds", () => {
  expect(KEEP_ALIVE_MS).toBe(5_000);
});
