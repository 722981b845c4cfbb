import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileKeys } from "@turnseal/adapters/keys";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNoteKey, noteInTime } from "./note-parts.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnseal-note-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const openSigner = (name: string) => fileKeys({ folder: join(root, name) }).openSigner();

/** A database with a chosen answer, which remembers its calls. */
function createPool(answer: "noted" | "other" | "full" = "noted") {
  const noted: (readonly [string | null, PublicKey])[] = [];
  const seen: string[] = [];
  const said: unknown[] = [];
  const pool = {
    noteKey: async (tenant: string | null, key: PublicKey) => {
      noted.push([tenant, key]);
      return answer;
    },
    noteSeen: async ({ name }: { readonly name: string }) => void seen.push(name),
  };
  const say = (...words: unknown[]) => void said.push(words);
  return { note: createNoteKey(pool, { say }), noted, seen, said };
}

test("each key is noted once for whom it seals, and the next one when it changes", async () => {
  const { note, noted, said } = createPool();
  const [one, two] = [await openSigner("one"), await openSigner("two")];
  for (const signer of [one, one, two]) await note("acme", signer);
  await note(null, one);
  expect(noted.map(([tenant, { keyId }]) => [tenant, keyId])).toEqual([
    ["acme", one.keyId],
    ["acme", two.keyId],
    [null, one.keyId],
  ]);
  const { keyId } = one;
  const validFrom = "1970-01-01T00:00:00.000Z";
  expect(noted[0]?.[1]).toEqual({ keyId, x: one.x, issuer: "development", validFrom });
  expect(said).toEqual([]);
});

test("a signer that does not tell its public half is in the log of the deployment", async () => {
  const { note, noted, seen } = createPool();
  const { x: _, ...signer } = await openSigner("one");
  await note(null, signer);
  expect([noted, seen]).toEqual([[], [signer.keyId]]);
});

test.each(["other", "full"] as const)("a note that is answered with %s is said", async (answer) => {
  const { note, said } = createPool(answer);
  await note("acme", await openSigner("one"));
  expect(said).toMatchObject([["warn", "key.not-noted", { tenant: "acme" }]]);
});

test("a note that fails keeps nobody from going on, and is tried again", async () => {
  const said: unknown[] = [];
  let isAway = true;
  const { note, noted } = createPool();
  const failing = noteInTime(
    async (tenant, signer) => {
      if (isAway) throw new Error("away");
      return note(tenant, signer);
    },
    { sayError: (what, _, facts) => void said.push([what, facts?.["tenant"]]) },
  );
  const signer = await openSigner("one");
  await failing("acme", signer);
  isAway = false;
  await failing("acme", signer);
  expect([said, noted.length]).toEqual([[["key.not-noted", "acme"]], 1]);
});
