/** Chats on one machine: their process is all there is, and what it knows is in a file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess } from "../kit/processes.ts";
import { CHAT_TOKENS_MAX } from "./chat.ts";
import { type Chat, type ChatStage, planDeath } from "./chat-stage.ts";
import { judgeRun } from "./judge-run.ts";
import { openTalkingHost, type Place } from "./talking-host.ts";

const SOURCE = fileURLToPath(new URL("worker.ts", import.meta.url));

/** The program is what the process runs: its source, unless there is a file with all of it. */
export function openLocalStage(program = SOURCE): ChatStage {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-context-"));
  let chats = 0;
  return {
    ...{ requestsMin: 0, delayMs: 40 },
    hold: async (chat) => {
      chats += 1;
      const { url, provider } = chat;
      const file = join(folder, `${chats}.db`);
      const place: Place = { file, url, provider, tokensMax: CHAT_TOKENS_MAX };
      for (let kills = 0; ; kills++) {
        const run = await liveOnce(chat, place, program);
        if (run === undefined) continue;
        const opened = openTalkingHost(place);
        const judged = await judgeRun(opened, run);
        opened.close();
        return { ...judged, kills };
      }
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The run when the chat came to its end, or undefined when the process was killed before. */
async function liveOnce({ talk, turns, nextDeath }: Chat, place: Place, program: string) {
  const child = startProcess(program, [JSON.stringify(place), String(turns)]);
  let run: string | undefined;
  const { begin, end } = planDeath(child, talk, nextDeath());
  child.on("message", (message: "ready" | { readonly run: string }) => {
    if (message === "ready") begin();
    else run = message.run;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("exit", (...ended) => resolve(ended));
  });
  end();
  if (code !== 0 && signal !== "SIGKILL") throw new Error(`the process ended with ${code}`);
  return run;
}
