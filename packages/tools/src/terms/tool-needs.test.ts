// Each tool needs of the grant what the vectors of the specification say for its input.
import { readFileSync } from "node:fs";
import type { Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { commandTools } from "../commands/command-tools.ts";
import { fileTools } from "../files/file-tools.ts";
import { bubblewrap } from "../sandbox/bubblewrap.ts";
import { webTools } from "../web/web-tools.ts";

const file = new URL("../../../../spec/vectors/grant/admit-tools.json", import.meta.url);
interface ToolCase {
  readonly description: string;
  readonly input: { readonly tool: string; readonly call: object; readonly needs: object };
}
const cases: readonly ToolCase[] = JSON.parse(readFileSync(file, "utf8"));

const place = { root: "site", folder: "site", sandbox: bubblewrap() };
const network = { hosts: ["docs.example.com"], verbs: ["read"] as const };
const files = fileTools("site");
const loops: readonly Loop<never, unknown>[] = [
  ...[files.read, files.write, files.move, files.delete],
  ...Object.values(webTools()),
  commandTools(place).run,
  commandTools({ ...place, name: "net", profile: "network", network }).run,
];

test.each(cases)("$input.tool: $description", ({ input: { tool, call, needs } }) => {
  const loop = loops.find(({ definition }) => definition.id === tool);
  expect(loop?.needs?.(call as never)).toEqual(needs);
});
