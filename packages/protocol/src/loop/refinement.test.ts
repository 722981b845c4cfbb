import { type } from "arktype";
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../authoring/define-tool.ts";
import { jsonSchema } from "../authoring/json-schema-source.ts";
import { createRefinement } from "./refinement.ts";

const even = z.number().refine((count) => count % 2 === 0, "only even ones");

test("a schema of a library refuses what its JSON Schema cannot say, and says where", () => {
  const refinement = createRefinement(z.object({ list: z.array(even) })["~standard"].validate);
  expect(refinement({ list: [2, 4] })).toEqual([]);
  expect(refinement({ list: [2, 3] })).toEqual([{ path: ["list", "1"], words: "only even ones" }]);
  const narrow = type("number").narrow(
    (count, context) => count % 2 === 0 || context.mustBe("even"),
  );
  expect(createRefinement(narrow["~standard"].validate)(3)).toMatchObject([{ path: [] }]);
});

test("only a refusal counts: what a library makes of the value is not used", () => {
  const schema = z.object({ a: z.string().default("x"), b: z.string().transform(Number) });
  const value = Object.freeze({ b: "7" });
  expect(createRefinement(schema["~standard"].validate)(value)).toEqual([]);
  expect(value).toEqual({ b: "7" });
});

test("a schema that answers later, breaks or refuses without a word lets nothing pass", () => {
  const later = createRefinement(z.string().refine(async () => true)["~standard"].validate);
  expect(later("a")).toMatchObject([{ path: [], words: expect.stringContaining("at once") }]);
  const failing = createRefinement(() => Promise.reject(new Error("never heard")));
  expect(failing("a")).toHaveLength(1);
  const broken = createRefinement(() => {
    throw new Error("secret words");
  });
  expect(broken("a")).toHaveLength(1);
  expect(JSON.stringify(broken("a"))).not.toContain("secret");
  expect(createRefinement(() => ({ issues: [] }))("a")).toHaveLength(1);
});

test("a loop has the refinements of its schemas, and none where they were written by hand", () => {
  const run = () => 2;
  const header = { id: "a", version: "1.0.0", run };
  const byHand = jsonSchema<number>(true);
  expect(defineTool({ ...header, input: byHand, output: byHand })).not.toHaveProperty(
    "refinements",
  );
  const { refinements } = defineTool({ ...header, input: byHand, output: even });
  expect(refinements?.input).toBeUndefined();
  expect(refinements?.output?.(3)).toHaveLength(1);
});
