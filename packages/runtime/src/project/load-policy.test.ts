import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { afterAll, expect, test } from "vitest";
import { DefinitionError, loadPolicy, turnseal } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-policy-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const never = `name = "p"

[[rules]]
id = "never"
decision = "deny"
tools = ["local.pay"]
`;

test("the rules of a file are those that a run is judged by", async () => {
  let paid = 0;
  const pay = defineTool({
    id: "pay",
    version: "1.0.0",
    input: jsonSchema<object>({ type: "object" }),
    output: jsonSchema<string>({ type: "string" }),
    effect: "idempotent",
    run: () => {
      paid += 1;
      return "paid";
    },
  });
  const judge = async (file: string) => {
    const host = await turnseal({ loops: [pay], policy: await loadPolicy(file) });
    return host.run(pay, {}, { grant: { tools: ["local.pay"], budget: {} } });
  };
  expect(await judge(write("never.toml", never))).toMatchObject({ reason: "denied" });
  expect(paid).toBe(0);
  const always = write("always.toml", never.replace('"deny"', '"allow"'));
  expect(await judge(always)).toMatchObject({ status: "completed" });
  expect(paid).toBe(1);
});

test("a mistake is refused, with its line and what mends it", async () => {
  const file = write("wrong.toml", never.replace('"deny"', '"maybe"'));
  const error = await loadPolicy(file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DefinitionError);
  expect(String(error)).toContain(`policy ${file} is refused: line 5 /rules/0/decision`);
});

test("a file that is not there is refused", async () => {
  const file = join(folder, "absent.toml");
  await expect(loadPolicy(file)).rejects.toThrow(`policy ${file} is refused: ${file}`);
});

test("a module is no policy", async () => {
  const file = write("policy.ts", "export const policy = {};");
  const reason = `${file} is a module: give a .toml or .json file`;
  await expect(loadPolicy(file)).rejects.toThrow(reason);
});
