import { expect, test, vi } from "vitest";
import { sendBytes } from "./send-bytes.ts";

const bytes = new Uint8Array(200_000).fill(7);

test("all of it is read, and then it is over", async () => {
  const onEnd = vi.fn();
  const body = new Response(sendBytes(bytes, { withinMs: 60_000, onEnd }));
  expect(onEnd).not.toHaveBeenCalled();
  expect(new Uint8Array(await body.arrayBuffer())).toEqual(bytes);
  expect(onEnd).toHaveBeenCalled();
});

test("a reader who goes away ends it", async () => {
  const onEnd = vi.fn();
  const reader = sendBytes(bytes, { withinMs: 60_000, onEnd }).getReader();
  await reader.read();
  expect(onEnd).not.toHaveBeenCalled();
  await reader.cancel();
  expect(onEnd).toHaveBeenCalled();
});

test("what is not read in time is cut, with its connection where there is one", async () => {
  const [onEnd, destroy] = [vi.fn(), vi.fn()];
  sendBytes(bytes, { withinMs: 1, onEnd, destroy });
  await expect.poll(() => destroy.mock.calls.length).toBe(1);
  expect(onEnd).toHaveBeenCalled();
  const reader = sendBytes(bytes, { withinMs: 1, onEnd }).getReader();
  await expect(reader.closed).rejects.toThrow("not read in time");
});
