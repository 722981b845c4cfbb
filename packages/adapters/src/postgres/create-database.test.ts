import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createPostgresDatabase } from "./create-database.ts";
import { askServer, urlOf } from "./scratch-database.test.data.ts";

test("a database is made once, whoever asks", async () => {
  const name = `turnseal_test_${randomUUID().replaceAll("-", "")}`;
  try {
    const answers = await Promise.all([1, 2].map(() => createPostgresDatabase(urlOf(name))));
    expect(answers).toContain("created");
    expect(await createPostgresDatabase(urlOf(name))).toBe("present");
  } finally {
    await askServer((session) => session.query(`drop database ${name} with (force)`));
  }
});

test("a server that is not there is said to be unreachable", async () => {
  await expect(createPostgresDatabase("postgres://ada@127.0.0.1:1/none")).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
});
