/**
 * Whether the servers that durable runs are tested with can be had: says what is missing and how to
 * get it, and ends with 1.
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import pg from "pg";
import { createClient } from "redis";

const url = process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const problems: string[] = [];

try {
  const folder = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const binary = createRequire(import.meta.url).resolve(`${folder}/bin/restate-server`);
  process.stdout.write(execFileSync(binary, ["--version"], { encoding: "utf8" }));
} catch {
  problems.push("the binary of Restate is not installed for this machine: npm ci, without --omit");
}

const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
try {
  await client.connect();
  const { rows } = await client.query(
    "select version(), rolsuper from pg_roles where rolname = user",
  );
  process.stdout.write(`${rows[0]?.version}\n`);
  if (rows[0]?.rolsuper !== true)
    problems.push("the login is no superuser: it has to make databases and roles");
  await client.end();
} catch {
  const { host, pathname } = new URL(url);
  const advice = "start one there, or name another in TURNSEAL_TEST_POSTGRES_URL";
  problems.push(
    `there is no PostgreSQL server at ${host} with the database ${pathname.slice(1)}: ${advice}`,
  );
}

const redisUrl = process.env["TURNSEAL_TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379";
const redis = createClient({ url: redisUrl, socket: { reconnectStrategy: false } });
redis.on("error", () => undefined);
try {
  await redis.connect();
  process.stdout.write(`Redis says ${await redis.ping()}\n`);
  redis.destroy();
} catch {
  const advice = "start one there, or name another in TURNSEAL_TEST_REDIS_URL";
  problems.push(`there is no Redis server at ${new URL(redisUrl).host}: ${advice}`);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
