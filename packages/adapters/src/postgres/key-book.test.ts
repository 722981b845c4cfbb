/** Keys that workers note, and whether somebody trusts them: by real logins, also hostile ones. */
import { generateKeyPairSync } from "node:crypto";
import { keyIdOf, type PublicKey } from "@turnseal/protocol/receipts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuditBook, openAuditBook } from "./audit-book.ts";
import { KEYS_PAGE_MAX, type KeyBook, openKeyBook } from "./key-book.ts";
import { openPostgresPool, openPostgresReader, type PostgresPool } from "./postgres-pool.ts";
import {
  createScratch,
  type Scratch,
  type Session,
  TEST_ROLES,
} from "./scratch-database.test.data.ts";
import { NOTED_KEYS_MAX } from "./statements/list-keys.ts";

const validFrom = "1970-01-01T00:00:00.000Z";
let scratch: Scratch;
let book: KeyBook;
let pool: PostgresPool;
let audit: AuditBook;
let place: { readonly url: string; readonly roles: typeof TEST_ROLES };
beforeAll(async () => {
  scratch = await createScratch();
  place = { url: scratch.url, roles: TEST_ROLES };
  [book, pool] = [await openKeyBook(place), await openPostgresPool(place)];
  audit = await openAuditBook(place);
});
afterAll(async () => {
  await Promise.all([book.close(), pool.close(), audit.close()]);
  await scratch.drop();
});

