import { once } from "node:events";
import { request as openRequest } from "node:http";
import { FILE_BYTES_MAX } from "@turnseal/protocol/files";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  KEYS,
  openSampleServer,
  type Person,
  type SampleServer,
} from "../sample-server.test.data.ts";

const png = Uint8Array.from([
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0, 1],
]);

let sample: SampleServer;
beforeAll(async () => {
  sample = await openSampleServer({ limits: { uploadsMax: 2 } });
});
afterAll(() => sample.close());

interface Upload {
  readonly person?: Person;
  readonly bytes?: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
}

async function upload(
  path: string,
  { person = "ada", bytes = png, type = "image/png" }: Upload = {},
) {
  const response = await fetch(`${sample.url}/v1/${path}`, {
    ...{ method: "POST", body: bytes },
    headers: { authorization: `Bearer ${KEYS[person]}`, "content-type": type },
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect to be there.
  const json: any = await response.json();
  return { status: response.status, json };
}
const code = ({ json }: { json: { error?: { code: string } } }) => json.error?.code;
const startChat = () => sample.start("ada", "chat", { text: "hi" });

async function download(run: string, file: string, person: Person = "ada"): Promise<Response> {
  const headers = { authorization: `Bearer ${KEYS[person]}` };
  return fetch(`${sample.url}/v1/runs/${run}/files/${file}`, { headers });
}

describe("a file of a run", () => {
  test("is taken, and given back as an attachment that no browser opens", async () => {
    const run = await startChat();
    const { status, json } = await upload(`runs/${run}/files?name=me.png`);
    expect(status).toBe(201);
    expect(json).toMatchObject({ mediaType: "image/png", bytes: png.length, name: "me.png" });
    const response = await download(run, json.file);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
  });

  test("is named by a message, and shown in the session", async () => {
    const run = await startChat();
    const { json: file } = await upload(`runs/${run}/files`);
    const body = { text: "see", key: "k", files: [file] };
    expect((await sample.ask("ada", `/v1/runs/${run}/messages`, body)).status).toBe(202);
    const read = async () => (await sample.ask("ada", `/v1/runs/${run}/events`)).json.events;
    const said = { type: "user-message", content: { text: "see", files: [file] } };
    await expect.poll(read).toContainEqual(expect.objectContaining(said));
  });

  test("can be given before the run is started, under the key of the start", async () => {
    const { json: photo } = await upload("starts/my-key/files");
    const body = { agent: "chat", input: { text: "hi", photo }, key: "my-key" };
    const { json } = await sample.ask("ada", "/v1/runs", body);
    expect((await download(json.run, photo.file)).status).toBe(200);
  });
});

describe("is not found", () => {
  test("by another tenant, by nobody, in another run, or under another name", async () => {
    const [run, other] = [await startChat(), await startChat()];
    const { json } = await upload(`runs/${run}/files`);
    expect((await download(run, json.file, "bob")).status).toBe(200);
    expect((await download(run, json.file, "mallory")).status).toBe(404);
    expect((await fetch(`${sample.url}/v1/runs/${run}/files/${json.file}`)).status).toBe(401);
    expect((await download(other, json.file)).status).toBe(404);
    for (const name of ["a", "..%2F..", "hmac-sha256:00", `hmac-sha256:${"0".repeat(64)}`])
      expect((await download(run, name)).status, name).toBe(404);
    const unknown = await sample.ask("ada", `/v1/runs/${run}/files/a`);
    expect(unknown.json.error.code).toBe("FILE_UNKNOWN");
    expect((await upload(`runs/${run}/files`, { person: "mallory" })).status).toBe(404);
  });

  test("where it is other content of the run", async () => {
    const run = await startChat();
    const events = await sample.hosts.alpha.allStores.log.read(run, 1);
    const [digest = ""] = /hmac-sha256:[0-9a-f]{64}/.exec(JSON.stringify(events)) ?? [];
    expect(await sample.hosts.alpha.allStores.blobs.read(run, digest)).toBeDefined();
    expect((await download(run, digest)).status).toBe(404);
  });

  test("under the key of a start of another tenant", async () => {
    const { json } = await upload("starts/shared/files");
    const body = { agent: "chat", input: { text: "hi" }, key: "shared" };
    const theirs = await sample.ask("mallory", "/v1/runs", body);
    expect((await download(theirs.json.run, json.file, "mallory")).status).toBe(404);
  });
});

describe("is refused", () => {
  const gif = new TextEncoder().encode("GIF89a and what follows it");
  test.each([
    ["a page", { bytes: "<!doctype html>", type: "text/html" }, 415, "MEDIA_TYPE_REFUSED"],
    ["a page that says it is an image", { bytes: "<!doctype html><script>" }, 422, "FILE_FALSE"],
    ["another type of image", { bytes: gif }, 422, "FILE_FALSE"],
    ["a few bytes of nothing", { bytes: "x" }, 422, "FILE_REFUSED"],
    ["nothing", { bytes: new Uint8Array() }, 422, "FILE_REFUSED"],
    [
      "a bomb",
      { bytes: png.map((byte, at) => (at > 15 && at < 24 ? 0xff : byte)) },
      422,
      "FILE_REFUSED",
    ],
    [
      "more than FILE_BYTES_MAX",
      { bytes: Buffer.alloc(FILE_BYTES_MAX + 1, png) },
      413,
      "BODY_TOO_LARGE",
    ],
  ])("%s", async (_, given, status, wanted) => {
    const run = await startChat();
    const answer = await upload(`runs/${run}/files`, given as Upload);
    expect([answer.status, code(answer)]).toEqual([status, wanted]);
  });

  test("a name that is a path", async () => {
    const run = await startChat();
    const answer = await upload(`runs/${run}/files?name=..%2Fpasswd`);
    expect([answer.status, code(answer)]).toEqual([400, "BODY_REFUSED"]);
  });

  test("100 MB of unknown length, long before they have been sent", async () => {
    const run = await startChat();
    const before = process.memoryUsage().arrayBuffers;
    let sent = 0;
    const { status } = await stream(`/v1/runs/${run}/files`, function* chunks() {
      yield png;
      for (; sent < 100; sent++) yield new Uint8Array(1024 * 1024);
    });
    expect(status).toBe(413);
    expect(sent).toBeLessThan(60);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(80 * 1024 * 1024);
  });

  test("a false type of 100 MB, as soon as its first bytes are there", async () => {
    const run = await startChat();
    let sent = 0;
    const { status } = await stream(`/v1/runs/${run}/files`, function* chunks() {
      for (; sent < 100; sent++) yield new Uint8Array(1024 * 1024);
    });
    expect(status).toBe(422);
    expect(sent).toBeLessThan(30);
  });

  test("one more than `uploadsMax` at the same time", async () => {
    const run = await startChat();
    const held = [openUpload(`/v1/runs/${run}/files`), openUpload(`/v1/runs/${run}/files`)];
    await expect
      .poll(async () => (await upload(`runs/${run}/files`)).json.error?.code)
      .toBe("UPLOADS_EXHAUSTED");
    for (const request of held) request.destroy();
    await expect.poll(async () => (await upload(`runs/${run}/files`)).status).toBe(201);
  });
});

describe("what one tenant does is no other's harm:", () => {
  const limits = {
    ...{ uploadsMax: 3, tenantUploadsMax: 2, uploadBytesMax: 50_000_000, windowMs: 86_400_000 },
    ...{ downloadBytesMax: 80_000_000, tenantDownloadBytesMax: 35_000_000, downloadMs: 60_000 },
  };
  let mine: SampleServer;
  beforeEach(async () => {
    mine = sample;
    sample = await openSampleServer({ limits });
  });
  afterEach(async () => {
    await sample.close();
    sample = mine;
  });
  // More than what a connection holds on its way.
  const photo = Buffer.alloc(16_000_000, png);

  test("`tenantUploadsMax` uploads that never end leave room for others", async () => {
    const run = await startChat();
    const theirs = await sample.start("mallory", "chat", { text: "hi" });
    const path = `runs/${theirs}/files`;
    const held = Array.from({ length: 5 }, () => openUpload(`/v1/${path}`, "mallory"));
    await expect
      .poll(async () => code(await upload(path, { person: "mallory" })))
      .toBe("UPLOADS_EXHAUSTED");
    expect((await upload(`runs/${run}/files`)).status).toBe(201);
    for (const request of held) request.destroy();
    await expect.poll(async () => (await upload(path, { person: "mallory" })).status).toBe(201);
  });

  test("`uploadBytesMax` bytes are taken in a while, whatever they are for", async () => {
    const give = (key: string, person: Person = "ada") =>
      upload(`starts/${key}/files`, { bytes: photo, person });
    for (const key of ["a", "b", "c"]) expect((await give(key)).status).toBe(201);
    const answer = await give("d");
    expect([answer.status, code(answer)]).toEqual([429, "UPLOADS_EXHAUSTED"]);
    expect((await give("a", "mallory")).status).toBe(201);
  });

  test("`tenantDownloadBytesMax` bytes wait for those who do not read", async () => {
    const [run, theirs] = [await startChat(), await sample.start("mallory", "chat", { text: "" })];
    const { json } = await upload(`runs/${run}/files`, { bytes: photo });
    const other = await upload(`runs/${theirs}/files`, { bytes: photo, person: "mallory" });
    const unread = [await download(run, json.file), await download(run, json.file)];
    const refused = await download(run, json.file);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: "DOWNLOADS_EXHAUSTED" } });
    expect((await download(theirs, other.json.file, "mallory")).status).toBe(200);
    await unread[0]?.arrayBuffer();
    const read = async () => (await download(run, json.file)).arrayBuffer();
    expect((await read()).byteLength).toBe(photo.length);
  });

  test("somebody who only asks for the headers of a file holds nothing", async () => {
    const run = await startChat();
    const { json } = await upload(`runs/${run}/files`, { bytes: photo });
    const headers = { authorization: `Bearer ${KEYS.ada}` };
    const address = `${sample.url}/v1/runs/${run}/files/${json.file}`;
    for (let count = 0; count < 5; count++) {
      const response = await fetch(address, { method: "HEAD", headers });
      expect(response.headers.get("content-length")).toBe(String(photo.length));
    }
    expect((await download(run, json.file)).status).toBe(200);
  });
});

function openUpload(path: string, person: Person = "ada") {
  const headers = { authorization: `Bearer ${KEYS[person]}`, "content-type": "image/png" };
  const request = openRequest(`${sample.url}${path}`, { method: "POST", headers });
  request.on("error", () => {});
  request.write(png);
  return request;
}

/** Sends chunk by chunk, and no more once it is answered. */
async function stream(path: string, chunks: () => Iterable<Uint8Array>) {
  const headers = { authorization: `Bearer ${KEYS.ada}`, "content-type": "image/png" };
  const request = openRequest(`${sample.url}${path}`, { method: "POST", headers });
  request.on("error", () => {});
  const answered = once(request, "response");
  let status: number | undefined;
  void answered.then(([response]) => {
    status = response.statusCode;
    response.resume();
  });
  for (const chunk of chunks()) {
    if (status !== undefined || request.destroyed) break;
    if (!request.write(chunk)) await Promise.race([once(request, "drain"), answered]);
  }
  await answered;
  request.destroy();
  return { status };
}
