import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { createPostgresDatabase } from "./create-database.ts";
import { migratePostgres } from "./migrate.ts";
import { CONNECT_MS_MAX } from "./open-database.ts";
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

test.each([
  ["made", createPostgresDatabase],
  ["migrated", (url: string) => migratePostgres({ url })],
])("a server that never answers is not waited for when a database is %s", async (_, ask) => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const asked = ask(`postgres://ada@127.0.0.1:${port}/none`).catch((error: unknown) => error);
    const [socket]: Socket[] = await once(silent, "connection");
    vi.advanceTimersByTime(CONNECT_MS_MAX);
    expect(await asked).toMatchObject({ code: "STORE_UNREACHABLE" });
    socket?.destroy();
  } finally {
    vi.useRealTimers();
    silent.close();
  }
});
