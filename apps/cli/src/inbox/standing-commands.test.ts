// An approval that stands, from the command line: given, listed, revoked, and what is refused.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../say-command.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/desk.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-standing-"));
afterAll(() => rmSync(root, { recursive: true }));

async function say(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return sayCommand([...args, "--store", join(root, "store")], { TURNSEAL_ROLES: "finance" });
}

const rules = `name = "desk"
[[rules]]
id = "large"
decision = "ask"
role = "finance"
mayStand = { uses = 3, withinMs = 3600000 }
`;

test("an approval stands, is listed with what it allows, and is revoked", async () => {
  const policy = join(root, "rules.toml");
  writeFileSync(policy, rules);
  const ledger = join(root, "paid.txt");
  const input = JSON.stringify({ asks: [{ ledger, to: "ada", cents: 1200 }] });
  const allow = ["--allow", "local.pay", "--policy", policy];
  expect((await say("run", "desk", "--from", loops, "--input", input, ...allow)).code).toBe(2);
  const card = (await say("inbox", "last")).out;
  expect(card).toMatch(/may stand +for 3 more calls within 1 h/);
  expect(card).toContain("--stand");

  const wide = await say("approve", "last", "--stand", "--uses", "4");
  expect(wide.code).not.toBe(0);
  expect(wide.err).toContain("more than `mayStand`");

  const where = ["--where", "cents=..5000", "--where", "to=any"];
  const approved = await say("approve", "last", "--uses", "2", "--for", "30m", ...where);
  expect(approved).toMatchObject({ code: 0, err: "" });
  expect(approved.out.replaceAll(/\s+/g, " ")).toContain("then at most 2 more calls within 30 min");
  await say("resume", "last");

  // The run has stopped: its approval covers nothing any more.
  const none = await say("approvals", "last");
  expect(none).toMatchObject({ code: 0 });
  expect(none.out).toContain("no approval stands");
  const revoked = await say("revoke", "last", "7b01");
  expect(revoked.code).not.toBe(0);
});
