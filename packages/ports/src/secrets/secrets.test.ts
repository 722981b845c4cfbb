import { describe, expect, test } from "vitest";
import { findMissed } from "../find-missed.test.data.ts";
import { memorySecrets } from "./memory-secrets.ts";
import { SECRET_ERROR_CODES, SecretError } from "./secret-error.ts";
import type { Secrets } from "./secrets.ts";
import { type SecretsSubject, secretsContract } from "./secrets-contract.ts";

const stored = { PAY_KEY: "sk-live-0123456789", "mail.token": "a text with spaces" };
const create = (change: (secrets: Secrets) => Partial<Secrets> = () => ({})): SecretsSubject => {
  const secrets = memorySecrets(stored);
  return { stored, secrets: { ...secrets, ...change(secrets) } };
};

describe("secrets in memory keep the contract", () => {
  for (const { name, run } of secretsContract({ create: () => create() })) test(name, run);

  test("an empty text is no secret", async () => {
    const secrets = memorySecrets({ EMPTY: "", ABSENT: undefined });
    expect(await secrets.read("EMPTY")).toBeUndefined();
    expect(await secrets.read("ABSENT")).toBeUndefined();
  });
});

test("the contract finds secrets that do not keep it", async () => {
  const table = stored as Readonly<Record<string, string>>;
  const broken = {
    "answers with what is stored under a name, each time": () => {
      const given = new Set<string>();
      const readOnce = (read: Secrets["read"], name: string) => {
        if (given.has(name)) return Promise.resolve(undefined);
        given.add(name);
        return read(name);
      };
      return create(({ read }) => ({ read: (name) => readOnce(read, name) }));
    },
    "a name that is not stored has no secret": () =>
      create(() => ({
        read: async (name) => Object.entries(stored).find(([key]) => key.startsWith(name))?.[1],
      })),
    "names of another spelling are other names": () =>
      create(({ read }) => ({ read: (name) => read(name.trim()) })),
    "what every object has is not a secret": () =>
      create(() => ({ read: async (name) => table[name] })),
  };
  expect(await findMissed(secretsContract, broken)).toEqual([]);
});

test("the codes are these two, and each waits for somebody to provide the secret", () => {
  expect(SECRET_ERROR_CODES).toEqual(["SECRET_MISSING", "SECRET_UNUSABLE"]);
  const [code] = SECRET_ERROR_CODES;
  expect(new SecretError(code, "the secret PAY_KEY is not there")).toMatchObject({
    code,
    retry: "pause",
  });
});
