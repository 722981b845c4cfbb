import { type Model, memoryStores, type Stores, systemClock } from "@turnseal/ports";
import { type Grant, hmacSha256Hex, type JsonValue, sha256Hex, uuidFrom } from "@turnseal/protocol";
import { definePrompt, jsonSchema } from "@turnseal/protocol/authoring";
import {
  FILE_BYTES_MAX,
  FILES_MAX,
  type FileRef,
  REQUEST_FILE_BYTES_MAX,
} from "@turnseal/protocol/files";
import { describe, expect, test } from "vitest";
import { createLocalHost, type LocalHost } from "../../local/local-host.ts";
import { crashAt } from "../sample-world.test.data.ts";
import {
  type Answer,
  agent,
  callDraw,
  chatting,
  closedTurns,
  document,
  type Message,
  marked,
  openEye,
  openHost,
  pdf,
  picture,
  png,
  problemsOf,
  signer,
  text,
} from "./seeing-world.test.data.ts";

async function tellStory(host: LocalHost, next: () => LocalHost): Promise<string> {
  const files = { "/photo": { ...png(1), name: "one.png" }, "/more": [png(2), pdf(70_000)] };
  const run = await host.start(agent, { words: "first" }, { ...chatting, key: "story", files });
  const go = async (): Promise<void> =>
    void (await next()
      .drive(run)
      .catch(() => next().drive(run)));
  await go();
  const said = { name: "message", key: "two", by: "ada", payload: { words: "second" } };
  await host.signal(run, { ...said, files: { "/photo": png(3) } });
  await go();
  return run;
}
const story: readonly Answer[] = [callDraw(9), text("seen"), text("done")];

const letter = `application/pdf - ${sha256Hex(document(70_000)).slice(0, 8)}`;
const first = `user: first | ${marked(1, "one.png")} | ${marked(2)} | ${letter}`;
const drawn = [first, "assistant: tool-call", `tool: result | ${marked(9)}`];
const told = [[first], drawn, [...drawn, "assistant: text", `user: second | ${marked(3)}`]];

describe("a run with files", () => {
  test("shows them again in every request, and records references only", async () => {
    const { model, requests } = openEye(story);
    const stores = memoryStores(systemClock);
    const host = openHost(model, stores);
    const run = await tellStory(host, () => host);
    expect(requests).toEqual(told);
    const events = await stores.log.read(run, 1);
    const log = JSON.stringify(events);
    expect(log.length).toBeLessThan(40_000);
    expect(log).not.toContain("one.png");
    const replays: string[] = [];
    for await (const { replayed } of host.replay(run)) replays.push(replayed.kind);
    expect(replays).toEqual(["identical", "identical"]);
  });

  test("makes the same requests after a crash at any append", async () => {
    const undisturbed = memoryStores(systemClock);
    const calm = openHost(openEye(story).model, undisturbed);
    const run = await tellStory(calm, () => calm);
    const appends = (await undisturbed.log.read(run, 1)).length;
    for (let place = 1; place <= appends; place++) {
      const { model, requests } = openEye(story);
      const stores = memoryStores(systemClock);
      const crash = crashAt(place);
      let isFirst = true;
      const next = (): LocalHost => {
        const seen = isFirst ? crash(stores) : stores;
        isFirst = false;
        return openHost(model, seen);
      };
      await tellStory(openHost(model, stores), next);
      const distinct = requests.filter((lines, at) => lines.join() !== requests[at - 1]?.join());
      expect(distinct, String(place)).toEqual(told);
    }
  });

  test("loses them when it is erased", async () => {
    const stores = memoryStores(systemClock);
    const host = openHost(openEye(story).model, stores);
    const run = await tellStory(host, () => host);
    const file = await host.keepFile(run, png(1));
    expect(await host.readFile(run, file.file)).toMatchObject({ mediaType: "image/png" });
    await stores.blobs.erase(run);
    expect(await host.readFile(run, file.file)).toBeUndefined();
    await expect(host.keepFile(run, png(1))).rejects.toMatchObject({ code: "FILE_REFUSED" });
  });
});

