// The repository itself, held to its own rules. Each check is a function over a tree of files with
// tests of its own.
import { describe, expect, test } from "vitest";
import { BOUNDARIES } from "./boundaries.ts";
import { PRINTED } from "./printed-documents.ts";
import { checkBoundaries } from "./tidy/check-boundaries.ts";
import { checkComments } from "./tidy/check-comments.ts";
import { checkErrorList, checkNamedInTests } from "./tidy/check-coverage.ts";
import { checkHeadings, checkIndexed, checkLengths, checkLinks } from "./tidy/check-documents.ts";
import { checkEventReads } from "./tidy/check-event-reads.ts";
import { checkDependencies, checkLockfile, checkVersions } from "./tidy/check-manifests.ts";
import { checkFileNames, checkIdentifiers } from "./tidy/check-names.ts";
import { checkPlainWords } from "./tidy/check-plain-words.ts";
import { checkPurity } from "./tidy/check-purity.ts";
import { checkRootExports } from "./tidy/check-root-exports.ts";
import {
  checkIndexFiles,
  checkInheritance,
  checkOpenEnds,
  checkTestModifiers,
} from "./tidy/check-shape.ts";
import { checkSizes, warnOfSizes } from "./tidy/check-sizes.ts";
import { checkWords } from "./tidy/check-words.ts";
import { createImportGraph, findCycles, findKnots } from "./tidy/import-graph.ts";
import { listVocabulary } from "./tidy/list-vocabulary.ts";
import { measureSizes, SIZE_RULES, type SizeName } from "./tidy/measure-sizes.ts";
import { readTree, repositoryRoot } from "./tidy/tree.ts";

const tree = readTree(repositoryRoot);

describe("imports", () => {
  test("there is no cycle", () => {
    const graph = createImportGraph(tree);
    expect(graph.size).toBeGreaterThan(50);
    expect(findCycles(graph)).toEqual([]);
  });

  test("no folders import each other", () => {
    expect(findKnots(createImportGraph(tree))).toEqual([]);
  });

  test("only what the table allows is imported", () => {
    expect(checkBoundaries(tree, BOUNDARIES)).toEqual([]);
  });

  test("every package declares exactly what the table allows", () => {
    expect(checkDependencies(tree, BOUNDARIES)).toEqual([]);
  });
});

describe("names", () => {
  test("files and folders are kebab-case and say something", () => {
    expect(checkFileNames(tree)).toEqual([]);
  });

  test("types are nouns, functions have verbs that say something, names are words", () => {
    expect(checkIdentifiers(tree)).toEqual([]);
  });
});

describe("sizes", () => {
  const sizes = measureSizes(tree);
  test.each(Object.keys(SIZE_RULES) as SizeName[])("%s stay within their limit", (name) => {
    for (const warning of warnOfSizes(SIZE_RULES[name], sizes[name])) console.warn(warning);
    expect(checkSizes(SIZE_RULES[name], sizes[name])).toEqual([]);
  });
});

describe("shape", () => {
  test("an index holds exports only", () => {
    expect(checkIndexFiles(tree)).toEqual([]);
  });

  test("what the root of the protocol exports is used", () => {
    expect(checkRootExports(tree)).toEqual([]);
  });

  test("what an event says is read by its type", () => {
    expect(checkEventReads(tree)).toEqual([]);
  });

  test("no class but an error extends another", () => {
    expect(checkInheritance(tree)).toEqual([]);
  });

  test("no test is skipped or alone", () => {
    expect(checkTestModifiers(tree)).toEqual([]);
  });

  test("no code says that it is unfinished", () => {
    expect(checkOpenEnds(tree)).toEqual([]);
  });

  test("host, kernel, protocol, folds and views touch the outside only through ports", () => {
    expect(checkPurity(tree)).toEqual([]);
  });
});

describe("closed sets", () => {
  test("the sets are found", () => {
    const { errorCodes, problemRules, eventTypes, limits } = listVocabulary(tree);
    expect(errorCodes).toEqual(expect.arrayContaining(["INVARIANT_BROKEN", "TOOL_FAILED"]));
    expect(problemRules).toContain("field-missing");
    expect(eventTypes).toEqual(expect.arrayContaining(["call.started", "call.tool.invoked"]));
    expect(limits).toContain("JSON_DEPTH_MAX");
  });

  test("every error code, rule, event type and maximum is named by a test", () => {
    expect(checkNamedInTests(tree)).toEqual([]);
  });

  test("every error code and rule is in docs/errors.md", () => {
    expect(checkErrorList(tree)).toEqual([]);
  });
});

describe("documents", () => {
  test.each(PRINTED)("$path has what is printed in it as it is", ({ path, render }) => {
    const document = tree.get(path) ?? "";
    expect(document).toBe(render(document, tree));
  });

  test("each starts with its only title", () => {
    expect(checkHeadings(tree)).toEqual([]);
  });

  test("relative links lead somewhere", () => {
    expect(checkLinks(tree)).toEqual([]);
  });

  test("the front pages stay short", () => {
    expect(checkLengths(tree)).toEqual([]);
  });

  test("every page of docs is in an index", () => {
    expect(checkIndexed(tree)).toEqual([]);
  });

  test("nothing is said that only its writer understands", () => {
    expect(checkWords(tree)).toEqual([]);
  });

  test("messages and manuals name the thing that they are about", () => {
    expect(checkPlainWords(tree)).toEqual([]);
  });
});

test("comments name their subject", () => {
  expect(checkComments(tree)).toEqual([]);
});

describe("manifests", () => {
  test("all packages share a version and pin their dependencies", () => {
    expect(checkVersions(tree)).toEqual([]);
  });

  test("the lockfile serves macOS, Windows and arm, and names no registry", () => {
    expect(checkLockfile(tree.get("package-lock.json") ?? "{}")).toEqual([]);
  });
});
