import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("module-reader.test.process.ts", import.meta.url));

test("each reading has what stands in the files by then, also in those that are imported", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "turnseal-reader-")));
  const args = ["--conditions=turnseal-source", program, folder];
  const seen = execFileSync(process.execPath, args, { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const [isSameOfOneReading, isSameOfTwo, broken, mended, files] = JSON.parse(seen);
  expect([isSameOfOneReading, isSameOfTwo]).toEqual([true, false]);
  expect(broken).toBe("SyntaxError");
  expect(mended).toEqual({ value: "mended", sep });
  expect(files).toEqual([join(folder, "main.mjs"), join(folder, "part.mjs")]);
});
