// The page that compares libraries says of its programs what is true of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./tidy/tree.ts";

const read = (path: string) => readFileSync(join(repositoryRoot, "docs", path), "utf8");
const page = read("side-by-side.md");
const names = ["turnseal", "ai-sdk", "langgraph", "mastra"];
const lines = names.map(
  (name) =>
    read(`side-by-side/${name}.ts`)
      .split("\n")
      .filter((line) => line.trim() !== "").length,
);

test("the lines of each program are those of the table, and ours are at most 48", () => {
  expect(page).toContain(`| lines of code | ${lines.join(" | ")} |`);
  expect(lines[0]).toBeLessThanOrEqual(48);
});

test("the lines of each fan-out are those of its table", () => {
  const counted = ["turnseal", "ai-sdk", "langgraph"].map(
    (name) =>
      read(`side-by-side/research/${name}.ts`)
        .split("\n")
        .filter((line) => line.trim() !== "").length,
  );
  expect(read("side-by-side-research.md")).toContain(`| lines of code | ${counted.join(" | ")} |`);
});

test("the versions of the page are those that the programs are compiled against", () => {
  const { dependencies } = JSON.parse(read("side-by-side/package.json"));
  const locked = JSON.parse(read("side-by-side/package-lock.json")).packages;
  for (const name of ["ai", "langchain", "@langchain/langgraph", "@mastra/core"]) {
    expect(page).toContain(`\`${name}\` ${dependencies[name]}`);
    expect(locked[`node_modules/${name}`].version).toBe(dependencies[name]);
  }
});

test("the AI SDK is compared in the version that we use", () => {
  const ours = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const { dependencies } = JSON.parse(read("side-by-side/package.json"));
  expect(dependencies.ai).toBe(ours.devDependencies.ai);
  expect(dependencies.zod).toBe(ours.devDependencies.zod);
});
