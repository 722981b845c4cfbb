import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FlowPart } from "@turnseal/host";
import { formatLine } from "@turnseal/terminal";
import { PARTS_SHOWN_MAX, REASON_SHOWN_MAX, renderParts } from "@turnseal/terminal/runs";
import { afterAll, expect, test } from "vitest";
import { sayCommand } from "../../say-command.test.data.ts";

const root = mkdtempSync(join(tmpdir(), "turnseal-parts-"));
afterAll(() => rmSync(root, { recursive: true }));

const render = (parts: readonly FlowPart[]): string[] =>
  renderParts(parts).map((each) => formatLine(each, { columns: 400, isColoured: false }));
const path = "/flow/nodes/0";
const ok = (index: number): FlowPart => ({ path, index, status: "ok" });

test("PARTS_SHOWN_MAX are shown, and of more those that failed come first", () => {
  const most = Array.from({ length: PARTS_SHOWN_MAX }, (_, index) => ok(index));
  expect(render(most)).toHaveLength(1 + PARTS_SHOWN_MAX);
  const failed = {
    ...ok(PARTS_SHOWN_MAX),
    label: "Oslo",
    status: "error",
    code: "TIMEOUT",
  } as const;
  const more = render([...most, failed]);
  expect(more[1]).toBe(`  ✗ ${PARTS_SHOWN_MAX} Oslo  failed: TIMEOUT`);
  expect(more.at(-1)).toBe("  and 1 more");
});

test("a reason is on one line, of REASON_SHOWN_MAX characters at most", () => {
  const part = { ...ok(0), status: "error", code: "TOOL_FAILED" } as const;
  const [, line = ""] = render([
    { ...part, reason: `no\n  route ${"x".repeat(REASON_SHOWN_MAX)}` },
  ]);
  expect(line).toContain("failed: TOOL_FAILED: no route xxx");
  expect(line.split("TOOL_FAILED: ")[1]).toHaveLength(REASON_SHOWN_MAX);
});

test("a node that is no item is shown where it failed", () => {
  expect(render([{ path, label: "write", status: "ok" }])).toEqual([]);
  expect(render([{ path, label: "write", status: "error" }])).toEqual([
    "items",
    "  ✗ write  failed",
  ]);
});

async function run(...args: string[]) {
  return sayCommand([...args, "--store", join(root, "store")]);
}

test("run and explain list items with their labels and the words of their tools", async () => {
  const loops = fileURLToPath(new URL("../../__fixtures__/tickets.mjs", import.meta.url));
  const input = JSON.stringify({ tickets: [1, 49, 99] });
  const { out, err } = await run(
    ...["run", "triage", "--from", loops, "--input", input, "--allow", "local.read"],
    ...["--turns-max", "1"],
  );
  expect(out, err).toContain("items\n  ✓ 0 1  ok\n  ✗ 1 49  failed: TOOL_FAILED: it is gone\n");
  const { out: explained } = await run("explain", "last");
  expect(explained).toContain("2 99 failed: TOOL_FAILED: it is gone");
});
