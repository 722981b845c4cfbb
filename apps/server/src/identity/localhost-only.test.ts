import { describe, expect, test } from "vitest";
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

const sent = (headers: Record<string, string>, address?: string) =>
  localhostOnly()(new Request("http://localhost/v1/runs", { headers }), address);

test.each([
  ["forwarded", "for=127.0.0.1"],
  ["via", "1.1 gate"],
  ["x-real-ip", "127.0.0.1"],
  ["x-forwarded-for", "127.0.0.1"],
  ["x-forwarded-host", "localhost"],
  ["x-forwarded-proto", "http"],
  ["x-forwarded-server", "gate"],
])("a request that a proxy on this machine passed on with %s is nobody's", async (name, value) => {
  expect(await sent({ [name]: value }, "127.0.0.1")).toBeUndefined();
});

test("a name of this machine in the address, with a Host of elsewhere, is nobody", async () => {
  for (const host of ["evil.example", "localhost.evil.example:80", "evil.example@localhost", "["])
    expect(await sent({ host }, "127.0.0.1")).toBeUndefined();
  expect(await sent({ host: "localhost:8787" }, "127.0.0.1")).toBeDefined();
});

describe("without an address, as in a route of Next.js,", () => {
  const next = {
    ...{ "x-forwarded-port": "3000", "x-forwarded-proto": "http" },
    ...{ "x-forwarded-for": "::ffff:127.0.0.1", "x-forwarded-host": "localhost:3000" },
  };

  test("its headers of this machine are admitted", async () => {
    expect(await sent(next)).toBeDefined();
  });

  test.each([
    ["x-forwarded-for", "203.0.113.5"],
    ["x-forwarded-for", "127.0.0.1, 203.0.113.5"],
    ["x-forwarded-for", ""],
    ["x-forwarded-host", "evil.example"],
    ["x-real-ip", "127.0.0.1"],
    ["forwarded", "for=127.0.0.1"],
  ])("%s: %s is nobody", async (name, value) => {
    expect(await sent({ ...next, [name]: value })).toBeUndefined();
  });
});

test("it says who they are, where that is given", async () => {
  const authenticate = localhostOnly({ tenant: "shop", id: "ada", roles: ["finance"] });
  const ada = { tenant: "shop", id: "ada", roles: ["finance"] };
  expect(await authenticate(new Request("http://localhost/"))).toEqual(ada);
});

test("in production it throws", () => {
  expect(() => localhostOnly({ production: true })).toThrow(/is for development/);
});