describe("what is no file of the run", () => {
  const start = async (input: Message) => {
    const { model, requests } = openEye([]);
    const host = openHost(model);
    const run = await host.start(agent, input, chatting);
    await host.drive(run);
    return { error: await problemsOf(host, run), requests };
  };

  test("is not found, also where another run has it", async () => {
    const { model, requests } = openEye([]);
    const host = openHost(model);
    const other = await host.start(
      agent,
      { words: "mine" },
      { ...chatting, files: { "/photo": png(1) } },
    );
    const photo = await host.keepFile(other, png(1));
    const run = await host.start(agent, { words: "theirs", photo }, chatting);
    await host.drive(run);
    expect(await problemsOf(host, run)).toMatchObject({
      code: "INPUT_VALIDATION_FAILED",
      details: { problems: ["/photo: is no file of this run"] },
    });
    expect(requests).toEqual([]);
    expect(await host.readFile(run, photo.file)).toBeUndefined();
  });

  test.each([
    ["another type", { mediaType: "image/jpeg" }],
    ["another size", { bytes: 5 }],
  ])("is not found under %s", async (_, lie) => {
    const { model, requests } = openEye([]);
    const host = openHost(model);
    const run = uuidFrom("local\nlies");
    const photo = { ...(await host.keepStartFile("lies", png(1))), ...lie };
    expect(await host.start(agent, { words: "b", photo }, { ...chatting, key: "lies" })).toBe(run);
    await host.drive(run);
    expect(await problemsOf(host, run)).toMatchObject({ code: "INPUT_VALIDATION_FAILED" });
    expect(requests).toEqual([]);
  });

  test.each([
    ["a text", "a.png", "/photo: is no file"],
    ["a file with another field", { file: "x", url: "http://a" }, "/photo: is no file"],
  ])("is refused: %s", async (_, photo, problem) => {
    const { error, requests } = await start({ words: "a", photo: photo as unknown as FileRef });
    expect(error).toMatchObject({ details: { problems: [problem] } });
    expect(requests).toEqual([]);
  });

  test("may be missing", async () => {
    const { requests } = await start({ words: "a", photo: null });
    expect(requests).toEqual([["user: a"]]);
  });
});

describe("a file that is given", () => {
  test.each([
    ["of a false type", { mediaType: "image/jpeg", bytes: picture(1) }, "type-false"],
    ["of an unknown type", { mediaType: "text/html", bytes: picture(1) }, "type-unknown"],
    ["of nothing", { mediaType: "image/png", bytes: new Uint8Array() }, "file-empty"],
    ["with more bytes than FILE_BYTES_MAX", pdf(FILE_BYTES_MAX + 1), "file-too-large"],
    [
      "that is a bomb",
      { mediaType: "image/png", bytes: picture(1).fill(0xff, 16, 24) },
      "image-too-large",
    ],
    ["with a path for a name", { ...png(1), name: "../x" }, "name-unfit"],
  ])("%s starts nothing", async (_, file, reason) => {
    const host = openHost(openEye([]).model);
    const started = host.start(agent, { words: "a" }, { ...chatting, files: { "/photo": file } });
    await expect(started).rejects.toMatchObject({
      code: "FILE_REFUSED",
      message: `the file is refused: ${reason}`,
    });
  });

  test.each(["photo", "", "/no/where", "/__proto__", "/words/deep"])(
    "has no place at %j",
    async (pointer) => {
      const host = openHost(openEye([]).model);
      const started = host.start(
        agent,
        { words: "a" },
        { ...chatting, files: { [pointer]: png(1) } },
      );
      await expect(started).rejects.toMatchObject({ code: "FILE_REFUSED" });
    },
  );

  test("is one of at most FILES_MAX", async () => {
    const { model, requests } = openEye([]);
    const host = openHost(model);
    const many = Array.from({ length: FILES_MAX + 1 }, (_, mark) => png(mark));
    const start = (given: typeof many) =>
      host.start(agent, { words: "a" }, { ...chatting, files: { "/more": given } });
    await expect(start(many)).rejects.toMatchObject({ code: "FILE_REFUSED" });
    await host.drive(await start(many.slice(1)));
    expect(requests[0]?.[0]?.split(" | ")).toHaveLength(FILES_MAX + 1);
  });

  test("once under one key is the same run", async () => {
    const host = openHost(openEye([]).model);
    const start = (mark: number) =>
      host.start(agent, { words: "a" }, { ...chatting, key: "k", files: { "/photo": png(mark) } });
    expect(await start(1)).toBe(await start(1));
    await expect(start(2)).rejects.toMatchObject({ code: "RUN_CONFLICT" });
  });
});

