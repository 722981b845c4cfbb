/** Runs that started each other: the vectors of the specification, and what an open turn means. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DEMO_KEY } from "../receipt/demo-key.ts";
import type { PublicKey } from "../receipt/public-key.ts";
import type { BundleContent } from "./check-content.ts";
import type { Finding } from "./finding.ts";
import type { RunToVerify } from "./verify-run.ts";
import { createTree, type TreeVerdict, verifyTree } from "./verify-tree.ts";

interface Vector {
  readonly name: string;
  readonly description: string;
  readonly input: { readonly tree: readonly RunToVerify[]; readonly keys: readonly PublicKey[] };
  readonly expect: Pick<TreeVerdict, "verdict" | "valid"> & {
    readonly findings: readonly Pick<Finding, "code" | "sequence" | "turn">[];
  };
}

const folder = new URL("../../../../spec/vectors/receipt-set/", import.meta.url);
const vectors = ["handoffs.json", "families.json"].flatMap((name): Vector[] =>
  JSON.parse(readFileSync(new URL(name, folder), "utf8")),
);
const options = { keys: [DEMO_KEY] };

function places(findings: Vector["expect"]["findings"]): string[] {
  return findings.map(({ code, sequence, turn }) => `${code} ${sequence} ${turn}`).sort();
}

function listFindings({ runs, set }: TreeVerdict): readonly Finding[] {
  return [...runs, set].flatMap(({ findings }) => findings);
}

test.each(vectors.map((vector) => [vector.description, vector] as const))(
  "%s",
  async (_, { input: { tree, ...trust }, expect: expected }) => {
    const verdict = await verifyTree(tree, trust);
    const { verdict: word, valid } = verdict;
    expect({ verdict: word, valid }).toEqual({ verdict: expected.verdict, valid: expected.valid });
    expect(places(listFindings(verdict))).toEqual(places(expected.findings));
  },
);

describe("a tree", () => {
  const [whole] = vectors;
  const [parent, child] = whole?.input.tree ?? [];
  if (parent === undefined || child === undefined) throw new Error("there is no tree");

  test("may be given in any order, and run by run", async () => {
    expect((await verifyTree([child, parent], options)).verdict).toBe("valid");
    const tree = createTree(options);
    expect((await tree.add(child)).verdict).toBe("valid");
    expect(listFindings(tree.judge()).map(({ code }) => code)).toEqual([
      "SET_ORPHAN",
      "SET_ORPHAN",
    ]);
    await tree.add(parent);
    expect(tree.judge().verdict).toBe("valid");
  });

  test("of no run, or of runs without a receipt, is not valid", async () => {
    expect((await verifyTree([], options)).verdict).toBe("invalid");
    const unsigned = { ...parent, receipts: [] };
    expect((await verifyTree([unsigned], options)).verdict).toBe("invalid");
  });

  test("says of a run whose chain is broken what is wrong, and that it is missing", async () => {
    const events = child.events.slice(1);
    const verdict = await verifyTree([parent, { ...child, events }], options);
    expect(listFindings(verdict).map(({ code }) => code)).toEqual(["CHAIN_GAP", "CHILD_MISSING"]);
  });

  test.each([
    ["CONTENT_MISMATCH", { [`hmac-sha256:${"0".repeat(64)}`]: "bGllcw==" }],
    ["BUNDLE_MALFORMED", []],
  ])("finds %s in the content of any of its runs", async (code, blobs) => {
    const content = { key: Buffer.alloc(32).toString("base64"), blobs } as BundleContent;
    for (const tree of [
      [{ ...parent, content }, child],
      [parent, { ...child, content }],
    ]) {
      const verdict = await verifyTree(tree, options);
      expect(verdict.verdict).toBe("invalid");
      expect(listFindings(verdict).map((found) => found.code)).toEqual([code]);
    }
  });

  test("names the run that a finding is about", async () => {
    const { set } = await verifyTree([parent], options);
    expect(set.findings.map(({ run }) => run)).toEqual([parent.run, parent.run]);
  });
});
