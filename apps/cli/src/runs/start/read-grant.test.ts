import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readGrantOptions } from "./read-grant.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-grant-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test("without anything the grant allows no tool", async () => {
  const grant = { grantor: userInfo().username, tools: [], budget: {} };
  expect(await readGrantOptions({})).toEqual({ kind: "read", grant });
});

test("flags make a grant of whoever sits there", async () => {
  const read = await readGrantOptions({
    allow: "local.pay, local.lookup",
    budget: "modelCalls=8,moneyMicros=0",
    expires: "2030-01-31T00:00:00Z",
  });
  expect(read).toMatchObject({
    grant: {
      tools: ["local.pay", "local.lookup"],
      budget: { modelCalls: 8, moneyMicros: 0 },
      expiresAt: "2030-01-31T00:00:00.000Z",
    },
  });
});

test("a file is a grant of whoever it names", async () => {
  const grant = { grantor: "grace", tools: ["local.pay"], budget: { turns: 2 } };
  const file = write("grant.json", JSON.stringify(grant));
  expect(await readGrantOptions({ grant: file })).toEqual({ kind: "read", grant });
  // The other options of the command say nothing about the grant.
  const others = { from: ["loops"], turnsMax: 2, store: "runs" };
  expect(await readGrantOptions({ ...others, grant: file })).toEqual({ kind: "read", grant });
});

describe("what is not a grant is refused with what is wrong", () => {
  test.each([
    [{ budget: "coins=3" }, "the units are turns, rounds"],
    [{ budget: "turns" }, "write it as turns=100"],
    [{ budget: "turns=-1" }, "write it as turns=100"],
    [{ budget: "turns=1.5" }, "write it as turns=100"],
    [{ budget: "__proto__=1" }, "the units are"],
    [{ expires: "tomorrow" }, "ISO 8601"],
    [{ allow: "ok" }, "write local.ok"],
    [{ grant: join(folder, "missing.json") }, "the file does not exist"],
    [{ grant: write("broken.json", "{") }, "broken.json:1:"],
    [{ grant: write("more.json", '{"grantor":"a","tools":[],"budget":{},"all":true}') }, "`all`"],
    [{ grant: write("good.json", "{}"), allow: "local.pay" }, "--grant excludes --allow"],
  ])("%j", async (options, message) => {
    const read = await readGrantOptions(options);
    expect(read.kind).toBe("unusable");
    expect(read.kind === "unusable" ? read.message : "").toContain(message);
  });
});
