/** Harness files about the desk of the fixtures, and the commands in this process. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Policy } from "@turnseal/protocol";
import type { Harness, Word } from "@turnseal/testing";
import { sayCommand } from "../say-command.test.data.ts";

export const deskFile: string = fileURLToPath(
  new URL("../../../../packages/testing/src/__fixtures__/desk.mjs", import.meta.url),
);

export const rules: Policy = {
  name: "desk",
  rules: [
    {
      id: "large",
      decision: "ask",
      tools: ["desk.refund"],
      when: "args.cents > 1000",
      role: "finance",
    },
    { id: "rest", decision: "allow" },
  ],
};

const ada = { id: "ada", roles: ["finance"] };

/** A large refund that somebody has to approve. */
export const refundCase: Harness = {
  name: "a large refund",
  loop: "refund",
  from: [deskFile],
  input: { order: "A-1", cents: 1200 },
  grant: { grantor: "ada", tools: ["desk.refund"], budget: {} },
  policy: rules,
  expect: { stopped: "goal-reached" },
};

export const approve: Word = { approval: "desk.refund", choice: "approve", by: ada };

export interface Folder {
  readonly path: string;
  write(name: string, value: unknown): string;
  run(args: readonly string[]): Promise<{ code: number; out: string; err: string }>;
  remove(): void;
}

/** A folder of its own, with the commands as somebody from finance would use them. */
export function openFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "turnseal-harness-"));
  return {
    path,
    write: (name, value) => {
      const file = join(path, name);
      writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
      return file;
    },
    run: async (args) => {
      return sayCommand(args, { TURNSEAL_ROLES: "finance" });
    },
    remove: () => rmSync(path, { recursive: true }),
  };
}
