import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILE_BYTES_MAX } from "@turnseal/protocol/files";
import { afterAll, describe, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-attach-"));
afterAll(() => rmSync(root, { recursive: true }));
const path = (name: string): string => join(root, name);

const pngHead = [
  ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
  ...[0, 0, 0, 2, 0, 0, 0, 2, 8, 6, 0, 0, 0],
];
writeFileSync(path("a=b.png"), Uint8Array.from(pngHead));
writeFileSync(path("letter.pdf"), "%PDF-1.7\n");
writeFileSync(path("page.html"), "<!doctype html>");
writeFileSync(path("large.pdf"), "%PDF-1.7\n");
truncateSync(path("large.pdf"), FILE_BYTES_MAX + 1);

function writeLoop(id: string, files?: readonly string[], properties: object = {}): string {
  const prompt = { template: "{{text}}", variables: ["text"], ...(files && { files }) };
  const loop = {
    ...{ id, name: id, version: "1.0.0", kind: "prompt", prompt },
    ...{ inputSchema: { type: "object", properties }, outputSchema: true },
  };
  writeFileSync(path(`${id}.json`), JSON.stringify(loop));
  return path(`${id}.json`);
}
const one = writeLoop("one", ["/photo"]);
const many = writeLoop("many", ["/photos"], { photos: { type: "array" } });
const two = writeLoop("two", ["/photo", "/letter"]);
const none = writeLoop("none");

async function ask(...args: string[]) {
  return sayCommand([...args, "--store", path("store")]);
}

async function attach(loop: string, ...files: string[]) {
  const options = files.flatMap((file) => ["--attach", file]);
  const input = ["--input", '{"text":"look"}'];
  const { code, out, err } = await ask("run", loop, ...input, ...options, "--json");
  if (code !== 0) return { code, err };
  const { run } = JSON.parse(out.split("\n", 1)[0] ?? "") as { run: string };
  return { code, context: (await ask("context", run, "--content")).out };
}

describe("a file is attached", () => {
  test.each([
    ["to the one field of the loop", one, [path("a=b.png")], ["image/png, 29 bytes a=b.png"]],
    ["to a list of one", many, [path("letter.pdf")], ["application/pdf, 9 bytes letter.pdf"]],
    [
      "with others, in order",
      many,
      [path("letter.pdf"), path("a=b.png")],
      ["application/pdf, 9 bytes letter.pdf", "image/png, 29 bytes a=b.png"],
    ],
    [
      "to a field by its name",
      two,
      [`/letter=${path("letter.pdf")}`, `/photo=${path("a=b.png")}`],
      ["image/png, 29 bytes a=b.png", "application/pdf, 9 bytes letter.pdf"],
    ],
  ])("%s", async (_, loop, files, named) => {
    const { code, context } = await attach(loop, ...files);
    expect(code).toBe(0);
    expect(context).toContain(named.map((file) => `[${file}]`).join("  "));
  });
});

describe("nothing is started with", () => {
  test.each([
    [
      "a file for one of two fields",
      two,
      path("letter.pdf"),
      "has several fields for files, so name one",
    ],
    ["a loop that takes none", none, path("letter.pdf"), "declares no field for files"],
    ["a page", one, path("page.html"), "it is none of image/png"],
    ["a file that is not there", one, path("nowhere.png"), "it cannot be read (ENOENT)"],
    ["more than FILE_BYTES_MAX", one, path("large.pdf"), `more than ${FILE_BYTES_MAX} bytes`],
  ])("%s", async (_, loop, file, why) => {
    const { code, err } = await attach(loop, file);
    expect(code).toBe(64);
    expect(err).toContain(`${file} cannot be attached: `);
    expect(err).toContain(why);
    expect(err).toMatch(
      loop === none ? /next: turnseal loops / : /next: turnseal run .* --attach \/.*=<file>/,
    );
  });
});
