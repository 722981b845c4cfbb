import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { limitBytes, toResponse } from "./answer.ts";

function answerOf(statusCode: number): IncomingMessage {
  const rawHeaders = ["Set-Cookie", "a=1", "set-cookie", "b=2"];
  return Object.assign(Readable.from([]), { statusCode, rawHeaders }) as never;
}

test("every header is kept, and a status without a body has none", async () => {
  const body = () => new Response("text").body as never;
  const read = toResponse(answerOf(200), body);
  expect(read.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await read.text()).toBe("text");
  const empty = answerOf(204);
  expect(toResponse(empty, body).body).toBe(null);
  expect(empty.destroyed).toBe(true);
});

test("bytes pass up to the limit, and one more is refused", async () => {
  const limited = (text: string) =>
    Readable.from([Buffer.from(text)]).pipe(limitBytes(3, () => new Error("too long")));
  expect(await new Response(Readable.toWeb(limited("abc")) as never).text()).toBe("abc");
  await expect(new Response(Readable.toWeb(limited("abcd")) as never).text()).rejects.toThrow();
});