describe("no file stays behind", () => {
  /** The digest that a file has in a run, whether or not it has it. */
  const find = async (stores: Stores, run: string, mark: number) => {
    const key = (await stores.blobs.readKey(run)) ?? new Uint8Array(32);
    return stores.blobs.read(run, `hmac-sha256:${hmacSha256Hex(key, picture(mark))}`);
  };
  const start = { ...chatting, key: "k" };
  const run = uuidFrom("local\nk");

  test.each([
    ["a grant", "GRANT_REFUSED", { grant: { nonsense: true } as unknown as Grant }],
    ["bounds", "BOUNDS_REFUSED", { bounds: { turnsMax: -1 } }],
    ["a starter", "STARTER_REFUSED", { by: "x".repeat(500) }],
    ["a document", "GUIDANCE_REFUSED", { guidance: [{ ref: "", text: "a" }] }],
  ])("of a start that is refused for %s", async (_, code, options) => {
    const stores = memoryStores(systemClock);
    const host = openHost(openEye([]).model, stores);
    const files = { "/photo": png(1) };
    const started = host.start(agent, { words: "a" }, { ...start, files, ...options });
    await expect(started).rejects.toMatchObject({ code });
    expect(await find(stores, run, 1)).toBeUndefined();
    // The key is as good as before.
    expect(await host.start(agent, { words: "a" }, { ...start, files })).toBe(run);
    expect(await find(stores, run, 1)).toBeDefined();
  });

  test.each([
    ["waits", false],
    ["was driven", true],
  ])("of a start whose key has a run that %s", async (_, isDriven) => {
    const stores = memoryStores(systemClock);
    const host = openHost(openEye([]).model, stores);
    await host.start(agent, { words: "mine" }, start);
    if (isDriven) await host.drive(run);
    const other = { ...start, by: "mallory", files: { "/photo": png(1) } };
    const started = host.start(agent, { words: "other" }, other);
    await expect(started).rejects.toMatchObject({ code: "RUN_CONFLICT" });
    expect(await find(stores, run, 1)).toBeUndefined();
  });

  test("for a run that there is not", async () => {
    const stores = memoryStores(systemClock);
    const host = openHost(openEye([]).model, stores);
    const refusal = { code: "FILE_REFUSED", message: "there is no such run" };
    await expect(host.keepFile(run, png(1))).rejects.toMatchObject(refusal);
    const signal = { name: "message", key: "1", by: "ada", payload: {} };
    const told = host.signal(run, { ...signal, files: { "/photo": png(1) } });
    await expect(told).rejects.toMatchObject(refusal);
    expect(await stores.blobs.readKey(run)).toBeUndefined();
  });
});

test("a model that does not take a file is not asked, and nothing is claimed", async () => {
  const { model, requests } = openEye([], ["image/*"]);
  const stores = memoryStores(systemClock);
  const host = openHost(model, stores);
  const run = await host.start(
    agent,
    { words: "a" },
    { ...chatting, files: { "/photo": pdf(50) } },
  );
  await host.drive(run);
  expect(requests).toEqual([]);
  expect(await problemsOf(host, run)).toMatchObject({
    code: "BACKEND_FAILED",
    details: { fault: "FILE_NOT_TAKEN" },
  });
  const events = await stores.log.read(run, 1);
  expect(events.some(({ type }) => type === "action.claimed")).toBe(false);
});

test("a file of a tool that the model does not take is only named", async () => {
  const { model, requests } = openEye([callDraw(7), text("drawn")], ["application/pdf"]);
  const host = openHost(model);
  const run = await host.start(agent, { words: "draw" }, chatting);
  await host.drive(run);
  expect((await closedTurns(host, run)).map(({ outcome }) => outcome)).toEqual(["completed"]);
  expect(requests.at(-1)).toEqual(["user: draw", "assistant: tool-call", "tool: result"]);
});

test("what a file was counted as says nothing of words", async () => {
  const words = "word ".repeat(2_500);
  const { model } = openEye([]);
  const counting: Model = {
    ...model,
    generate: async (request) => ({
      ...(await model.generate(request)),
      usage: { inputTokens: request.files === undefined ? 10 : 25_501, outputTokens: 1 },
    }),
  };
  const small = definePrompt({
    ...{ id: "look", version: "1.0.0", template: "{{words}}", backend: { id: "eye" } },
    input: jsonSchema<Message>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    ...{ files: ["/photo"], policy: { contextTokensMax: 8_000 } },
  });
  const stores = memoryStores(systemClock);
  const host = createLocalHost({ loops: [small], models: { eye: counting }, stores, signer });
  const photo = { files: { "/photo": png(1) } };
  const run = await host.start(small, { words }, { ...chatting, ...photo });
  await host.drive(run);
  const [turn] = await closedTurns(host, run);
  expect(turn?.threads?.[0]).not.toHaveProperty("ratio");
});

