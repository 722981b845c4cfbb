/** Tools with gates, for tests of the command: one that writes and one that is blocked. */
import { appendFileSync } from "node:fs";
import { loopsTool } from "@turnseal/protocol/authoring";
import { z } from "zod";

const write = loopsTool({
  name: "write_file",
  description: "Writes a line",
  readOnly: false,
  inputSchema: z.object({ path: z.string(), line: z.string() }),
  requestApproval: ({ line }) => (line === "harmless" ? null : `Write "${line}"?`),
  execute: ({ path, line }, { onToolOutputDelta }) => {
    onToolOutputDelta("writing");
    appendFileSync(path, `${line}\n`);
    return { ok: true };
  },
});

export const writeFile = write.toLoop();
export const blocked = write.withApproval("blocked", "test").toLoop({ id: "blocked" });
