import { generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECRET_BYTES_MAX } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createTenantFiles,
  FILES_KEPT_MS,
  type OwnParts,
  type TenantFilesOptions,
} from "./tenant-files.ts";

const policy = JSON.stringify({
  name: "ada",
  rules: [{ id: "pay", decision: "ask", tools: ["local.pay"] }],
});
const readPolicy = async (file: string): Promise<Policy | undefined> => {
  const read = JSON.parse(readFileSync(file, "utf8")) as Policy;
  return read.name === undefined ? undefined : read;
};
let folder = "";
let nowMs = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-files-"));
  nowMs = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const createKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();

/** Writes a file of a tenant, as a whole. */
function put(tenant: string, name: string, text: string, mode = 0o600): void {
  const path = join(folder, tenant, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(`${path}.draft`, text);
  chmodSync(`${path}.draft`, mode);
  renameSync(`${path}.draft`, path);
}

function open(options: Partial<TenantFilesOptions> = {}) {
  const files = createTenantFiles(
    { folder, issuer: "hosted", readPolicy, ...options },
    () => nowMs,
  );
  return {
    find: (tenant: string) => files.find(tenant),
    own: async (tenant: string): Promise<OwnParts> => {
      const found = await files.find(tenant);
      if (found.kind !== "own") throw new Error(JSON.stringify(found));
      return found.parts;
    },
  };
}

test("each tenant has its own key, rules and secrets, and nobody another's", async () => {
  for (const tenant of ["ada", "grace"]) {
    put(tenant, "sign-key.pem", createKey());
    put(tenant, "secrets/TOKEN", `token-of-${tenant}\n`);
  }
  put("ada", "secrets/ONLY_ADA", "only-for-ada");
  put("ada", "policy.json", policy);
  const { own } = open();
  const [ada, grace] = [await own("ada"), await own("grace")];
  expect(ada.signer.keyId).not.toBe(grace.signer.keyId);
  expect([ada.signer.issuer, ada.policy === undefined, grace.policy]).toEqual([
    ...["hosted", false],
    undefined,
  ]);
  expect(await ada.secrets.read("TOKEN")).toBe("token-of-ada");
  expect(await grace.secrets.read("TOKEN")).toBe("token-of-grace");
  expect(await grace.secrets.read("ONLY_ADA")).toBeUndefined();
});

test("what changes is seen within FILES_KEPT_MS, and nothing else", async () => {
  put("ada", "sign-key.pem", createKey());
  put("ada", "secrets/TOKEN", "first-token");
  const { own } = open();
  const first = await own("ada");
  // A secret is read on demand.
  put("ada", "secrets/TOKEN", "second-token");
  expect(await first.secrets.read("TOKEN")).toBe("second-token");
  put("ada", "sign-key.pem", createKey());
  expect(await own("ada")).toBe(first);
  nowMs += FILES_KEPT_MS;
  const second = await own("ada");
  expect(second.signer.keyId).not.toBe(first.signer.keyId);
  nowMs += FILES_KEPT_MS;
  expect(await own("ada")).toBe(second);
});

test("without a folder nothing is served, unless allowed; without a key never", async () => {
  mkdirSync(join(folder, "keyless"));
  expect(await open().find("nobody")).toEqual({ kind: "refused", why: "it has no folder" });
  // A mount that is lost looks like a place where nobody has a folder.
  const allowed = open({ isOptional: true });
  expect(await allowed.find("nobody")).toMatchObject({ kind: "refused" });
  writeFileSync(join(folder, "some-have-none"), "");
  expect(await open().find("nobody")).toMatchObject({ kind: "refused" });
  nowMs += FILES_KEPT_MS;
  expect(await allowed.find("nobody")).toEqual({ kind: "workers" });
  expect((await allowed.find("keyless")).kind).toBe("refused");
  put("nobody", "sign-key.pem", createKey());
  nowMs += FILES_KEPT_MS;
  expect((await allowed.find("nobody")).kind).toBe("own");
});

test("no name and no link leads out of a tenant's folder", async () => {
  put("ada", "sign-key.pem", createKey());
  put("ada", "secrets/TOKEN", "token-of-ada");
  const { find, own } = open({ isOptional: true });
  for (const name of ["..", ".", "", "ada/../grace", "../ada", "Ada", "ada/", "ada\0"])
    expect([name, (await find(name)).kind]).toEqual([name, "refused"]);
  symlinkSync(join(folder, "ada"), join(folder, "linked"));
  expect(await find("linked")).toMatchObject({ kind: "refused" });
  mkdirSync(join(folder, "mallory", "secrets"), { recursive: true });
  symlinkSync(join(folder, "ada", "sign-key.pem"), join(folder, "mallory", "sign-key.pem"));
  expect(await find("mallory")).toMatchObject({ kind: "refused" });
  put("eve", "sign-key.pem", createKey());
  symlinkSync(join(folder, "ada", "secrets"), join(folder, "eve", "secrets"));
  const eve = await own("eve");
  await expect(eve.secrets.read("TOKEN")).rejects.toThrow("out of its folder");
  for (const name of ["../TOKEN", "../../ada/secrets/TOKEN", "", "..", "a/b"])
    expect([name, await (await own("ada")).secrets.read(name)]).toEqual([name, undefined]);
  // As secrets are mounted: links that stay inside.
  put("inside", "..data/sign-key.pem", createKey());
  symlinkSync("..data/sign-key.pem", join(folder, "inside", "sign-key.pem"));
  expect((await find("inside")).kind).toBe("own");
});

test("what is open to others, too large or no key is refused, without its words", async () => {
  put("open", "sign-key.pem", createKey(), 0o644);
  put("large", "sign-key.pem", `${createKey()}${" ".repeat(20_000)}`);
  put("wrong", "sign-key.pem", "the secret words");
  put("rules", "sign-key.pem", createKey());
  put("rules", "policy.json", '{"rules": [{"words": "secret"}]}');
  put("both", "sign-key.pem", createKey());
  put("both", "policy.json", '{"rules": []}');
  put("both", "policy.toml", "");
  const { find, own } = open({ isOptional: true });
  for (const tenant of ["open", "large", "wrong", "rules", "both"]) {
    const found = await find(tenant);
    expect([tenant, found.kind]).toEqual([tenant, "refused"]);
    expect(JSON.stringify(found)).not.toContain("secret");
  }
  put("fine", "sign-key.pem", createKey(), 0o640);
  put("fine", "secrets/OPEN", "open-to-others", 0o644);
  put("fine", "secrets/LARGE", "x".repeat(SECRET_BYTES_MAX + 1));
  put("fine", "secrets/EMPTY", "\n");
  const { secrets } = await own("fine");
  await expect(secrets.read("OPEN")).rejects.toThrow();
  await expect(secrets.read("LARGE")).rejects.toThrow();
  expect(await secrets.read("EMPTY")).toBeUndefined();
  // Once fixed, it is served.
  chmodSync(join(folder, "open", "sign-key.pem"), 0o600);
  nowMs += FILES_KEPT_MS;
  expect((await find("open")).kind).toBe("own");
});
