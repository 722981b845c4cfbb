import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../contract.ts";
import { ARCHIVE_LIST_MAX, ARCHIVE_NAME_LENGTH_MAX, type Archive } from "./archive.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

type Sentences = Readonly<Record<string, (archive: Archive) => Promise<void>>>;

const putting: Sentences = {
  "what was put is there, to the byte, and nothing else": async (archive) => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
    await archive.put("ada/ab/one.json", bytes);
    await archive.put("ada/ab/empty", new Uint8Array());
    // Not compared as arrays: it takes half a minute to say how two of this size differ.
    const kept = await archive.get("ada/ab/one.json");
    assert.ok(kept?.length === bytes.length && bytes.every((byte, at) => kept[at] === byte));
    assert.deepEqual(await archive.get("ada/ab/empty"), new Uint8Array());
    for (const name of ["ada/ab/one", "ada/ab", "ada/ab/one.json.json", "ab/one.json"])
      assert.equal(await archive.get(name), undefined);
  },
  "a second put takes the place of the first, whole": async (archive) => {
    await archive.put("ada/one", bytesOf("a text that is longer"));
    await archive.put("ada/one", bytesOf("short"));
    assert.deepEqual(await archive.get("ada/one"), bytesOf("short"));
    assert.deepEqual(await archive.list(""), ["ada/one"]);
  },
  "of two puts at once one is there, whole": async (archive) => {
    const texts = Array.from({ length: 8 }, (_, at) => String(at).repeat(10_000));
    await Promise.all(texts.map((text) => archive.put("ada/one", bytesOf(text))));
    const kept = new TextDecoder().decode(await archive.get("ada/one"));
    assert.ok(texts.includes(kept));
    assert.deepEqual(await archive.list(""), ["ada/one"]);
  },
  "names are listed in order, by their beginning, after one": async (archive) => {
    const names = ["ada/b/2", "ada/a/1", "ada-2/a/1", "grace/a/1", "ada/b/1"];
    for (const name of names) await archive.put(name, bytesOf(name));
    assert.deepEqual(await archive.list("ada/"), ["ada/a/1", "ada/b/1", "ada/b/2"]);
    assert.deepEqual(await archive.list("ada/b/", "ada/b/1"), ["ada/b/2"]);
    assert.deepEqual(await archive.list("ada"), [...names].sort().slice(0, 4));
    assert.deepEqual(await archive.list("nobody/"), []);
  },
  "a list has at most ARCHIVE_LIST_MAX names, and the next goes on after them": async (archive) => {
    const names = Array.from(
      { length: ARCHIVE_LIST_MAX + 2 },
      (_, at) => `ada/${String(at % 7)}/${String(at).padStart(6, "0")}`,
    ).sort();
    await Promise.all(names.map((name) => archive.put(name, bytesOf(name))));
    const first = await archive.list("ada/");
    assert.equal(first.length, ARCHIVE_LIST_MAX);
    assert.deepEqual([...first, ...(await archive.list("ada/", first.at(-1)))], names);
  },
};

const removing: Sentences = {
  "what is removed is gone, also when it was not there": async (archive) => {
    await archive.put("ada/one", bytesOf("one"));
    await archive.put("ada/two", bytesOf("two"));
    await archive.remove("ada/one");
    await archive.remove("ada/one");
    await archive.remove("ada/three");
    assert.equal(await archive.get("ada/one"), undefined);
    assert.deepEqual(await archive.list(""), ["ada/two"]);
  },
  "puts go on beside somebody who takes away what is unfinished": async (archive) => {
    await archive.put("ada/whole", bytesOf("whole"));
    const names = Array.from({ length: 8 }, (_, at) => `ada/${at}`);
    const puts = names.map((name) => archive.put(name, bytesOf(name)));
    await Promise.all([...puts, archive.removeUnfinished("ada/"), archive.removeUnfinished("")]);
    assert.deepEqual(await archive.list(""), [...names, "ada/whole"]);
    for (const name of names) assert.deepEqual(await archive.get(name), bytesOf(name));
  },
  "a name of ARCHIVE_NAME_LENGTH_MAX characters is kept": async (archive) => {
    const name = "a".repeat(ARCHIVE_NAME_LENGTH_MAX);
    await archive.put(name, bytesOf("long"));
    assert.deepEqual(await archive.get(name), bytesOf("long"));
    await archive.remove(name);
    assert.deepEqual(await archive.list(""), []);
  },
  "a name that leads elsewhere is refused": async (archive) => {
    const names = ["", "/etc/x", "../x", "ada/../x", "ada//x", "ada/.x", "a\\b", "a\0", "a/"];
    for (const name of names) {
      await assert.rejects(async () => archive.put(name, bytesOf("x")), RangeError);
      await assert.rejects(async () => archive.get(name), RangeError);
      await assert.rejects(async () => archive.remove(name), RangeError);
    }
    assert.deepEqual(await archive.list(""), []);
  },
};

/** The contract of every archive. A subject is empty at first. */
export function archiveContract(options: ContractOptions<Archive>): ContractCase[] {
  return bindContract({ ...putting, ...removing }, options);
}
