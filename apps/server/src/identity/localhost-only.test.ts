import { expect, test } from "vitest";
import { localhostOnly } from "./localhost-only.ts";

const from = (url: string, address?: string) => localhostOnly()(new Request(url), address);

test("whoever asks this machine is one person, with every name of it", async () => {
  const you = { tenant: "default", id: "you", roles: [] };
  for (const name of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"])
    expect(await from(`http://${name}/v1/runs`)).toEqual(you);
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    expect(await from("http://localhost/v1/runs", address)).toEqual(you);
});

test.each([
  ["a page whose name resolves to this machine", "http://evil.example/v1/runs", "127.0.0.1"],
  ["a machine that sends localhost as its name", "http://localhost/v1/runs", "192.168.1.7"],
  ["a name that begins as this machine's", "http://localhost.evil.example/v1/runs", undefined],
])("%s is nobody", async (_, url, address) => {
  expect(await from(url, address)).toBeUndefined();
});

test("it says who they are, where that is given", async () => {
  const authenticate = localhostOnly({ tenant: "shop", id: "ada", roles: ["finance"] });
  const ada = { tenant: "shop", id: "ada", roles: ["finance"] };
  expect(await authenticate(new Request("http://localhost/"))).toEqual(ada);
});

test("in production it throws", () => {
  expect(() => localhostOnly({ production: true })).toThrow(/is for development/);
});
