// Things of a service that a run manages: a real server, and somebody else who changes it.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../../__fixtures__/desk-things.mjs", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "turnseal-things-"));
const TOKEN = "a-token-of-the-desk";
const records = new Map<string, string>();
let isDown = false;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const thing = (request.url ?? "").slice(1);
  if (isDown || request.headers.authorization !== TOKEN) response.statusCode = 503;
  else if (request.method === "PUT") records.set(thing, await text(request));
  else if (!records.has(thing)) response.statusCode = 404;
  response.end(response.statusCode === 200 ? records.get(thing) : "");
}
const server = createServer((request, response) => void answer(request, response));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  process.env["TURNSEAL_TEST_DESK"] = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.close();
  delete process.env["TURNSEAL_TEST_DESK"];
  rmSync(place, { recursive: true });
});
beforeEach(() => {
  isDown = false;
  records.clear();
});

async function turnseal(...args: readonly string[]) {
  return sayCommand([...args, "--store", join(place, "store")], { DESK_TOKEN: TOKEN });
}

async function fileRecords(input: Readonly<Record<string, string>>) {
  const ran = ["run", "file", "--from", loops, "--allow", "local.file"];
  const { code, err } = await turnseal(...ran, "--input", JSON.stringify(input), "--json");
  expect([code, err]).toEqual([0, ""]);
}

test("a service is as recorded, until somebody else changes it", async () => {
  await fileRecords({ "case-1": "open", "case-2": "open" });
  expect(await turnseal("drift", "last", "--from", loops)).toMatchObject({
    ...{ code: 0, out: "desk  2 files, as recorded\n" },
  });
  records.set("case-1", "closed");
  records.delete("case-2");
  const { code, out } = await turnseal("drift", "last", "--from", loops, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out).roots).toMatchObject([
    {
      root: "desk",
      drifts: [
        { kind: "modified", path: "case-1" },
        { kind: "deleted", path: "case-2" },
      ],
    },
  ]);
});

test("a service that does not answer is not said to be as recorded", async () => {
  await fileRecords({ "case-1": "open" });
  isDown = true;
  const { code, out } = await turnseal("drift", "last", "--from", loops, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out).roots[0].drifts).toMatchObject([
    { kind: "unread", path: "case-1", reason: "denied" },
  ]);
});

test("what the tool says it left is not recorded where it is not so", async () => {
  isDown = true;
  await fileRecords({ "case-1": "open" });
  isDown = false;
  const { code, out } = await turnseal("drift", "last", "--from", loops, "--json");
  expect([code, JSON.parse(out).roots]).toEqual([0, []]);
});

test("what a secret of the tool is in is shown to nobody", async () => {
  await fileRecords({ "case-1": "open" });
  records.set("case-1", `the word is ${TOKEN}`);
  const { code, out } = await turnseal("drift", "last", "--from", loops, "--json");
  expect(code).toBe(1);
  expect(out).not.toContain(TOKEN);
  expect(JSON.parse(out).roots[0].drifts).toMatchObject([{ kind: "unread", path: "case-1" }]);
});
