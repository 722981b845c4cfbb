/** A process that advances a group, and kills itself at the boundary in its arguments. */
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { createLocalHost } from "@turnseal/host";
import { crashSigner } from "../kit/crash-key.ts";
import { type OnCrossing, watchSigner, watchStores } from "../kit/crossings.ts";
import { answerPeople } from "./answer-people.ts";
import { tripLoops } from "./trip-loops.ts";

const [file = "", run = "", killAt = "0"] = process.argv.slice(2);
let crossings = 0;
const onCrossing: OnCrossing = () => {
  crossings += 1;
  if (crossings === Number(killAt)) process.kill(process.pid, "SIGKILL");
};
const stores = sqliteStores({ file });
const host = createLocalHost({
  loops: tripLoops(onCrossing),
  stores: watchStores(stores, onCrossing),
  signer: watchSigner(crashSigner, onCrossing),
});
// A request that stays open after its answer would be answered for ever.
for (let answers = 0; answers < 20; answers += 1) {
  await host.drive(run);
  if ((await host.show(run))?.stopped != null || !(await answerPeople(host, run))) break;
}
console.log(crossings);
