// The rules of a proxy, applied to the text of a request alone.
import { describe, expect, test } from "vitest";
import { judgeRequest, judgeTunnel } from "./judge-target.ts";
import { REACH_HOSTS_MAX, REFUSED_LENGTH_MAX } from "./limits.ts";
import { parseNetwork } from "./network-reach.ts";

const all = parseNetwork({ hosts: ["docs.example.com", "api.example.com:8080", "[2606:4700::1]"] });
const reading = parseNetwork({ hosts: ["docs.example.com:80"], verbs: ["read"] });

describe("a tunnel", () => {
  test.each([
    "docs.example.com:443",
    "DOCS.example.com:443",
    "api.example.com:8080",
    "[2606:4700::1]:443",
  ])("%s is allowed", (authority) => {
    expect(judgeTunnel(all, authority)).toMatchObject({ kind: "allowed", isTrusted: false });
  });

  test.each([
    ["docs.example.com:80", "network.hosts"],
    ["docs.example.com:4430", "network.hosts"],
    ["example.com:443", "network.hosts"],
    ["docs.example.com.:443", "network.hosts"],
    ["docs%2eexample.com:443", "network.hosts"],
    ["docs.example.com:0443", "network.hosts"],
    ["[2606:4700:0::1]:443", "network.hosts"],
    ["d\u{ff4f}cs.example.com:443", "one host and its port"],
    ["evil.docs.example.com:443", "network.hosts"],
    ["docs.example.com.evil.com:443", "network.hosts"],
    ["93.184.216.34:443", "network.hosts"],
    ["127.0.0.1:443", "network.hosts"],
    ["2130706433:443", "network.hosts"],
    ["[::ffff:127.0.0.1]:443", "network.hosts"],
    ["169.254.169.254:443", "network.hosts"],
    ["docs.example.com", "one host and its port"],
    ["", "one host and its port"],
    ["docs.example.com:443/x", "one host and its port"],
    ["evil.com/@docs.example.com:443", "one host and its port"],
    ["evil.com#docs.example.com:443", "one host and its port"],
    ["ada@docs.example.com:443", "one host and its port"],
    ["docs.example.com:443:443", "one host and its port"],
    ["docs.example.com:99999", "one host and its port"],
    ["docs.example.com\\evil.com:443", "one host and its port"],
    ["http://docs.example.com:443", "one host and its port"],
  ])("%s is refused: %s", (authority, why) => {
    expect(judgeTunnel(all, authority)).toEqual({
      kind: "refused",
      why: expect.stringContaining(why),
    });
  });

  test("is refused where one verb is missing", () => {
    expect(judgeTunnel(reading, "docs.example.com:80")).toMatchObject({
      why: expect.stringContaining("hides its methods"),
    });
  });
});

describe("a request", () => {
  test.each([
    ["GET", "http://docs.example.com/"],
    ["HEAD", "http://DOCS.example.com:80/a?b"],
    ["GET", "HTTP://docs.example.com?b"],
    ["GET", "http://docs.example.com"],
  ])("%s %s is allowed", (method, url) => {
    expect(judgeRequest(reading, { method, url, headers: {} })).toMatchObject({ kind: "allowed" });
  });

  test.each([
    ["POST", "http://docs.example.com/", "`create`"],
    ["DELETE", "http://docs.example.com/", "`delete`"],
    ["TRACE", "http://docs.example.com/", "no verb"],
    ["constructor", "http://docs.example.com/", "no verb"],
    ["GET", "/", "no absolute URL"],
    ["GET", "//docs.example.com/", "no absolute URL"],
    ["GET", "https://docs.example.com:80/", "plain HTTP only"],
    ["GET", "ftp://docs.example.com:80/", "plain HTTP only"],
    ["GET", "file:///etc/passwd", "plain HTTP only"],
    ["GET", "http://ada@docs.example.com/", "a user"],
    ["GET", "http://docs.example.com@evil.com/", "a user"],
    ["GET", "http://docs.example.com:81/", "network.hosts"],
    ["GET", "http://evil.com/", "network.hosts"],
    ["GET", "http://docs.example.com./", "network.hosts"],
    ["GET", "http://docs%2eexample.com/", "network.hosts"],
    ["GET", "http://docs.example.com:/", "network.hosts"],
    ["GET", "http://docs.example.com:080/", "network.hosts"],
    ["GET", "http:docs.example.com/", "no absolute URL"],
    ["GET", "http:///docs.example.com/", "no absolute URL"],
    ["GET", "http:\\\\docs.example.com\\", "no absolute URL"],
    ["GET", "http://docs.example.com\\@evil.com/", "no absolute URL"],
    ["GET", "http://do\tcs.example.com/", "no absolute URL"],
  ])("%s %s is refused: %s", (method, url, why) => {
    expect(judgeRequest(reading, { method, url, headers: {} })).toEqual({
      kind: "refused",
      why: expect.stringContaining(why),
    });
  });

  test("names at most REFUSED_LENGTH_MAX of a host", () => {
    const long = `http://${"a".repeat(REFUSED_LENGTH_MAX * 2)}.com/`;
    const asked = { method: "GET", url: long, headers: {} };
    const { why = "" } = judgeRequest(reading, asked) as { why?: string };
    expect(why.length).toBeLessThan(REFUSED_LENGTH_MAX + 50);
  });
});

describe("hosts of an operator", () => {
  const hosts = Array.from({ length: REACH_HOSTS_MAX }, (_, index) => `h${index}.example.com`);
  test("up to REACH_HOSTS_MAX are held, each with its port", () => {
    expect([...parseNetwork({ hosts }).hosts][0]).toBe("h0.example.com:443");
  });

  test.each([
    ["none", { hosts: [] }],
    ["one more", { hosts: [...hosts, "more.example.com"] }],
    ["a pattern", { hosts: ["*.example.com"] }],
    ["capitals", { hosts: ["Example.com"] }],
    ["a path", { hosts: ["example.com/a"] }],
    ["a scheme", { hosts: ["https://example.com"] }],
    ["a user", { hosts: ["ada@example.com"] }],
    ["another spelling of an address", { hosts: ["127.1"] }],
    ["no verb", { hosts: ["example.com"], verbs: [] }],
    ["an unknown verb", { hosts: ["example.com"], verbs: ["write" as never] }],
    ["a private host that is none", { hosts: ["example.com"], privateHosts: ["other.com"] }],
  ])("%s: refused", (_, network) => {
    expect(() => parseNetwork(network)).toThrow(TypeError);
  });
});
