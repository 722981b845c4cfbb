// Content behind the last receipt: every owner of a pack has the key of its content, and can add
// some.
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectRun, createLocalHost } from "@turnseal/host";
import { createMemorySigner, manualClock, memoryStores, seededIds } from "@turnseal/ports";
import {
  type BlobRef,
  canonicalize,
  hashEvent,
  isBlobRef,
  isPlainObject,
  type JsonValue,
  uuidFrom,
} from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import type { PublicKey, RunBundle } from "@turnseal/protocol/receipts";
import { afterAll, expect, test } from "vitest";
import { renderPack } from "./evidence-pack.ts";
import { writePack } from "./pack-folder.ts";
import { verifyDocument } from "./verify-document.ts";
import { verifyPack } from "./verify-pack.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-unsealed-"));
afterAll(() => rmSync(root, { recursive: true }));
const signer = await createMemorySigner();
const key: PublicKey = {
  ...{ keyId: signer.keyId, x: signer.x, issuer: "development" },
  validFrom: "2020-01-01T00:00:00.000Z",
};
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** A run that was sealed, with its content. */
async function exportRun() {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "once", build: "1" },
    ...{ input: jsonSchema<object>(true), output: jsonSchema<string>(true), run: () => "paid" },
  });
  const host = createLocalHost({ loops: [pay], stores, signer, clock, ids: seededIds("pack") });
  const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
  const run = await host.start(pay, { cents: 1 }, { key: "r", by: "ada", grant });
  await host.drive(run);
  const runKey = (await stores.blobs.readKey(run)) ?? new Uint8Array();
  const { events, receipts } = await collectRun(stores, run);
  const blobs: Record<string, string> = {};
  const note = async (value: unknown): Promise<void> => {
    if (!isPlainObject(value) && !Array.isArray(value)) return;
    if (isBlobRef(value as JsonValue)) {
      const { digest } = value as unknown as BlobRef;
      blobs[digest] = toText((await stores.blobs.read(run, digest)) ?? new Uint8Array());
    }
    for (const part of Object.values(value)) await note(part);
  };
  await note(events);
  return { runKey, bundle: { run, events, receipts, content: { key: toText(runKey), blobs } } };
}

/** The same with a signal and its text behind it, by somebody who has nothing but the export. */
async function addWord() {
  const { runKey, bundle } = await exportRun();
  const { run, events, content } = bundle;
  const bytes = new TextEncoder().encode(canonicalize({ text: "I approve everything." }));
  const hex = createHmac("sha256", runKey).update(bytes).digest("hex");
  const payload = { digest: `hmac-sha256:${hex}`, size: bytes.length, mediaType: "text/plain" };
  const last = events.at(-1);
  const sealed = events.slice(0, events.findLastIndex(({ type }) => type === "turn.closed") + 1);
  const before = sealed.at(-1) ?? last;
  const event = {
    ...{ id: uuidFrom("forged"), run, sequence: sealed.length + 1, epoch: before?.epoch },
    ...{ type: "signal.received", at: before?.at, actor: { kind: "person", id: "ceo" } },
    content: { kind: "signal", key: "k", receivedAt: before?.at, name: "message", payload },
    previous: before?.hash,
  };
  const whole = { ...event, hash: hashEvent(event as never) };
  const blobs = { ...content.blobs, [payload.digest]: toText(bytes) };
  const forged = { ...bundle, events: [...sealed, whole], content: { ...content, blobs } };
  return { hex, forged: forged as unknown as RunBundle };
}

const trust = { keys: [key] };

test("content that a receipt covers is not named", async () => {
  const { bundle } = await exportRun();
  const verdict = await verifyDocument(JSON.stringify(bundle), trust);
  expect(verdict.verdict).toBe("valid");
  expect(verdict).not.toHaveProperty("unsealedArtifacts");
});

test("content that only an event behind the last receipt names is not sealed", async () => {
  const { hex, forged } = await addWord();
  const folder = join(root, "forged");
  await writePack(folder, renderPack({ ...forged, keys: [{ ...key }] }));
  const unsealed = { unsealedArtifacts: [`artifacts/${hex}`] };
  expect(await verifyPack(folder, trust)).toMatchObject(unsealed);
  expect(await verifyDocument(JSON.stringify(forged), trust)).toMatchObject(unsealed);
});
