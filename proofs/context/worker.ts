/**
 * A process that holds a chat until it is killed: `worker.ts <place as JSON> <turns>`. It keeps
 * nothing in mind: where the chat stands is in the store.
 */
import { grant, openTalkingHost, type Place } from "./talking-host.ts";

const [place = "", turns = ""] = process.argv.slice(2);
const { host, agent, close } = openTalkingHost(JSON.parse(place) as Place);
process.send?.("ready");

const run = await host.start(
  agent,
  { words: wordsOf(1) },
  {
    ...{ key: "chat", grant },
    bounds: {
      ...{ awaits: ["message"], nextInput: { words: "$.signals.message" } },
      ...{ turnsMax: 1_000, resumesMax: 1_000, failuresMax: 1 },
    },
  },
);
const closed = (await host.show(run))?.lastTurn?.turn ?? 0;
for (let turn = closed + 1; turn <= Number(turns); turn++) {
  const signal = { name: "message", payload: wordsOf(turn), key: `message ${turn}`, by: "person" };
  if (turn > 1) await host.signal(run, signal);
  await host.drive(run);
}
close();
process.send?.({ run });
process.disconnect?.();

function wordsOf(turn: number): string {
  return `This is thing ${turn}.`;
}
