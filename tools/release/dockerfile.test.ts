// Checks the Dockerfile, as far as possible without a builder; `try-image.ts` shows that its
// packages install without a network.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../tidy/tree.ts";
import { readDockerfile } from "./read-dockerfile.ts";

const readText = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const stages = readDockerfile(readText("Dockerfile"));
const [build, last] = stages;
const listRests = (name: string, stage = last): string[] =>
  (stage?.instructions ?? []).flatMap((each) => (each.name === name ? [each.rest] : []));

test("each stage is made from the Node of continuous integration, in its exact version", () => {
  const [, wanted] = /^node_wanted=(\S+)$/m.exec(readText(".ci/run")) ?? [];
  expect(wanted).toMatch(/^24\.\d+\.\d+$/);
  expect(stages.map(({ image }) => image)).toEqual(
    stages.map(() => `docker.io/library/node:${wanted}-trixie-slim`),
  );
  expect(stages).toHaveLength(2);
});

test("what `npm run image` makes comes from outside, and nothing else is sent", () => {
  const copies = stages.flatMap((stage) => listRests("COPY", stage));
  const outer = copies.filter((rest) => !rest.startsWith("--from=packages "));
  expect(outer).toEqual([".turnseal/image/ ./"]);
  expect(readText("tools/release/image.ts")).toContain('".turnseal/image"');
  expect(stages.flatMap((stage) => listRests("ADD", stage))).toEqual([]);
  const ignored = readText(".dockerignore").split("\n").slice(1).join("\n").trim().split("\n");
  expect(ignored).toEqual(["*", "!.turnseal", ".turnseal/*", "!.turnseal/image"]);
});

test("packages are installed without a network, and none of their scripts runs", () => {
  expect(build?.name).toBe("packages");
  const [install = "", ...more] = listRests("RUN", build);
  expect(more).toEqual([]);
  expect(install).toMatch(/^npm ci /);
  for (const flag of ["--offline", "--cache=cache", "--ignore-scripts", "--omit=dev"])
    expect(install.split(" ")).toContain(flag);
});

test("the image runs the command as a user without rights, and has nothing that installs", () => {
  expect(listRests("USER")).toEqual(["65532:65532"]);
  expect(JSON.parse(listRests("ENTRYPOINT")[0] ?? "[]")).toEqual([
    ...["node", "/app/node_modules/turnseal/bin/turnseal.js"],
  ]);
  const names = (last?.instructions ?? []).map(({ name }) => name);
  const [removal = "", ...more] = listRests("RUN");
  expect(more).toEqual([]);
  expect(removal).toMatch(/^rm -rf \/usr\/local\/lib\/node_modules /);
  expect(removal).toMatch(/\/bin\/npm .*\/bin\/npx /);
  // What is copied afterwards would be the user's own.
  expect(names.lastIndexOf("COPY")).toBeLessThan(names.indexOf("USER"));
  expect(listRests("COPY").join(" ")).not.toContain("--chown");
});

test("a Dockerfile is read with its defaults, its names and its long lines", () => {
  const first = "# a\nARG BASE=node:24\nFROM $\u007bBASE} AS one\nRUN a \\\n  b\n";
  const text = `${first}FROM scratch\nUSER 1\n`;
  expect(readDockerfile(text)).toEqual([
    { image: "node:24", name: "one", instructions: [{ name: "RUN", rest: "a b" }] },
    { image: "scratch", instructions: [{ name: "USER", rest: "1" }] },
  ]);
  expect(() => readDockerfile("COPY . .\n")).toThrow("before the first FROM");
});