test("the oldest files are left out of what would pass REQUEST_FILE_BYTES_MAX", async () => {
  const { model, requests } = openEye([]);
  const large = pdf(12 * 1024 * 1024);
  const loop = definePrompt({
    ...{ id: "look", version: "1.0.0", template: "{{words}}", backend: { id: "eye" } },
    input: jsonSchema<Message>({ type: "object" }),
    output: jsonSchema<JsonValue>(true),
    files: ["/photo"],
    policy: { contextTokensMax: 10_000_000 },
  });
  const roomy = createLocalHost({
    loops: [loop],
    models: { eye: model },
    stores: memoryStores(systemClock),
    signer,
  });
  const run = await roomy.start(loop, { words: "0" }, { ...chatting, files: { "/photo": large } });
  await roomy.drive(run);
  for (let turn = 1; turn < 6; turn++) {
    const said = {
      name: "message",
      key: String(turn),
      by: "ada",
      payload: { words: String(turn) },
    };
    await roomy.signal(run, { ...said, files: { "/photo": large } });
    await roomy.drive(run);
  }
  const counts = requests.map((lines) => lines.filter((line) => line.includes("pdf")).length);
  expect(counts).toEqual([1, 2, 3, 4, 2, 3]);
  expect(REQUEST_FILE_BYTES_MAX).toBe(4 * large.bytes.length);
}, 30_000);

test("a fork of a thread whose file is gone never begins", async () => {
  const stores = memoryStores(systemClock);
  const { model, requests } = openEye([]);
  const host = openHost(model, stores);
  const files = { "/photo": png(1) };
  const run = await host.start(agent, { words: "first" }, { ...chatting, files });
  await host.drive(run);
  const { file } = await host.keepFile(run, png(1));
  // Erased after its words were read, and before its file is.
  const read = async (of: string, digest: string) => {
    if (of === run && digest === file) await stores.blobs.erase(run);
    return stores.blobs.read(of, digest);
  };
  const late = openHost(model, { ...stores, blobs: { ...stores.blobs, read } });
  const forkedFrom = { run, turn: 2 };
  const fork = await late.start(agent, { words: "second" }, { ...chatting, forkedFrom });
  await late.drive(fork).catch(() => {});
  expect(requests).toHaveLength(1);
  const events = await stores.log.read(fork, 1);
  expect(events).toMatchObject([{ content: { kind: "refused", why: "thread-unreadable" } }]);
  expect(JSON.stringify(events)).not.toContain(file);
});

test("a fork has files of its own, which stay when those of the first are erased", async () => {
  const { model, requests } = openEye(story);
  const stores = memoryStores(systemClock);
  const host = openHost(model, stores);
  const run = await tellStory(host, () => host);
  const photo = await host.keepFile(run, png(3));
  const forkedFrom = { run, turn: 2 };
  const fork = await host.start(agent, { words: "other", photo }, { ...chatting, forkedFrom });
  await host.driveNow(fork);
  expect(requests.at(-1)).toEqual([...drawn, "assistant: text", `user: other | ${marked(3)}`]);
  await stores.blobs.erase(run);
  const log = JSON.stringify(await stores.log.read(fork, 1));
  expect(log).not.toContain(photo.file);
  await host.signal(fork, { name: "message", key: "m", by: "ada", payload: { words: "still" } });
  await host.drive(fork);
  expect(requests.at(-1)?.slice(0, 5)).toEqual(requests.at(-2));
});

test("a file that was exchanged is not sent, and the turn stays open", async () => {
  const stores = memoryStores(systemClock);
  const { model, requests } = openEye([]);
  const start = { ...chatting, files: { "/photo": png(1) } };
  const run = await openHost(model, stores).start(agent, { words: "a" }, start);
  const { file } = await openHost(model, stores).keepFile(run, png(1));
  let isShown = false;
  // Read for the input as it was stored, and for the request as another.
  const read = async (of: string, digest: string) => {
    if (digest !== file || !isShown) {
      isShown ||= digest === file;
      return stores.blobs.read(of, digest);
    }
    return picture(2);
  };
  const spoiled = openHost(model, { ...stores, blobs: { ...stores.blobs, read } });
  await spoiled.drive(run).catch(() => {});
  expect(requests).toEqual([]);
  expect(await closedTurns(spoiled, run)).toEqual([]);
  const [blocked] = (await stores.log.read(run, 1)).slice(-1);
  expect(blocked).toMatchObject({ content: { cause: "error", what: "LOG_CONTENT_CHANGED" } });
  // With what was stored it goes on where it stopped.
  await openHost(model, stores).drive(run);
  expect(requests).toEqual([[`user: a | ${marked(1)}`]]);
});
