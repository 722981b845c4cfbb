/** Strangers at the port of a worker, over HTTP/2, beside an engine that it knows. */
import { createPrivateKey, sign } from "node:crypto";
import { connect } from "node:http2";
import { connect as openSocket } from "node:net";
import { createRunEndpoint } from "@turnseal/host/restate";
import { createIdentity, identityKeyOf } from "@turnseal/runtime/engine";
import { expect, test } from "vitest";
import { SIGNATURE_HEADER } from "./judge-signature.ts";
import { serveEngine } from "./serve-engine.ts";
import { REFUSED_MAX } from "./watch/watch-refusals.ts";
import { createWorkerLog } from "./worker-log.ts";
import type { WorkerOptions } from "./worker-options.ts";

const engine = createIdentity();
const DISCOVERY = "application/vnd.restate.endpointmanifest.v4+json";
/** Another address of this machine, where the whole of 127/8 is one. */
const ELSEWHERE = "127.0.0.2";

function signToken(pem: string, ageS = 0): string {
  const iat = Math.floor(Date.now() / 1_000) - ageS;
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const header = encode({ typ: "JWT", alg: "EdDSA", kid: identityKeyOf(pem) });
  const signed = `${header}.${encode({ aud: "/discover", iat, nbf: iat - 60, exp: iat + 60 })}`;
  const signature = sign(null, Buffer.from(signed), createPrivateKey(pem));
  return `${signed}.${signature.toString("base64url")}`;
}

async function ask(port: number, token: string, localAddress: string): Promise<number> {
  const host = "127.0.0.1";
  const createConnection = () => openSocket({ host, port, localAddress });
  const session = connect(`http://${host}:${port}`, { createConnection });
  try {
    return await new Promise<number>((resolve, reject) => {
      session.once("error", reject);
      const request = session.request({
        ...{ ":path": "/discover", accept: DISCOVERY },
        ...{ "x-restate-signature-scheme": "v1", [SIGNATURE_HEADER]: token },
      });
      request.once("response", ({ ":status": status }) => resolve(status ?? 0));
      request.once("error", reject);
      request.resume();
    });
  } finally {
    session.close();
  }
}

test.skipIf(process.platform !== "linux").each([
  ["names a key of its own", () => signToken(createIdentity())],
  ["sends an old token of the engine again", () => signToken(engine, 600)],
])("who %s is refused, and drives no worker from its address", async (_, forge) => {
  const identityKeys = [identityKeyOf(engine)];
  // This handler drives no runs: the answer only shows who is allowed.
  const handler = createRunEndpoint({ identityKeys, onNotice: () => {} } as never);
  const lines: string[] = [];
  const log = createWorkerLog((line) => lines.push(line));
  const server = await serveEngine(handler, { identityKeys } as unknown as WorkerOptions, log);
  try {
    expect(await ask(server.port, signToken(engine), "127.0.0.1")).toBe(200);
    for (let times = 0; times < 2 * REFUSED_MAX; times++)
      expect(await ask(server.port, forge(), ELSEWHERE)).toBe(401);
    expect(await ask(server.port, signToken(engine), "127.0.0.1")).toBe(200);
    expect(lines).toEqual([]);
  } finally {
    await server.drain(1_000);
  }
});
