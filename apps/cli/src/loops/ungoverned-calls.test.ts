// Reports and refusals of a call outside a run about tools that act.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createScreen } from "@turnseal/terminal";
import { afterAll, expect, test } from "vitest";
import { runProgram } from "../program.ts";
import { readWritten } from "../read-written.test.data.ts";

const loops = fileURLToPath(new URL("../__fixtures__/payments.mjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "turnseal-ungoverned-"));
afterAll(() => rmSync(root, { recursive: true }));

const call = (loop: string, ...more: readonly string[]) => callFrom(loops, loop, ...more);

async function callFrom(file: string, loop: string, ...more: readonly string[]) {
  const ledger = join(root, `${loop}.txt`);
  const input = JSON.stringify({ ledger, actMs: 0 });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runProgram(["call", loop, "--from", file, "--input", input, ...more], {
    ...{ environment: {}, stdin: Readable.from([]), stdout, stderr },
    terminal: { out: createScreen(stdout, {}), err: createScreen(stderr, {}) },
  });
  const isPaid = () => readFileSync(ledger, "utf8").trim().split("\n").length;
  return { code, out: readWritten(stdout), err: readWritten(stderr), isPaid };
}

test("a tool that acts once is refused, and nothing happens", async () => {
  const { code, err, isPaid } = await call("pay-once");
  expect(code).toBe(64);
  expect(err).toContain("no grant, no approval and no record, and pay-once acts once");
  expect(err).toContain("next: turnseal run pay-once --allow <tool,...>");
  expect(isPaid).toThrow();
});

test("so is a loop that can come to call it", async () => {
  expect((await call("refund")).code).toBe(64);
});

test("whoever says so calls it, and is told that it is ungoverned", async () => {
  const { code, err, isPaid } = await call("pay-once", "--ungoverned");
  expect(code).toBe(0);
  expect(err).toContain("note: ungoverned: no grant, no rules and no record for pay-once (once)");
  expect(isPaid()).toBe(1);
});

test("of other effects it is said, and of what only reads nothing is", async () => {
  expect((await call("pay-by-key")).err).toContain("for pay-by-key (idempotent)");
  expect((await call("peek")).err).not.toContain("ungoverned");
});

test("a tool that declares no effect is taken for one that acts once", async () => {
  const silent = join(root, "silent.mjs");
  const definition = {
    ...{ id: "silent", name: "silent", version: "1.0.0", kind: "tool" },
    ...{ inputSchema: true, outputSchema: true, tool: { implementation: "local.silent" } },
  };
  writeFileSync(
    silent,
    `import { appendFileSync } from "node:fs";
export const silent = {
  definition: ${JSON.stringify(definition)},
  run: ({ ledger }) => { appendFileSync(ledger, "paid\\n"); return null; },
};
`,
  );
  const refused = await callFrom(silent, "silent");
  expect(refused.code).toBe(64);
  expect(refused.err).toContain("no record, and silent acts once");
  expect(refused.isPaid).toThrow();
  const said = await callFrom(silent, "silent", "--ungoverned");
  expect(said).toMatchObject({ code: 0, err: expect.stringContaining("for silent (once)") });
  expect(said.isPaid()).toBe(1);
});
