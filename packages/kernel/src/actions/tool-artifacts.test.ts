import {
  type Digester,
  type FileRoot,
  manualClock,
  memoryRoot,
  memoryStores,
} from "@turnseal/ports";
import { hmacSha256Hex } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { areSame, LISTED } from "../cache/seen-files.ts";
import { createContent } from "../log/content.ts";
import { openRoot } from "../log/run-artifacts.ts";
import { createRedactor } from "./redact.ts";
import { openToolArtifacts } from "./tool-artifacts.ts";

const SECRET = "sk-live-0123456789";
const key = new Uint8Array(32).fill(1);
const bytesOf = (text: string) => new TextEncoder().encode(text);

function createDigester(): Digester {
  const parts: number[] = [];
  return {
    update: (part) => parts.push(...part),
    digest: () => `hmac-sha256:${hmacSha256Hex(key, Uint8Array.from(parts))}`,
  };
}

function open(wrap: (root: FileRoot) => FileRoot = (root) => root) {
  const seen: string[] = [];
  const { root } = memoryRoot(createDigester);
  const content = createContent("run", key, memoryStores(manualClock()).blobs);
  const outside = openToolArtifacts({
    onRead: (path, digest) => seen.push(`${path} ${digest}`),
    root: openRoot("site", { files: wrap(root), named: undefined, content }),
    isReadOnly: false,
    isRepeated: false,
    signal: new AbortController().signal,
    redactor: createRedactor([SECRET]),
  });
  return { ...outside, root, seen };
}

async function textAt(root: FileRoot, path: string): Promise<string> {
  const read = await root.read(path);
  return read.kind === "read" ? new TextDecoder().decode(read.bytes) : read.reason;
}

test("what is written is what was looked at, whatever the tool does to its bytes", async () => {
  const { face, root } = open();
  const bytes = bytesOf("x".repeat(SECRET.length));
  const writing = face.write("a", bytes);
  bytes.set(bytesOf(SECRET));
  expect(await writing).toEqual({ kind: "done" });
  expect(await textAt(root, "a")).toBe("x".repeat(SECRET.length));
});

test("a call that listed a folder is answered by no cache", async () => {
  const { face, seen } = open();
  await face.list("");
  expect(seen).toEqual([` ${LISTED}`]);
  const artifacts = { open: () => undefined } as never;
  expect(await areSame([{ root: "site", path: "", digest: LISTED }], artifacts)).toBe(false);
});

test("a folder is listed while the tool runs, and not after", async () => {
  const { face, finish, root } = open();
  await root.write("d/a", { bytes: bytesOf("a") }, "absent");
  await face.write("b", bytesOf("b"));
  expect(await face.list("", { isDeep: true })).toEqual({
    kind: "listed",
    entries: expect.arrayContaining([
      { kind: "folder", path: "d" },
      { kind: "file", path: "d/a" },
      { kind: "file", path: "b" },
    ]),
  });
  expect(await face.list("../x")).toEqual({ kind: "refused", reason: "path" });
  const read = await face.read("b");
  expect(read.kind === "read" && read.digest).toBe(face.digestOf(bytesOf("b")));
  await finish();
  for (const folder of ["", "d"])
    expect(await face.list(folder)).toEqual({ kind: "refused", reason: "ended" });
});

test("a path with a secret in it is refused", async () => {
  const { face } = open();
  const refused = { kind: "refused", reason: "secret" };
  expect(await face.write(`d/${SECRET}.txt`, bytesOf("x"))).toEqual(refused);
  expect(await face.remove(`d/${SECRET}.txt`)).toEqual(refused);
});

test("what was begun is waited for and recorded, and nothing is begun after", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { face, finish, root } = open((files) => ({
    ...files,
    write: async (...given) => {
      await held;
      return files.write(...given);
    },
  }));
  const begun = [face.write("a", bytesOf("one")), face.write("b", bytesOf("two"))];
  const removed = face.remove("b");
  const finishing = finish();
  expect(await face.write("c", bytesOf("late"))).toEqual({ kind: "refused", reason: "ended" });
  expect(await face.remove("a")).toEqual({ kind: "refused", reason: "ended" });
  letGo();
  const record = await finishing;
  const done = { kind: "done" };
  expect(await Promise.all([...begun, removed])).toEqual([done, done, done]);
  expect(record?.()?.facts).toMatchObject({ files: 1, changed: 1 });
  expect(await textAt(root, "a")).toBe("one");
  expect(await textAt(root, "b")).toBe("absent");
});

test("of a mode the permission bits count, also when it is said again", async () => {
  const { face, root } = open();
  for (const _ of [1, 2])
    expect(await face.write("a", bytesOf("x"), { mode: 0o4755, expected: "absent" })).toEqual({
      kind: "done",
    });
  expect(await root.read("a")).toMatchObject({ state: { mode: 0o755 } });
});

test.each(["write", "remove"] as const)(
  "a file that has a secret in it is changed by %s, and what was there is kept nowhere",
  async (how) => {
    const { face, finish, root } = open();
    await root.write(".env", { bytes: bytesOf(`TOKEN=${SECRET}\n`) }, "absent");
    const there = await face.read(".env");
    if (there.kind !== "read") throw new Error(there.reason);
    const expected = { expected: there.digest };
    const change =
      how === "write"
        ? await face.write(".env", bytesOf("TOKEN=rotated\n"), expected)
        : await face.remove(".env", expected);
    expect(change).toEqual({ kind: "done" });
    const recorded = (await finish())?.();
    const texts = (recorded?.blobs ?? []).map(({ bytes }) => new TextDecoder().decode(bytes));
    expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
    expect(texts.some((text) => text.includes('"was":"unknown"'))).toBe(true);
  },
);
