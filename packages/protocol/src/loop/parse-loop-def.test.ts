import { expect, test } from "vitest";
import { FILE_POINTERS_MAX, THREAD_NAME_LENGTH_MAX } from "./field-type.ts";
import { parseLoopDef } from "./parse-loop-def.ts";
import type { Problem } from "./problem.ts";

const document = {
  id: "greet",
  name: "Greet",
  version: "1.0.0",
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  kind: "prompt",
  prompt: { template: "Hello {{name}}", variables: ["name"] },
};

function problemsOf(value: unknown): readonly Problem[] {
  const parsed = parseLoopDef(value);
  if (parsed.kind !== "refused") throw new Error("was not refused");
  return parsed.problems;
}

test("strict is the default", () => {
  expect(parseLoopDef({ ...document, extra: 1 }).kind).toBe("refused");
  expect(parseLoopDef({ ...document, extra: 1 }, "lenient").kind).toBe("parsed");
});

test("the loop is the document itself, metadata included", () => {
  const metadata = { owner: { team: ["a"] } };
  const given = { ...document, metadata };
  const parsed = parseLoopDef(given);
  if (parsed.kind !== "parsed") throw new Error("was refused");
  expect(parsed.loop).toBe(given);
  expect(parsed.loop.metadata).toBe(metadata);
});

test("a problem says where, what and how to mend it", () => {
  const { name: _, ...nameless } = document;
  expect(problemsOf(nameless)).toEqual([
    {
      rule: "field-missing",
      path: "",
      message: "`name` is missing",
      mend: "add the field `name`",
    },
  ]);
});

test("a problem of the kind or of the body names the loop", () => {
  expect(problemsOf({ ...document, kind: "agent" })[0]?.message).toContain("greet");
  const { prompt: _, ...bodiless } = document;
  expect(problemsOf(bodiless)[0]?.message).toContain("greet");
  expect(problemsOf({ ...bodiless, id: 7 })).toHaveLength(2);
});

test("an unknown field names those that are known", () => {
  expect(problemsOf({ ...document, input: {} })[0]?.mend).toContain("inputSchema");
});

test.each<[string, unknown]>([
  ["a function", () => document],
  ["undefined", undefined],
  ["a map", new Map(Object.entries(document))],
  ["an instance of a class", Object.assign(new (class Document {})(), document)],
  ["an object that inherits its fields", Object.create(document)],
])("refuses %s", (_, value) => {
  expect(problemsOf(value)[0]?.rule).toBe("document-object");
});

test("does not take a body from a prototype", () => {
  const { prompt: _, ...bodiless } = document;
  const given = Object.assign(Object.create(null), bodiless);
  expect(problemsOf(given).map(({ rule }) => rule)).toEqual(["body-missing"]);
});

test("a thread is true, false or a name of at most THREAD_NAME_LENGTH_MAX characters", () => {
  const refusedBy = (thread: unknown) => {
    const prompt = { template: "Go", variables: [], thread };
    const parsed = parseLoopDef({
      ...{ id: "a", name: "a", version: "1.0.0", inputSchema: true, outputSchema: true },
      ...{ kind: "prompt", prompt },
    });
    return parsed.kind === "parsed" ? [] : parsed.problems.map(({ path }) => path);
  };
  const longest = "n".repeat(THREAD_NAME_LENGTH_MAX);
  for (const thread of [true, false, "notes", "a-b_C9", longest])
    expect(refusedBy(thread), String(thread)).toEqual([]);
  for (const thread of ["", "/", "a/b", "a b", "-a", "ä", `${longest}n`, 1, null, ["a"]])
    expect(refusedBy(thread), String(thread)).toEqual(["/prompt/thread"]);
});

test("a prompt names at most FILE_POINTERS_MAX places of files", () => {
  const files = Array.from({ length: FILE_POINTERS_MAX + 1 }, (_, at) => `/file${at}`);
  const withFiles = (given: readonly string[]) => ({
    ...document,
    prompt: { ...document.prompt, files: given },
  });
  expect(parseLoopDef(withFiles(files.slice(1))).kind).toBe("parsed");
  const [problem] = problemsOf(withFiles(files));
  expect(problem).toMatchObject({ rule: "field-type", path: "/prompt/files" });
});
