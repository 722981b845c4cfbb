import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { describeListening } from "./describe-listening.ts";

test("a port that is taken and an address that is none are named", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const [inUse] = await once(createServer().listen(port, "127.0.0.1"), "error");
  taken.close();
  expect(describeListening(inUse)).toBe(`cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
  const [nowhere] = await once(createServer().listen(port, "nowhere.invalid"), "error");
  expect(describeListening(nowhere)).toMatch(/^nowhere\.invalid is not a name of this machine/);
});

test("what is no matter of listening is left alone", () => {
  expect(describeListening(new Error("the database cannot be reached"))).toBeUndefined();
  expect(describeListening("listen")).toBeUndefined();
});
