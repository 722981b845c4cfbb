import { TENANT_LENGTH_MAX } from "@turnseal/protocol";
import { TENANT_DEFAULT } from "@turnseal/runtime";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addHostPlace } from "./host-place.ts";

async function parse(args: readonly string[], environment: Record<string, string> = {}) {
  const program = new Command("turnseal").exitOverride();
  let given: object = {};
  const keep = (options: object): void => {
    given = { ...options };
  };
  program.command("show").option("--store <folder>").action(keep);
  program.command("check").action(keep);
  program
    .command("worker")
    .option("--store <folder>")
    .option("--postgres <url>")
    .option("--redis <url>")
    .action(keep);
  addHostPlace(program.commands, environment);
  await program.parseAsync([...args], { from: "user" });
  return given;
}

const environment = {
  TURNSEAL_HOST: "http://engine",
  TURNSEAL_POSTGRES_URL: "postgres://db/one",
  TURNSEAL_TENANT: "acme",
};

test("a host is named by the command line, or else by the environment", async () => {
  expect(await parse(["show", "--host", "http://here", "--tenant", "other"])).toEqual({
    host: "http://here",
    tenant: "other",
  });
  expect(await parse(["show"], environment)).toEqual({
    host: "http://engine",
    postgres: "postgres://db/one",
    tenant: "acme",
  });
  expect(await parse(["show", "--host", "http://here"], environment)).toMatchObject({
    host: "http://here",
  });
  expect(await parse(["show"], { TURNSEAL_HOST: "" })).toEqual({});
  expect(TENANT_DEFAULT).toBe("default");
});

test("a command without a store takes none, and one that serves takes no host", async () => {
  expect(await parse(["check"], environment)).toEqual({});
  expect(await parse(["worker"], environment)).toEqual({ postgres: "postgres://db/one" });
});

test.each(["nonsense", "http://db/one", "postgres", "me:secret@db"])(
  "%s is no database, and is not repeated",
  async (postgres) => {
    const said = String(await parse(["worker", "--postgres", postgres]).catch(String));
    expect(said).toContain("--postgres takes a URL: postgres://user@host/database");
    expect(said).not.toContain("secret");
  },
);

test.each(["nonsense", "http://cache:6379", "", "me:secret@cache"])(
  "%s is no Redis, and is not repeated",
  async (redis) => {
    const said = String(await parse(["worker", "--redis", redis]).catch(String));
    expect(said).toContain("--redis takes a URL: redis://host:6379");
    expect(said).not.toContain("secret");
  },
);

test("an empty folder is none: it would be the one that the command is called in", async () => {
  await expect(parse(["show", "--store", ""])).rejects.toThrow("--store takes a folder");
  expect(await parse(["show", "--store", "."])).toEqual({ store: "." });
});

test.each(["a b", "", "ä", "../x", "Acme.eu", "a".repeat(TENANT_LENGTH_MAX + 1)])(
  "%j is no tenant",
  async (tenant) => {
    const said = parse(["show", "--tenant", tenant]);
    await expect(said).rejects.toThrow("--tenant takes a name of lower-case letters");
  },
);

test("a tenant may have TENANT_LENGTH_MAX letters", async () => {
  const tenant = "a".repeat(TENANT_LENGTH_MAX);
  expect(await parse(["show", "--tenant", tenant])).toEqual({ tenant });
});
