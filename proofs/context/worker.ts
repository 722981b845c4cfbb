/**
 * A process that holds a chat until it is killed: `worker.ts <place as JSON> <turns>`. It keeps
 * nothing in mind: where the chat stands is in the store.
 */
import { countTurns, sayWords, startChat } from "./chat.ts";
import { openTalkingHost, type Place } from "./talking-host.ts";

const [place = "", turns = ""] = process.argv.slice(2);
const opened = openTalkingHost(JSON.parse(place) as Place);
const { host } = opened;
process.send?.("ready");

const run = await startChat(opened, "chat");
const closed = await countTurns(host, run);
for (let turn = closed + 1; turn <= Number(turns); turn++) {
  if (turn > 1) await sayWords(host, run, turn);
  await host.drive(run);
}
opened.close();
process.send?.({ run });
process.disconnect?.();