function createKey(): PublicKey {
  const { x: encoded = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return { keyId: keyIdOf(encoded), x: encoded, issuer: "hosted", validFrom };
}

const find = async (key: PublicKey, tenant: string | null = null) =>
  (await book.list()).find((each) => each.keyId === key.keyId && each.tenant === tenant);

/** A session with a worker's login, as a tenant. */
const worker = (tenant = "ada"): Promise<Session> =>
  scratch.connect({ role: TEST_ROLES.worker, "turnseal.tenant": tenant });

const NOTE = "select turnseal.note_key($1, $2, $3, $4, $5::timestamptz, $6::timestamptz)";

test("a key is noted once, and is not trusted by it; what was noted first stays", async () => {
  const key = createKey();
  expect(await pool.noteKey(null, key)).toBe("noted");
  expect(await pool.noteKey(null, key)).toBe("known");
  const noted = await find(key);
  expect(noted).toMatchObject({ ...key, state: "noted", decidedAt: null, decidedBy: null });
  for (const changed of [
    { validFrom: "2026-01-01T00:00:00.000Z" },
    { validUntil: "2026-01-01T00:00:00.000Z" },
    { issuer: "development" as const },
  ])
    expect(await pool.noteKey(null, { ...key, ...changed })).toBe("other");
  expect(await find(key)).toEqual(noted);
});

test("no other key is listed under the name of a key, whoever lists it", async () => {
  const [key, other] = [createKey(), createKey()];
  const session = await worker();
  const forged = ["", key.keyId, other.x, "hosted", validFrom, null];
  await expect(session.query(NOTE, forged)).rejects.toThrow("own_name");
  await pool.noteKey(null, key);
  await expect(pool.noteKey(null, { ...key, x: other.x })).resolves.toBe("other");
  expect(await find(key)).toMatchObject({ x: key.x });
  const owner = await scratch.connect();
  const swap = "update turnseal.signing_key set x = $2 where key_id = $1";
  await expect(owner.query(swap, [key.keyId, other.x])).rejects.toThrow("own_name");
  for (const encoded of ["", `${key.x.slice(0, 42)}B`, `${key.x}=`, `${key.x}"`])
    await expect(
      session.query(NOTE, ["", keyIdOf(encoded), encoded, "hosted", validFrom, null]),
    ).rejects.toThrow("own_name");
});

test("a worker's login cannot trust, change or delete a key, nor forge who noted it", async () => {
  const key = createKey();
  await pool.noteKey(null, key);
  for (const role of [TEST_ROLES.worker, TEST_ROLES.reader]) {
    const session = await scratch.connect({ role, "turnseal.tenant": "ada" });
    for (const sql of [
      "update turnseal.signing_key set state = 'trusted', decided_by = 'ada', decided_at = now()",
      "update turnseal.signing_key set valid_from = now()",
      "update turnseal.signing_key set valid_until = now()",
      "update turnseal.signing_key set noted_by = 'ada'",
      "delete from turnseal.signing_key",
      "truncate turnseal.signing_key",
      "insert into turnseal.signing_key select * from turnseal.signing_key",
      "alter table turnseal.signing_key disable trigger all",
    ])
      await expect(session.query(sql)).rejects.toMatchObject({ code: "42501" });
  }
  expect(await find(key)).toMatchObject({ state: "noted" });
  const reader = await scratch.connect({ role: TEST_ROLES.reader, "turnseal.tenant": "ada" });
  const values = ["", key.keyId, key.x, key.issuer, validFrom, null];
  await expect(reader.query(NOTE, values)).rejects.toMatchObject({ code: "42501" });
});

test("the audit log names nobody for a key who did not decide on it", async () => {
  const key = createKey();
  const session = await worker();
  await session.query("select set_config('turnseal.person', 'ada', false)");
  await session.query(NOTE, ["", key.keyId, key.x, key.issuer, validFrom, null]);
  const owner = await scratch.connect();
  const at = "where key_id = $1";
  const decide = `update turnseal.signing_key set state = 'distrusted', decided_by = 'grace',
    decided_at = now() ${at}`;
  await owner.query(decide, [key.keyId]);
  await owner.query(`update turnseal.signing_key set state = 'trusted' ${at}`, [key.keyId]);
  const rows = await owner.query(
    "select deed, person from turnseal.audit where name = $1 order by number",
    [key.keyId],
  );
  expect(rows).toEqual([
    { deed: "seen", person: null },
    { deed: "distrusted", person: "grace" },
    { deed: "trusted", person: null },
  ]);
  await expect(owner.query("truncate turnseal.signing_key")).rejects.toThrow("row by row");
});

test("times that are none are not noted", async () => {
  const { keyId, x: encoded } = createKey();
  const session = await worker();
  for (const [from, until] of [
    ["infinity", null],
    ["-infinity", null],
    [validFrom, "infinity"],
    [validFrom, "1969-01-01T00:00:00.000Z"],
  ])
    await expect(session.query(NOTE, ["", keyId, encoded, "hosted", from, until])).rejects.toThrow(
      "real_times",
    );
});

test("the key of a tenant is seen for that tenant, and noted in no other's name", async () => {
  const [all, ada, grace] = [createKey(), createKey(), createKey()];
  await pool.noteKey(null, all);
  await pool.noteKey("ada", ada);
  await pool.noteKey("grace", grace);
  const listed = async (tenant: string) => {
    const reader = await openPostgresReader({ ...place, tenant });
    const keys = await reader.listKeys();
    await reader.close();
    expect(await pool.forTenant(tenant).listKeys()).toEqual(keys);
    return [all, ada, grace].map(({ keyId }) => keys.find((key) => key.keyId === keyId)?.tenant);
  };
  expect(await listed("ada")).toEqual([null, "ada", undefined]);
  expect(await listed("grace")).toEqual([null, undefined, "grace"]);
  expect(await listed("nobody")).toEqual([null, undefined, undefined]);
  const session = await worker("ada");
  const { keyId, x: encoded } = createKey();
  await expect(
    session.query(NOTE, ["grace", keyId, encoded, "hosted", validFrom, null]),
  ).rejects.toThrow("another tenant");
  expect(
    await session.query("select from turnseal.signing_key where tenant = 'grace'"),
  ).toHaveLength(0);
});

test("a decision is the owner's, for one tenant or all, and no note changes it", async () => {
  const key = createKey();
  await pool.noteKey(null, key);
  await pool.noteKey("ada", { ...key, issuer: "development" });
  const end = "2027-01-01T00:00:00.000Z";
  const said = { state: "trusted", by: "ada" } as const;
  expect(await book.decide({ tenant: "grace", keyId: key.keyId }, said)).toEqual({
    kind: "unknown",
  });
  expect(
    await book.decide(
      { tenant: "ada", keyId: key.keyId },
      { ...said, issuer: "hosted", validUntil: end },
    ),
  ).toMatchObject({
    kind: "decided",
    key: { ...key, validUntil: end, state: "trusted", decidedBy: "ada", tenant: "ada" },
  });
  expect(await find(key)).toMatchObject({ state: "noted" });
  const wrong = { ...said, validUntil: "1969-01-01T00:00:00.000Z" };
  const name = { tenant: "ada", keyId: key.keyId };
  expect(await book.decide(name, wrong)).toMatchObject({ kind: "times" });
  expect(await book.decide(name, { ...said, validUntil: null })).toMatchObject({
    key: { ...key, tenant: "ada" },
  });
  await book.decide(name, { state: "distrusted", by: "grace" });
  expect(await pool.noteKey("ada", key)).toBe("known");
  expect(await find(key, "ada")).toMatchObject({ state: "distrusted", decidedBy: "grace" });
});

test("notes and decisions are in the log of the deployment, with who did it", async () => {
  const key = createKey();
  await pool.noteKey("ada", key);
  const name = { tenant: "ada", keyId: key.keyId };
  await book.decide(name, { state: "trusted", by: "grace" });
  await book.decide(name, { state: "distrusted", by: "ada" });
  const facts = { tenant: "ada", issuer: "hosted", validUntil: null };
  const entries = (await audit.list()).filter((entry) => entry.name === key.keyId);
  expect(entries).toMatchObject([
    { kind: "key", deed: "seen", person: null, facts, isWhole: true },
    { kind: "key", deed: "trusted", person: "grace", facts, isWhole: true },
    { kind: "key", deed: "distrusted", person: "ada", facts, isWhole: true },
  ]);
});

test("NOTED_KEYS_MAX keys are noted for one tenant, and others still have room", async () => {
  for (let at = 0; at < NOTED_KEYS_MAX; at++)
    expect(await pool.noteKey("flood", createKey())).toBe("noted");
  expect(await pool.noteKey("flood", createKey())).toBe("full");
  expect(await pool.noteKey("quiet", createKey())).toBe("noted");
  expect((await pool.forTenant("flood").listKeys()).length).toBeGreaterThan(NOTED_KEYS_MAX);
});

test("KEYS_PAGE_MAX keys are one page, and the next has the rest", async () => {
  const session = await scratch.connect();
  await session.query("alter table turnseal.signing_key drop constraint own_name");
  await session.query(
    `insert into turnseal.signing_key (tenant, key_id, x, issuer, valid_from)
       select 'many', 'k' || lpad(n::text, 5, '0'), 'x', 'hosted', now()
         from generate_series(1, ${KEYS_PAGE_MAX}) as n`,
  );
  const page = await book.list();
  expect(page).toHaveLength(KEYS_PAGE_MAX);
  expect(page[0]?.tenant).toBeNull();
  expect((await book.list(page.at(-1)))[0]).toMatchObject({ tenant: "many" });
});
