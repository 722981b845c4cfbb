import { expect, test } from "vitest";
import { openEventStream } from "./event-stream.ts";

const bytes = (length: number) => new Uint8Array(length);

function open(bytesMax: number) {
  let ends = 0;
  const stream = openEventStream({ bytesMax, onEnd: () => ends++ });
  return { stream, reader: stream.body.getReader(), ends: () => ends };
}

test("so many bytes wait for a reader, and with one more it is cut", async () => {
  const { stream, reader, ends } = open(100);
  stream.send(bytes(60));
  stream.send(bytes(40));
  expect(ends()).toBe(0);
  stream.send(bytes(1));
  expect(ends()).toBe(1);
  await expect(reader.read()).rejects.toThrow("cut");
});

test("one that is larger than the limit is told when nothing else waits", async () => {
  const { stream, reader, ends } = open(100);
  stream.send(bytes(1_000));
  expect((await reader.read()).value?.byteLength).toBe(1_000);
  stream.send(bytes(1_000));
  expect(ends()).toBe(0);
});

test("it ends after what was sent, once, and takes nothing more", async () => {
  const { stream, reader, ends } = open(100);
  stream.send(bytes(10));
  stream.end();
  stream.end();
  stream.cut();
  stream.send(bytes(10));
  expect((await reader.read()).value?.byteLength).toBe(10);
  expect((await reader.read()).done).toBe(true);
  expect(ends()).toBe(1);
});

test("a reader that leaves ends it", async () => {
  const { stream, reader, ends } = open(100);
  await reader.cancel();
  expect(ends()).toBe(1);
  stream.send(bytes(10));
  await stream.drained();
});

test("it is drained when the reader has taken everything, and when it has ended", async () => {
  const { stream, reader } = open(100);
  await stream.drained();
  stream.send(bytes(10));
  let isDrained = false;
  const drained = stream.drained().then(() => {
    isDrained = true;
  });
  await Promise.resolve();
  expect(isDrained).toBe(false);
  await reader.read();
  await drained;
  stream.send(bytes(10));
  const ended = stream.drained();
  stream.cut();
  await ended;
});
