import type { JsonValue } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { createIngress, ENGINE_ERROR_CODES } from "./ingress.ts";
import { formatRunKey, parseRunKey } from "./run-key.ts";

const run = "0f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const message = { run, key: "cancel:x", kind: "cancel", body: { by: "ada" } } as const;

function answering(status: number, text = "") {
  const sent: { url: string; body: JsonValue | undefined }[] = [];
  const ingress = createIngress({
    ...{ ingress: "http://engine", tenant: "acme" },
    post: async (url, body) => {
      sent.push({ url, body });
      return { status, text };
    },
  });
  return { ingress, sent };
}

describe("what is told through the engine", () => {
  test("goes to the run of the tenant, and is answered as the inbox answered", async () => {
    const { ingress, sent } = answering(200, '{"kind":"stored"}');
    expect(await ingress.put(message)).toEqual({ kind: "stored" });
    const { run: _, ...body } = message;
    expect(sent).toEqual([{ url: `http://engine/Run/acme%3A${run}/deliver`, body }]);
  });

  test("is an error when the engine refuses it, and another when it does not answer", async () => {
    const refused = answering(404, "no such run").ingress;
    const silent = createIngress({
      ...{ ingress: "http://engine", tenant: "acme" },
      post: () => Promise.reject(new Error("timeout")),
    });
    const codes: unknown[] = [];
    for (const ingress of [silent, refused]) {
      const error = await ingress.put(message).catch((thrown: unknown) => thrown);
      codes.push((error as { readonly code: string }).code);
    }
    expect(codes).toEqual(["ENGINE_UNREACHABLE", "ENGINE_REFUSED"]);
    expect(codes).toEqual([...ENGINE_ERROR_CODES]);
  });

  test("a look carries nothing", async () => {
    const { ingress, sent } = answering(200);
    await ingress.look(run);
    expect(sent).toEqual([{ url: `http://engine/Run/acme%3A${run}/look`, body: undefined }]);
  });

  test("looks at many runs are one message, and none is for none", async () => {
    const { ingress, sent } = answering(200);
    await ingress.lookAll([]);
    const looks = [{ run, delayMs: 5 }];
    await ingress.lookAll(looks);
    expect(sent).toEqual([{ url: `http://engine/Run/acme%3A${run}/lookAll`, body: looks }]);
  });
});

describe("the key of a run", () => {
  test("names its tenant", () => {
    const key = { tenant: "acme-1", run };
    expect(parseRunKey(formatRunKey(key))).toEqual(key);
  });

  test.each(["", run, `:${run}`, `Acme:${run}`, `acme:${run}x`, `acme/${run}`, `a:b:${run}`])(
    "%j is none",
    (key) => {
      expect(parseRunKey(key)).toBeUndefined();
    },
  );
});
