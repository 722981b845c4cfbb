import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bindRoots } from "./bind-roots.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "turnseal-roots-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function bind(text: string): string {
  const bound = bindRoots({ TURNSEAL_ROOTS: text });
  return bound.kind === "bound" ? Object.keys(bound.roots).join() : bound.message;
}

test("names are bound to folders that are there", () => {
  expect(bindRoots({})).toMatchObject({ kind: "bound", missing: {} });
  expect(bind(" ")).toBe("here");
  expect(bind(`site=${folder}, notes=${folder}`)).toBe("here,site,notes");
  expect(bind(`site=${folder},gone=${folder}/gone`)).toBe("here,site");
  expect(bind(`here=${folder}`)).toBe("here");
  const missing = { gone: join(folder, "gone") };
  expect(bindRoots({ TURNSEAL_ROOTS: `gone=${folder}/gone` })).toMatchObject({ missing });
});

test("what cannot be read, or is there twice, binds nothing", () => {
  const refused = "TURNSEAL_ROOTS cannot be read: ";
  expect(bind(`site=${folder},b`)).toBe(`${refused}"b" is no name with a folder`);
  expect(bind("site=")).toBe(`${refused}"site=" is no name with a folder`);
  expect(bind("Site=/x")).toBe(`${refused}"Site=/x" is no name with a folder`);
  expect(bind(`site=${folder},`)).toBe(`${refused}"" is no name with a folder`);
  expect(bind(`site=${folder},site=${folder}/gone`)).toBe(`${refused}site is there twice`);
});
